// swift-tools-version: 6.2
import PackageDescription

// Fuzzers of libFuzzer, for Linux. The sources are those of the package, built once more so that the fuzzers see what
// each input reaches.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CCurl"),
        .target(name: "Isolation"),
        .target(name: "HTTPRules"),
        .target(name: "JSONCoding", dependencies: ["HTTPRules"]),
        .target(name: "CurlTransport", dependencies: ["CCurl", "HTTPRules", "Isolation"]),
        .target(
            name: "SiestaNetworking", dependencies: ["HTTPRules", "Isolation", "JSONCoding", "CurlTransport"],
            exclude: ["PrivacyInfo.xcprivacy"]),
        .target(name: "SiestaCore", dependencies: ["SiestaNetworking", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(name: "SiestaJSON", dependencies: ["HTTPRules", "JSONCoding"]),
        .target(name: "SiestaLive", dependencies: ["SiestaCore", "SiestaJSON", "HTTPRules", "Isolation"]),
        .target(name: "SiestaTransfers", dependencies: ["SiestaCore", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(name: "SiestaCaches", dependencies: ["SiestaCore", "HTTPRules", "Isolation", "JSONCoding"]),
        .target(name: "SiestaXML", dependencies: ["SiestaCore", "HTTPRules"]),
        .target(name: "FuzzDriver"),
        .executableTarget(name: "CachingFuzzer", dependencies: ["FuzzDriver", "HTTPRules"]),
        .executableTarget(name: "EventFuzzer", dependencies: ["FuzzDriver", "SiestaLive"]),
        .executableTarget(
            name: "FieldsFuzzer", dependencies: ["FuzzDriver", "CurlTransport", "HTTPRules", "SiestaCore"]),
        .executableTarget(name: "HeadFuzzer", dependencies: ["FuzzDriver", "CurlTransport", "HTTPRules"]),
        .executableTarget(name: "JSONFuzzer", dependencies: ["FuzzDriver", "JSONCoding"]),
        .executableTarget(name: "MultipartFuzzer", dependencies: ["FuzzDriver", "SiestaCore", "SiestaTransfers"]),
        .executableTarget(name: "ProblemFuzzer", dependencies: ["FuzzDriver", "SiestaCore"]),
        .executableTarget(name: "RedirectFuzzer", dependencies: ["FuzzDriver", "HTTPRules"]),
        .executableTarget(name: "RetryFieldsFuzzer", dependencies: ["FuzzDriver", "HTTPRules"]),
        .executableTarget(name: "SequenceFuzzer", dependencies: ["FuzzDriver", "SiestaTransfers"]),
        .executableTarget(name: "StoredRecordFuzzer", dependencies: ["FuzzDriver", "SiestaCaches", "SiestaCore"]),
        .executableTarget(name: "XMLFuzzer", dependencies: ["FuzzDriver", "SiestaCore", "SiestaXML"]),
    ]
)

for target in package.targets where target.name != "CCurl" {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .treatAllWarnings(as: .error),
        .enableExperimentalFeature("Extern"),
        .unsafeFlags(["-sanitize=fuzzer", "-parse-as-library", "-enable-testing"]),
    ]
    if target.type == .executable {
        target.linkerSettings = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
    }
}
