package import Foundation

/// A folder for the files of one sample. It is removed when this object is released.
package final class SampleFolder: Sendable {
    package let url: URL

    /// Creates an empty folder that only this user may open.
    package init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-samples-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a file.
    package func file(_ name: String, _ content: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try content.write(to: file)
        return file
    }
}
