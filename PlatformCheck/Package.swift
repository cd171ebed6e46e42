// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
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

// Type-checks on Linux the code for other platforms. `.ci/platforms` copies the sources to `Copies`, sets their platform
// conditions as the other platform would, and builds this package. It is no part of the product. Only the tests of views and of
// signposts run.
//
// The targets in `Sources` stand for modules of the other platforms. They declare only what the library uses, by hand.
// `AppleFoundation` and `AppleDarwin` stand for Apple's Foundation and Darwin: modules for Linux look for these names.
// UIKit, AppKit, SwiftUI, ImageIO and their parts are compared with the lists of Apple's signatures in `Signatures`. They
// behave: they have trees of views, life cycles and actions, so that `Tests` can test the views of the library. `os` keeps the
// signposts that it gets.
//
// The check finds code that cannot compile because a name, an argument or an import is missing or wrong. It cannot find:
// - differences between a stand-in and the real module, such as an optional or another integer type. The lists were written
//   from memory; a question mark in a list marks a doubt
// - functions of Glibc and of Foundation for Linux that the other platform lacks, except those in `.ci/platforms`
// - uses of functions of other modules that the oldest supported version of a system lacks; the lists have the versions
// - errors in Objective-C interoperability (attributes are removed), in linking, and at run time
// - the look of a view: constraints are not solved, and nothing is drawn
let package = Package(
    name: "PlatformCheck",
    targets: [
        .target(name: "CCurl"),
        .target(name: "AppleDarwin"),
        .target(name: "AppleFoundation", dependencies: ["AppleDarwin"]),
        .target(name: "CoreGraphics", dependencies: ["AppleFoundation"]),
        .target(name: "QuartzCore", dependencies: ["CoreGraphics"]),
        .target(name: "ImageIO", dependencies: ["CoreGraphics"]),
        .target(name: "UIKit", dependencies: ["AppleFoundation", "CoreGraphics", "QuartzCore"]),
        .target(name: "AppKit", dependencies: ["AppleFoundation", "CoreGraphics", "QuartzCore"]),
        .target(name: "SwiftUI", dependencies: ["AppleFoundation", "CoreGraphics", "UIKit", "AppKit"]),
        .target(name: "Network"),
        .target(name: "Security"),
        .target(name: "os"),
        .target(name: "Musl"),
        .target(name: "Android"),
        copy("Isolation", ["AppleFoundation"]),
        copy("HTTPRules", ["AppleFoundation"]),
        copy("JSONCoding", ["AppleFoundation", "HTTPRules"]),
        copy("SiestaCaches", ["SiestaCore", "HTTPRules", "Isolation", "JSONCoding"]),
        copy("SiestaOutboxStorage", ["SiestaCaches", "SiestaCore", "SiestaWriting", "Isolation"]),
        copy("SiestaStorage", ["SiestaCaches", "SiestaCore", "SiestaOutboxStorage"]),
        copy("SiestaRecording", ["SiestaCore", "SiestaJSON", "HTTPRules", "Isolation", "JSONCoding"]),
        copy("SiestaTesting", ["Siesta", "SiestaRecording", "SiestaStorage", "HTTPRules", "Isolation", "JSONCoding"]),
        copy("SiestaInspector", ["Siesta", "SiestaRecording", "HTTPRules", "Isolation", "JSONCoding"]),
        copy("SiestaXML", ["AppleFoundation", "SiestaCore", "HTTPRules"]),
        copy("SiestaUI", ["Siesta", "SwiftUI", "AppKit", "ImageIO", "CoreGraphics"]),
        copy("SiestaUIOnPhone", ["SiestaOnPhone", "SwiftUI", "UIKit", "ImageIO", "CoreGraphics"]),
        copy("CurlTransportOnMusl", ["Musl", "CCurl", "HTTPRules", "Isolation"]),
        copy("JSONCodingOnMusl", ["Musl", "HTTPRules"]),
        copy("CurlTransportOnAndroid", ["Android", "CCurl", "HTTPRules", "Isolation"]),
        copy("JSONCodingOnAndroid", ["Android", "HTTPRules"]),
        copy(
            "SiestaTestingOnPhone",
            ["SiestaOnPhone", "SiestaRecordingOnPhone", "HTTPRules", "Isolation", "JSONCoding"],
            exclude: ["Conformance"]),
        copy(
            "SiestaRecordingOnPhone",
            ["SiestaCoreOnPhone", "SiestaJSONOnPhone", "HTTPRules", "Isolation", "JSONCoding"]),
        copy("Waiting", ["AppleFoundation"]),
        copy("TestKit", ["AppleFoundation"]),
        tests(
            "MacViewTests",
            ["SiestaUI", "Siesta", "SiestaTesting", "SwiftUI", "AppKit", "CoreGraphics", "os", "TestKit", "Waiting"]),
        tests(
            "PhoneViewTests",
            [
                "SiestaUIOnPhone", "SiestaOnPhone", "SiestaTestingOnPhone", "SwiftUI", "UIKit", "CoreGraphics", "os",
                "TestKit", "Waiting",
            ]),
        copy("TerminalKit", ["AppleFoundation", "Siesta", "SiestaUI"]),
        copy("EmbeddedGitHub", ["AppleFoundation"]),
    ] + siesta("", ["AppKit", "Network", "Security", "os", "JSONCoding"])
        + siesta("OnPhone", ["UIKit", "Network", "Security", "os", "JSONCoding"])
        + siesta("OnMusl", ["Musl", "CurlTransportOnMusl", "JSONCodingOnMusl"])
        + inspector("OnMusl", ["Musl", "JSONCodingOnMusl"])
        + siesta("OnAndroid", ["Android", "CurlTransportOnAndroid", "JSONCodingOnAndroid"])
        + inspector("OnAndroid", ["Android", "JSONCodingOnAndroid"])
)

/// The core, the features and the module that exports them, for one platform.
func siesta(_ platform: String, _ system: [Target.Dependency]) -> [Target] {
    let modules = ["Activity", "Lists", "Live", "Retrying", "Sessions", "Transfers", "Writing"]
        .map { "Siesta\($0)\(platform)" }
    let (networking, core, json) = ("SiestaNetworking\(platform)", "SiestaCore\(platform)", "SiestaJSON\(platform)")
    let below = system + ["HTTPRules", "Isolation"]
    return [copy(networking, below), copy(core, below + [.target(name: networking)]), copy(json, below)]
        + modules.map { copy($0, below + [.target(name: core), .target(name: json)]) }
        + [copy("Siesta\(platform)", modules.map { .target(name: $0) })]
}

/// The inspector, and the module for recordings that it needs, for one platform.
func inspector(_ platform: String, _ system: [Target.Dependency]) -> [Target] {
    let recording = "SiestaRecording\(platform)"
    let below = system + ["HTTPRules", "Isolation", .target(name: "Siesta\(platform)")]
    return [copy(recording, below), copy("SiestaInspector\(platform)", below + [.target(name: recording)])]
}

func copy(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Copies/\(name)", exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    // The toolchain assumes that a module with this name is Apple's, and would import an overlay for it.
    .testTarget(
        name: name, dependencies: dependencies, path: "Copies/\(name)",
        swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])])
}
