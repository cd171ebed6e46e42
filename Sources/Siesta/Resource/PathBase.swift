/// An address in two parts, between which paths are inserted. Pure.
struct PathBase {
    /// Everything up to the end of the path, a slash at the end; UTF-8.
    private let prefix: [UInt8]
    /// What follows the path; UTF-8.
    private let suffix: [UInt8]

    init(prefix: String, suffix: String) {
        self.prefix = Array(prefix.utf8)
        self.suffix = Array(suffix.utf8)
    }

    /// The address of `path`, escaped; one slash at its beginning makes no difference.
    func appending(_ path: String) -> String {
        withAddress(of: path) { address, _ in String(decoding: address, as: UTF8.self) }
    }

    /// The address of `reference`, a path and perhaps a query that are escaped already; one slash at its beginning
    /// makes no difference. A query of the base's own is left out.
    func appending(escaped reference: String) -> String {
        String(decoding: prefix, as: UTF8.self) + (reference.hasPrefix("/") ? reference.dropFirst() : reference[...])
    }

    /// Calls `body` with what ``appending(_:)`` returns, as UTF-8, and with whether something in the path had to be
    /// escaped.
    ///
    /// Makes no string, and allocates nothing for a path of usual length that need not be escaped.
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
