// swift-tools-version: 6.2
import PackageDescription

// An app for Siesta 1.5 in Swift 5 mode. It enables the trait `Swift5Clients`, so it cannot be a target of the
// library's own package.
let package = Package(
    name: "Swift5Clients",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Siesta", path: "../..", traits: ["Swift5Clients"])],
    targets: [
        .testTarget(
            name: "Swift5ClientTests", dependencies: [.product(name: "Siesta", package: "Siesta")], path: ".",
            exclude: ["Package.swift", "DefaultIsolation"],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "DefaultIsolationTests", dependencies: [.product(name: "Siesta", package: "Siesta")],
            path: "DefaultIsolation",
            swiftSettings: [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
    ]
)
