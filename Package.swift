// swift-tools-version: 6.2
import PackageDescription

// Apple asks for a manifest of the uses of some functions. Only packages for its platforms contain the manifest. On other
// hosts, a resource would only add a bundle to each app.
#if canImport(Darwin)
let (resources, excluded) = ([Resource.copy("PrivacyInfo.xcprivacy")], [String]())
#else
let (resources, excluded) = ([Resource](), ["PrivacyInfo.xcprivacy"])
#endif

// Three targets contain the samples of the documentation: one for each isolation and language mode of an app.
let samples: [Target.Dependency] = [
    "Siesta", "SiestaStorage", "SiestaUI", "SiestaXML", "SiestaSQLite", "SiestaEncryption", "SiestaTesting",
    "SiestaInspector", "SampleServer", "LoopbackServer", "Waiting",
    .target(name: "CurlTransport", condition: .when(platforms: [.linux])),
]

let package = Package(
    name: "Siesta",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Siesta", targets: ["Siesta"]),
        .library(name: "SiestaStorage", targets: ["SiestaStorage"]),
        .library(name: "SiestaUI", targets: ["SiestaUI"]),
        .library(name: "SiestaXML", targets: ["SiestaXML"]),
        .library(name: "SiestaTesting", targets: ["SiestaTesting"]),
        .library(name: "ProviderConformance", targets: ["ProviderConformance"]),
        .library(name: "SiestaInspector", targets: ["SiestaInspector"]),
        .library(name: "CurlTransport", targets: ["CurlTransport"]),
        .library(name: "SiestaSQLite", targets: ["SiestaSQLite"]),
        .library(name: "SiestaEncryption", targets: ["SiestaEncryption"]),
        .library(name: "SiestaGTK", targets: ["SiestaGTK"]),
    ],
    traits: [
        .trait(
            name: "Swift5Clients",
            description: "Isolation errors become warnings, or are not reported, as apps in Swift 5 mode need it"),
        .trait(
            name: "SQLite", description: "SiestaSQLite, which needs the headers of SQLite: libsqlite3-dev on Debian"),
        .trait(
            name: "Encryption",
            description: "SiestaEncryption, which needs the headers of OpenSSL 3 or later: libssl-dev on Debian"),
        .trait(
            name: "GTK", description: "SiestaGTK, which needs the headers of GTK 4.8 or later: libgtk-4-dev on Debian"),
        .trait(
            name: "LinkedCurl",
            description: """
                Links libcurl and zlib instead of opening them at run time. Needs the libraries for the linker: \
                libcurl4-openssl-dev and zlib1g-dev on Debian
                """),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .target(
            name: "CCurl",
            cSettings: [.define("CCURL_LINKED", .when(traits: ["LinkedCurl"]))],
            linkerSettings: [
                .linkedLibrary("curl", .when(platforms: [.linux, .android], traits: ["LinkedCurl"])),
                .linkedLibrary("z", .when(platforms: [.linux, .android], traits: ["LinkedCurl"])),
            ]),
        .target(name: "Isolation"),
        .target(name: "HTTPRules"),
        .target(name: "JSONCoding"),
        .target(name: "CurlTransport", dependencies: ["CCurl", "HTTPRules", "Isolation"]),
        .target(
            name: "Siesta",
            dependencies: [
                "HTTPRules", "Isolation", "JSONCoding",
                .target(name: "CurlTransport", condition: .when(platforms: [.linux, .android])),
            ],
            exclude: excluded, resources: resources),
        .target(name: "SiestaStorage", dependencies: ["Siesta", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(
            name: "SiestaSQLite",
            dependencies: [
                "Siesta", "SiestaStorage", "Isolation",
                .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ]),
        .target(
            name: "SiestaEncryption",
            dependencies: ["SiestaStorage", .target(name: "CCrypto", condition: .when(traits: ["Encryption"]))]),
        .target(name: "SiestaUI", dependencies: ["Siesta"]),
        .target(name: "SiestaXML", dependencies: ["Siesta"]),
        .target(
            name: "SiestaGTK",
            dependencies: ["Siesta", "SiestaUI", .target(name: "CGTK", condition: .when(traits: ["GTK"]))]),
        .target(
            name: "SiestaTesting", dependencies: ["Siesta", "SiestaStorage", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(
            name: "SiestaInspector", dependencies: ["Siesta", "SiestaTesting", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(name: "Waiting", path: "Tests/Waiting"),
        .target(name: "LoopbackServer", dependencies: ["Isolation", "Waiting"], path: "Tests/LoopbackServer"),
        .target(
            name: "ProviderConformance",
            dependencies: ["Siesta", "SiestaTesting", "LoopbackServer", "Isolation", "Waiting"]),
        .target(
            name: "CacheTorture", dependencies: ["Siesta", "SiestaStorage", "Isolation", "LoopbackServer", "Waiting"],
            path: "Tests/CacheTorture"),
        .target(
            name: "SampleServer", dependencies: ["Siesta", "LoopbackServer", "Isolation", "Waiting"],
            path: "Tests/SampleServer"
        ),
        .testTarget(name: "IsolationTests", dependencies: ["Isolation"]),
        .testTarget(
            name: "CurlTransportTests", dependencies: ["CurlTransport", "LoopbackServer", "Isolation", "Waiting"]),
        .testTarget(name: "HTTPRulesTests", dependencies: ["HTTPRules"]),
        .testTarget(name: "JSONCodingTests", dependencies: ["JSONCoding"]),
        .testTarget(
            name: "SiestaTests",
            dependencies: [
                "Siesta", "SiestaStorage", "SiestaTesting", "HTTPRules", "Isolation", "LoopbackServer",
                "ProviderConformance", "CacheTorture", "Waiting",
                .target(name: "CurlTransport", condition: .when(platforms: [.linux, .android])),
            ]),
        .testTarget(
            name: "SiestaStorageTests",
            dependencies: [
                "Siesta", "SiestaStorage", "SiestaTesting", "Isolation", "CacheTorture", "LoopbackServer", "Waiting",
            ]),
        .testTarget(
            name: "HTTPCachingTests",
            dependencies: ["Siesta", "SiestaStorage", "SiestaTesting", "Isolation", "LoopbackServer"]),
        .testTarget(
            name: "SiestaSQLiteTests",
            dependencies: [
                "SiestaSQLite", "SiestaTesting", "CacheTorture", "Waiting",
                .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ]),
        .testTarget(
            name: "SiestaEncryptionTests",
            dependencies: ["SiestaEncryption", "SiestaSQLite", "SiestaTesting", "CacheTorture", "Waiting"]),
        .testTarget(
            name: "SiestaUITests", dependencies: ["SiestaUI", "Siesta", "SiestaTesting", "Isolation", "Waiting"]),
        .testTarget(
            name: "SiestaGTKTests",
            dependencies: ["SiestaGTK", "SiestaUI", .target(name: "CGTK", condition: .when(traits: ["GTK"]))]),
        .executableTarget(
            name: "gtk-checks",
            dependencies: [
                "SiestaGTK", "SiestaUI", "Siesta", "SiestaTesting", "Isolation", "LoopbackServer", "Waiting",
                .target(name: "CGTK", condition: .when(traits: ["GTK"])),
            ],
            path: "Tests/GTKChecks", exclude: ["References"]),
        .executableTarget(
            name: "inspector-demo", dependencies: ["SiestaInspector", "Siesta", "LoopbackServer"],
            path: "Tests/InspectorDemo"),
        .testTarget(
            name: "SiestaInspectorTests",
            dependencies: ["SiestaInspector", "Siesta", "SiestaTesting", "LoopbackServer", "Isolation", "Waiting"]),
        .testTarget(name: "SiestaXMLTests", dependencies: ["SiestaXML", "Siesta", "LoopbackServer"]),
        .testTarget(name: "SampleTests", dependencies: samples),
        .testTarget(name: "Swift6ClientTests", dependencies: ["Siesta", "SiestaTesting"]),
        .testTarget(
            name: "DefaultIsolation6Tests", dependencies: samples,
            swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "DefaultIsolation5Tests", dependencies: samples,
            swiftSettings: [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]),
    ]
)

// All checks for all targets, so that the code compiles without a warning in the strictest client. The targets with other
// settings represent apps. Apps for Siesta 1.5 are in a package of their own, Tests/Swift5ClientTests.
for target in package.targets where target.swiftSettings == nil && target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .treatAllWarnings(as: .error),
        .treatWarning("ExplicitSendable", as: .error),
    ]
}

// In release mode, the tests run against the optimized library. Optimizing the tests too would take ten minutes.
for target in package.targets where target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}
