import HTTPRules

/// A base URL, split at the end of its path, so that paths can be inserted. Pure.
package struct BaseURL: Sendable {
    /// The address up to the end of the path, with a slash at the end, as UTF-8.
    private let prefix: [UInt8]
    /// The query and the fragment of the address, as UTF-8.
    private let suffix: [UInt8]

    init(prefix: String, suffix: String) {
        self.prefix = Array(prefix.utf8)
        self.suffix = Array(suffix.utf8)
    }

    /// Returns the URL for `path`, and escapes the path. One slash at the beginning of `path` makes no difference.
    package func appending(_ path: String) -> String {
        withAddress(of: path) { address, _ in String(decoding: address, as: UTF8.self) }
    }

    /// Returns the URL for `reference`, an escaped path with an optional query. One slash at its beginning makes no
    /// difference. The query of the base URL is not used.
    package func appending(escaped reference: String) -> String {
        String(decoding: prefix, as: UTF8.self) + (reference.hasPrefix("/") ? reference.dropFirst() : reference[...])
    }

    /// Calls `body` with the result of ``appending(_:)`` as UTF-8. `isEscaped` is true if a character of the path was
    /// escaped.
    ///
    /// Creates no string. Allocates no memory for a path of usual length that contains no character to escape.
    @inline(__always)
    func withAddress<Result>(of path: String, _ body: (UnsafeRawBufferPointer, _ isEscaped: Bool) -> Result) -> Result {
        path.withUTF8Bytes { bytes in
            let path = bytes.first == UInt8(ascii: "/") ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) : bytes
            if PercentEncoding.isPath(path) { return withAddress(ofEscaped: path) { body($0, false) } }
            let escaped = String(PercentEncoding.escapePath(String(decoding: path, as: UTF8.self)[...]))
            return escaped.withUTF8Bytes { withAddress(ofEscaped: $0) { body($0, true) } }
        }
    }

    @inline(__always)
    private func withAddress<Result>(
        ofEscaped path: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let count = prefix.count + path.count + suffix.count
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
            buffer.copyBytes(from: prefix)
            UnsafeMutableRawBufferPointer(rebasing: buffer[prefix.count...]).copyMemory(from: path)
            UnsafeMutableRawBufferPointer(rebasing: buffer[(prefix.count + path.count)...]).copyBytes(from: suffix)
            return body(UnsafeRawBufferPointer(buffer))
        }
    }
}
