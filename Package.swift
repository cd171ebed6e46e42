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

// The small app and the samples that are compiled and run with main actor isolation by default, as in new Xcode projects.
let defaultIsolationSources =
    ["Library.swift", "LibraryTests.swift", "Samples/Samples.swift"]
    + [
        "ChangingData", "Concurrency", "ConfiguringResources", "Errors", "GettingStarted", "Observing", "Recipes",
        "Requests", "ResponsePipeline", "SigningInAndOut", "TypedResources",
    ].map { "Samples/\($0).swift" }

// The dependencies of most test targets: doubles, and servers on loopback.
let stubs: [Target.Dependency] = ["SiestaCore", "SiestaTesting", "Isolation", "TestDoubles", "TestKit", "Waiting"]
let servers: [Target.Dependency] = [
    "LoopbackServer", "CacheTorture",
    .target(name: "CurlTransport", condition: .when(platforms: [.linux, .android])),
]

// The apps in the folder Examples. They use only the public interface of the library, except that the script of the browser reads
// recordings.
let examples: [Target] = [
    .target(
        name: "TerminalKit", dependencies: ["Siesta", "SiestaUI"], path: "Examples/Sources/TerminalKit"),
    .target(name: "EmbeddedGitHub", path: "Examples/Sources/EmbeddedGitHub"),
    .executableTarget(
        name: "FirstSteps", dependencies: ["EmbeddedGitHub", "Siesta"], path: "Examples/Sources/FirstSteps",
    ),
    .target(
        name: "GitHubClient", dependencies: ["EmbeddedGitHub", "Siesta", "SiestaStorage", "SiestaUI"],
        path: "Examples/Sources/GitHubClient"),
    .executableTarget(
        name: "GitHubBrowser",
        dependencies: [
            "GitHubClient", "TerminalKit", "EmbeddedGitHub", "Siesta", "SiestaUI", "SiestaTesting", "SiestaInspector",
        ],
        path: "Examples/Sources/GitHubBrowser"),
    .executableTarget(
        name: "GitHubDesktop",
        dependencies: [
            "GitHubClient", "EmbeddedGitHub", "TerminalKit", "Siesta", "SiestaUI",
            .target(name: "SiestaGTK", condition: .when(traits: ["GTK"])),
        ],
        path: "Examples/Sources/GitHubDesktop"),
    .target(
        name: "GitHubFixture", dependencies: ["GitHubClient", "Siesta", "SiestaTesting"],
        path: "Examples/Tests/GitHubFixture"),
    .testTarget(
        name: "TerminalKitTests", dependencies: ["TerminalKit", "SiestaUI", "TestKit"],
        path: "Examples/Tests/TerminalKitTests"),
    .testTarget(
        name: "EmbeddedGitHubTests", dependencies: ["EmbeddedGitHub", "TestKit"],
        path: "Examples/Tests/EmbeddedGitHubTests"),
    .testTarget(
        name: "GitHubClientTests",
        dependencies: [
            "GitHubClient", "GitHubFixture", "EmbeddedGitHub", "Siesta", "SiestaTesting", "SiestaUI", "TestKit",
            "Waiting",
        ],
        path: "Examples/Tests/GitHubClientTests"),
    .testTarget(
        name: "GitHubBrowserTests",
        dependencies: [
            "GitHubBrowser", "GitHubClient", "GitHubFixture", "TerminalKit", "EmbeddedGitHub", "Siesta", "SiestaUI",
            "SiestaTesting", "TestKit",
        ],
        path: "Examples/Tests/GitHubBrowserTests"),
]

let package = Package(
    name: "Siesta",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Siesta", targets: ["Siesta"]),
        .library(name: "SiestaCore", targets: ["SiestaCore"]),
        .library(name: "SiestaStorage", targets: ["SiestaStorage"]),
        .library(name: "SiestaUI", targets: ["SiestaUI"]),
        .library(name: "SiestaXML", targets: ["SiestaXML"]),
        .library(name: "SiestaTesting", targets: ["SiestaTesting"]),
        .library(name: "SiestaRecording", targets: ["SiestaRecording"]),
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
        .target(name: "JSONCoding", dependencies: ["HTTPRules"]),
        .target(name: "CurlTransport", dependencies: ["CCurl", "HTTPRules", "Isolation"]),
        .target(
            name: "SiestaNetworking",
            dependencies: [
                "HTTPRules", "Isolation", "JSONCoding",
                .target(name: "CurlTransport", condition: .when(platforms: [.linux, .android])),
            ],
            exclude: excluded, resources: resources),
        .target(name: "SiestaCore", dependencies: ["SiestaNetworking", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(name: "SiestaJSON", dependencies: ["HTTPRules", "JSONCoding"]),
        .target(name: "SiestaActivity", dependencies: ["SiestaCore"]),
        .target(name: "SiestaLists", dependencies: ["SiestaCore", "HTTPRules"]),
        .target(
            name: "SiestaLive", dependencies: ["SiestaCore", "SiestaJSON", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(name: "SiestaRetrying", dependencies: ["SiestaCore", "HTTPRules"]),
        .target(name: "SiestaSessions", dependencies: ["SiestaCore", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(name: "SiestaTransfers", dependencies: ["SiestaCore", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(
            name: "SiestaWriting", dependencies: ["SiestaCore", "SiestaJSON", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(
            name: "Siesta",
            dependencies: [
                "SiestaActivity", "SiestaCore", "SiestaJSON", "SiestaLists", "SiestaLive", "SiestaRetrying",
                "SiestaSessions", "SiestaTransfers", "SiestaWriting",
            ]),
        .target(name: "SiestaCaches", dependencies: ["SiestaCore", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(
            name: "SiestaOutboxStorage", dependencies: ["SiestaCaches", "SiestaCore", "SiestaWriting", "Isolation"]),
        .target(name: "SiestaStorage", dependencies: ["SiestaCaches", "SiestaCore", "SiestaOutboxStorage"]),
        .target(
            name: "SiestaSQLite",
            dependencies: [
                "SiestaCaches", "SiestaCore", "SiestaOutboxStorage", "SiestaWriting", "Isolation",
                .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ]),
        .target(
            name: "SiestaEncryption",
            dependencies: [
                "SiestaCaches", "SiestaCore", .target(name: "CCrypto", condition: .when(traits: ["Encryption"])),
            ]),
        .target(name: "SiestaUI", dependencies: ["SiestaCore", "SiestaLists"]),
        .target(name: "SiestaXML", dependencies: ["SiestaCore", "HTTPRules"]),
        .target(
            name: "SiestaGTK",
            dependencies: [
                "SiestaCore", "SiestaLists", "SiestaUI", .target(name: "CGTK", condition: .when(traits: ["GTK"])),
            ]),
        .target(
            name: "SiestaRecording", dependencies: ["SiestaCore", "SiestaJSON", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(
            name: "SiestaTesting",
            dependencies: ["SiestaCaches", "SiestaCore", "SiestaRecording", "HTTPRules", "Isolation"]),
        .target(
            name: "SiestaInspector",
            dependencies: [
                "SiestaActivity", "SiestaCore", "SiestaJSON", "SiestaRecording", "SiestaRetrying", "HTTPRules",
                "Isolation", "JSONCoding",
            ]),
        .target(name: "Waiting", path: "Tests/Waiting"),
        .target(name: "TestKit", path: "Tests/TestKit"),
        .target(
            name: "TestDoubles",
            dependencies: ["SiestaCore", "SiestaRetrying", "SiestaSessions", "SiestaTesting", "Isolation"],
            path: "Tests/TestDoubles"),
        .target(name: "LoopbackServer", dependencies: ["Isolation", "Waiting"], path: "Tests/LoopbackServer"),
        .target(
            name: "ProviderConformance",
            dependencies: ["SiestaCore", "SiestaTesting", "LoopbackServer", "Waiting"]),
        .target(
            name: "CacheTorture",
            dependencies: ["SiestaCaches", "SiestaCore", "Isolation", "LoopbackServer", "Waiting"],
            path: "Tests/CacheTorture"),
        .target(
            name: "OutboxTorture",
            dependencies: [
                "SiestaCaches", "SiestaCore", "SiestaOutboxStorage", "SiestaWriting", "CacheTorture", "TestKit",
                "Waiting",
            ], path: "Tests/OutboxTorture"),
        .target(
            name: "SampleServer", dependencies: ["SiestaCore", "Isolation", "LoopbackServer", "Waiting"],
            path: "Tests/SampleServer"
        ),
        .testTarget(name: "IsolationTests", dependencies: ["Isolation", "TestKit"]),
        .testTarget(
            name: "CurlTransportTests",
            dependencies: ["CurlTransport", "LoopbackServer", "Isolation", "TestKit", "Waiting"]),
        .testTarget(name: "HTTPRulesTests", dependencies: ["HTTPRules", "TestKit"]),
        .testTarget(name: "JSONCodingTests", dependencies: ["JSONCoding", "TestKit"]),
        // Targets of similar size, which are built side by side. Their names are those of the modules.
        .testTarget(
            name: "SiestaTests",
            dependencies: stubs + servers + [
                "SiestaActivity", "SiestaCaches", "SiestaLists", "SiestaTransfers", "HTTPRules",
            ]),
        .testTarget(
            name: "ResourceTests",
            dependencies: stubs + servers + [
                "SiestaCaches", "SiestaLists", "SiestaRetrying", "SiestaTransfers", "HTTPRules",
            ]),
        .testTarget(
            name: "SiestaNetworkingTests",
            dependencies: stubs + servers + [
                "SiestaCaches", "SiestaRetrying", "SiestaSessions", "SiestaTransfers", "ProviderConformance",
                "HTTPRules",
            ]),
        .testTarget(
            name: "SiestaLiveTests",
            dependencies: stubs + [
                "SiestaLive", "SiestaCaches", "SiestaRetrying", "SiestaSessions", "SiestaWriting", "CacheTorture",
            ]),
        .testTarget(name: "SiestaListsTests", dependencies: stubs + ["SiestaLists", "SiestaRetrying", "CacheTorture"]),
        .testTarget(
            name: "SiestaWritingTests",
            dependencies: stubs + [
                "Siesta", "SiestaJSON", "SiestaLists", "SiestaSessions", "SiestaWriting", "JSONCoding", "CacheTorture",
                "OutboxTorture",
            ]),
        .testTarget(
            name: "SiestaRetryingTests",
            dependencies: stubs + servers + ["SiestaRetrying", "SiestaSessions", "SiestaTransfers"]),
        .testTarget(
            name: "SiestaSessionsTests",
            dependencies: stubs + servers + [
                "SiestaActivity", "SiestaCaches", "SiestaRetrying", "SiestaSessions", "SiestaTransfers", "HTTPRules",
            ]),
        .testTarget(
            name: "SiestaTransfersTests",
            dependencies: stubs + servers + ["SiestaRetrying", "SiestaTransfers", "HTTPRules"]),
        .testTarget(
            name: "SiestaActivityTests",
            dependencies: stubs + [
                "SiestaActivity", "SiestaCaches", "SiestaLive", "SiestaRetrying", "SiestaSessions", "SiestaTransfers",
                "SiestaWriting", "LoopbackServer",
            ]),
        .testTarget(
            name: "SiestaTestingTests",
            dependencies: stubs + servers + [
                "SiestaCaches", "SiestaRecording", "SiestaRetrying", "SiestaTransfers", "ProviderConformance",
                "HTTPRules",
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: stubs + servers + [
                "SiestaCaches", "SiestaJSON", "SiestaLists", "SiestaLive", "SiestaRetrying", "SiestaSessions",
                "SiestaTransfers", "SiestaWriting",
            ]),
        .testTarget(
            name: "SiestaStorageTests",
            dependencies: [
                "SiestaCaches", "SiestaCore", "SiestaJSON", "SiestaLists", "SiestaOutboxStorage", "SiestaRetrying",
                "SiestaSessions", "SiestaTesting", "SiestaUI", "SiestaWriting", "HTTPRules", "Isolation",
                "CacheTorture", "OutboxTorture", "LoopbackServer", "TestDoubles", "TestKit", "Waiting",
            ]),
        .testTarget(
            name: "HTTPCachingTests",
            dependencies: ["SiestaCaches", "SiestaCore", "SiestaTesting", "Isolation", "LoopbackServer", "TestKit"]),
        .testTarget(
            name: "SiestaSQLiteTests",
            dependencies: [
                "SiestaCaches", "SiestaCore", "SiestaOutboxStorage", "SiestaSQLite", "SiestaTesting", "SiestaWriting",
                "CacheTorture", "OutboxTorture", "TestKit", "Waiting",
                .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ]),
        .testTarget(
            name: "SiestaEncryptionTests",
            dependencies: [
                "SiestaCaches", "SiestaCore", "SiestaEncryption", "SiestaOutboxStorage", "SiestaSQLite",
                "SiestaSessions", "SiestaTesting", "SiestaWriting", "CacheTorture", "OutboxTorture", "TestKit",
                "Waiting",
            ]),
        .testTarget(
            name: "SiestaUITests",
            dependencies: [
                "SiestaCore", "SiestaLists", "SiestaLive", "SiestaRetrying", "SiestaTesting", "SiestaUI",
                "SiestaWriting", "Isolation", "TestKit", "Waiting",
            ]),
        .testTarget(
            name: "SiestaGTKTests",
            dependencies: [
                "SiestaGTK", "SiestaUI", "TestKit", .target(name: "CGTK", condition: .when(traits: ["GTK"])),
            ]),
        .executableTarget(
            name: "gtk-checks",
            dependencies: [
                "SiestaCore", "SiestaGTK", "SiestaLists", "SiestaLive", "SiestaRetrying", "SiestaTesting", "SiestaUI",
                "Isolation", "LoopbackServer", "Waiting", .target(name: "CGTK", condition: .when(traits: ["GTK"])),
            ],
            path: "Tests/GTKChecks", exclude: ["References"]),
        .executableTarget(
            name: "inspector-demo", dependencies: ["SiestaCore", "SiestaInspector", "LoopbackServer"],
            path: "Tests/InspectorDemo"),
        .testTarget(
            name: "SiestaInspectorTests",
            dependencies: [
                "SiestaCore", "SiestaInspector", "SiestaJSON", "SiestaLive", "SiestaTesting", "Isolation",
                "LoopbackServer", "TestKit", "Waiting",
            ]),
        .testTarget(name: "SiestaXMLTests", dependencies: ["SiestaCore", "SiestaXML", "LoopbackServer", "TestKit"]),
        .testTarget(name: "SampleTests", dependencies: samples),
        .testTarget(name: "Swift6ClientTests", dependencies: ["Siesta", "SiestaTesting"]),
        .testTarget(
            name: "DefaultIsolation6Tests", dependencies: samples, sources: defaultIsolationSources,
            swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "DefaultIsolation5Tests", dependencies: samples, sources: defaultIsolationSources,
            swiftSettings: [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]),
    ] + examples
)

// The sanitizers build only the tests that they run.
if let tests = Context.environment["SIESTA_TEST_TARGETS"]?.split(separator: " ") {
    package.targets.removeAll { $0.type == .test && !tests.contains(Substring($0.name)) }
}

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

// A sanitizer checks the library, but not the tests, whose build would take twice as long.
if let sanitizer = Context.environment["SIESTA_SANITIZER"] {
    for target in package.targets where target.type != .system {
        if target.type != .test {
            target.swiftSettings?.append(.unsafeFlags(["-sanitize=\(sanitizer)"]))
            target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=\(sanitizer)"])]
        }
        target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
    }
}

// In release mode, the tests run against the optimized library. Optimizing the tests too would take ten minutes.
for target in package.targets where target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}
