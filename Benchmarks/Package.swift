// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SiestaBenchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "SQLite", description: "Measures SiestaSQLite, too"),
        .trait(name: "Encryption", description: "Measures SiestaEncryption, too"),
    ],
    dependencies: [
        .package(
            name: "Siesta", path: "..",
            traits: [
                .trait(name: "SQLite", condition: .when(traits: ["SQLite"])),
                .trait(name: "Encryption", condition: .when(traits: ["Encryption"])),
            ])
    ],
    targets: [
        .target(name: "Counters"),
        .target(name: "Measuring", swiftSettings: strict),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Counters", "Measuring", .product(name: "Siesta", package: "Siesta")],
            swiftSettings: strict),
        .executableTarget(
            name: "CacheBenchmarks",
            dependencies: [
                "Measuring", "BareSQLite", .product(name: "Siesta", package: "Siesta"),
                .product(name: "SiestaStorage", package: "Siesta"),
                .product(name: "SiestaSQLite", package: "Siesta"),
                .product(name: "SiestaEncryption", package: "Siesta"),
            ],
            swiftSettings: strict),
        .target(name: "BareSQLite", linkerSettings: [.linkedLibrary("sqlite3", .when(traits: ["SQLite"]))]),
        .target(name: "BareCurl"),
        .executableTarget(
            name: "TransportBenchmarks",
            dependencies: [
                "BareCurl", "Measuring", .product(name: "Siesta", package: "Siesta"),
                .product(name: "CurlTransport", package: "Siesta", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "StormBenchmark", dependencies: [.product(name: "Siesta", package: "Siesta")],
            swiftSettings: strict),
        .executableTarget(
            name: "LiveBenchmark",
            dependencies: ["Counters", "Measuring", .product(name: "Siesta", package: "Siesta")],
            swiftSettings: strict),
        .testTarget(name: "MeasuringTests", dependencies: ["Measuring"], swiftSettings: strict),
        // Tests of the optimized library. They share its build with the benchmarks.
        .testTarget(
            name: "ReleaseTests",
            dependencies: [
                .product(name: "Siesta", package: "Siesta"), .product(name: "SiestaStorage", package: "Siesta"),
                .product(name: "SiestaTesting", package: "Siesta"),
                .product(name: "ProviderConformance", package: "Siesta"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "Swift6ClientTests",
            dependencies: [
                .product(name: "Siesta", package: "Siesta"), .product(name: "SiestaTesting", package: "Siesta"),
            ],
            swiftSettings: strict),
    ]
)

var strict: [SwiftSetting] {
    [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
    ]
}
