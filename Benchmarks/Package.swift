// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SiestaBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Siesta", path: "..")],
    targets: [
        .target(name: "AllocationCounter"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["AllocationCounter", .product(name: "Siesta", package: "Siesta")],
            swiftSettings: [
                .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
            ]),
    ]
)
