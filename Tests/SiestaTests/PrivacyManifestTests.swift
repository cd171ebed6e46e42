import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct PrivacyManifestTests {
    /// The functions and properties whose use Apple's platforms require to declare, by category. Only those that Swift
    /// code can call are listed.
    private static let functions = [
        "NSPrivacyAccessedAPICategoryFileTimestamp": [
            "stat(", "fstat(", "lstat(", "fstatat(", "getattrlist", "fgetattrlist", "creationDate", "modificationDate",
            "contentModificationDateKey", "creationDateKey",
        ],
        "NSPrivacyAccessedAPICategorySystemBootTime": ["systemUptime", "mach_absolute_time"],
        "NSPrivacyAccessedAPICategoryDiskSpace": [
            "statfs", "statvfs", "fstatfs", "fstatvfs", "getattrlistat", "volumeAvailableCapacity",
            "volumeTotalCapacity", "systemFreeSize", "systemSize",
        ],
        "NSPrivacyAccessedAPICategoryActiveKeyboards": ["activeInputModes"],
        "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
    ]

    private struct Manifest: Decodable {
        struct Access: Decodable {
            let category: String
            let reasons: [String]

            enum CodingKeys: String, CodingKey {
                case category = "NSPrivacyAccessedAPIType"
                case reasons = "NSPrivacyAccessedAPITypeReasons"
            }
        }

        let isTracking: Bool
        let trackingDomains: [String]
        let collectedDataTypes: [String]
        let accesses: [Access]

        enum CodingKeys: String, CodingKey {
            case isTracking = "NSPrivacyTracking"
            case trackingDomains = "NSPrivacyTrackingDomains"
            case collectedDataTypes = "NSPrivacyCollectedDataTypes"
            case accesses = "NSPrivacyAccessedAPITypes"
        }
    }

    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../Sources").standardizedFileURL

    private func manifest() throws -> Manifest {
        let file = Self.sources.appendingPathComponent("SiestaNetworking/PrivacyInfo.xcprivacy")
        return try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
    }

    /// Returns the code of the modules for Apple platforms, without comments.
    private func code() throws -> String {
        let others = [
            "CurlTransport", "ProviderConformance", "SiestaGTK", "SiestaInspector", "SiestaRecording", "SiestaTesting",
            "SiestaUI",
        ]
        let modules = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        return try modules.filter { !others.contains($0) }.flatMap { module in
            let folder = Self.sources.appendingPathComponent(module)
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        }
        .joined(separator: "\n").split(separator: "\n")
        .map { $0.components(separatedBy: "//")[0] }.joined(separator: "\n")
    }

    @Test func `the manifest declares the categories of the functions that the library uses, and no others`() throws {
        let code = try code()
        let used = Self.functions.filter { $0.value.contains { code.uses($0) } }.keys
        #expect(try Set(manifest().accesses.map(\.category)) == Set(used))
    }

    @Test func `each category has a reason, and nothing is tracked or collected`() throws {
        let manifest = try manifest()
        #expect(manifest.accesses.map(\.reasons) == [["C617.1", "3B52.1"]])
        #expect(!manifest.isTracking)
        #expect(manifest.trackingDomains.isEmpty)
        #expect(manifest.collectedDataTypes.isEmpty)
    }
}

extension String {
    /// Returns true if the name occurs, not preceded by a letter, and not as an initialiser without arguments.
    fileprivate func uses(_ name: String) -> Bool {
        var rest = self[...]
        while let found = rest.range(of: name) {
            let isWhole = rest[..<found.lowerBound].last.map { !$0.isLetter && $0 != "_" } ?? true
            rest = rest[found.upperBound...]
            if isWhole, !(name.hasSuffix("(") && rest.first == ")") { return true }
        }
        return false
    }
}
