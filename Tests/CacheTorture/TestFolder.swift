public import Foundation

/// A folder that goes with the value; what is to be in it is made by the test.
public final class TestFolder: Sendable {
    /// Where it is.
    public let url: URL
    /// Where it is, as a path.
    public var path: String { url.path }

    /// Makes the folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// All files below, as paths from here.
    public var files: [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return names.filter { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
            return exists && !isFolder.boolValue
        }.sorted()
    }
}
