import Foundation

/// The files in which Linux describes its own state.
package enum SystemFile {
    /// Returns the lines of a file such as `/proc/net/tcp`; none if it cannot be read.
    ///
    /// Such a file has no size. Foundation's functions for whole files return only its beginning if it is long.
    package static func lines(of path: String) -> [Substring] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        var bytes = Data()
        while let piece = try? handle.read(upToCount: 65_536), !piece.isEmpty { bytes += piece }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
