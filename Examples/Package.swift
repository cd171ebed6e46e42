// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SiestaExamples",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "first-steps", targets: ["FirstSteps"]),
        .executable(name: "github-browser", targets: ["GitHubBrowser"]),
        .executable(name: "github-desktop", targets: ["GitHubDesktop"]),
    ],
    traits: [
        .trait(
            name: "GTK",
            description: "GitHubDesktop, which needs the headers of GTK 4.8 or later: libgtk-4-dev on Debian")
    ],
    dependencies: [
        .package(name: "Siesta", path: "..", traits: [.trait(name: "GTK", condition: .when(traits: ["GTK"]))])
    ],
    targets: [
        .target(name: "TerminalKit", dependencies: [.product(name: "SiestaUI", package: "Siesta")]),
        .target(name: "EmbeddedGitHub"),
        .executableTarget(
            name: "FirstSteps", dependencies: ["EmbeddedGitHub", .product(name: "Siesta", package: "Siesta")]),
        .target(
            name: "GitHubClient",
            dependencies: [
                "EmbeddedGitHub", .product(name: "Siesta", package: "Siesta"),
                .product(name: "SiestaStorage", package: "Siesta"), .product(name: "SiestaUI", package: "Siesta"),
            ]),
        .executableTarget(
            name: "GitHubBrowser",
            dependencies: [
                "GitHubClient", "TerminalKit", "EmbeddedGitHub", .product(name: "Siesta", package: "Siesta"),
                .product(name: "SiestaUI", package: "Siesta"), .product(name: "SiestaTesting", package: "Siesta"),
                .product(name: "SiestaInspector", package: "Siesta"),
            ]),
        .executableTarget(
            name: "GitHubDesktop",
            dependencies: [
                "GitHubClient", "EmbeddedGitHub", "TerminalKit", .product(name: "Siesta", package: "Siesta"),
                .product(name: "SiestaUI", package: "Siesta"),
                .product(name: "SiestaGTK", package: "Siesta", condition: .when(traits: ["GTK"])),
            ]),
        .target(
            name: "GitHubFixture",
            dependencies: [
                "GitHubClient", .product(name: "Siesta", package: "Siesta"),
                .product(name: "SiestaTesting", package: "Siesta"),
            ],
            path: "Tests/GitHubFixture"),
        .testTarget(
            name: "TerminalKitTests", dependencies: ["TerminalKit", .product(name: "SiestaUI", package: "Siesta")]),
        .testTarget(name: "EmbeddedGitHubTests", dependencies: ["EmbeddedGitHub"]),
        .testTarget(
            name: "GitHubClientTests",
            dependencies: [
                "GitHubClient", "GitHubFixture", "EmbeddedGitHub", .product(name: "Siesta", package: "Siesta"),
                .product(name: "SiestaTesting", package: "Siesta"),
            ]),
        .testTarget(
            name: "GitHubBrowserTests",
            dependencies: [
                "GitHubBrowser", "GitHubClient", "GitHubFixture", "TerminalKit", "EmbeddedGitHub",
                .product(name: "Siesta", package: "Siesta"), .product(name: "SiestaUI", package: "Siesta"),
                .product(name: "SiestaTesting", package: "Siesta"),
            ]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
