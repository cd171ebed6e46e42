public import Foundation

/// A folder that is removed when this value is released. The test creates its contents.
public final class TestFolder: Sendable {
    /// The folder's URL.
    public let url: URL
    /// The folder's path.
    public var path: String { url.path }

    /// Creates the folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The paths of all files in the folder and its subfolders, relative to the folder.
    public var files: [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return names.filter { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
            return exists && !isFolder.boolValue
        }.sorted()
    }
}
