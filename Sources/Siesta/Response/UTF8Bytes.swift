import Foundation

extension String {
    /// Calls `body` with the text as UTF-8, without a copy if it is kept so.
    @inline(__always)
    func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
        return Array(utf8).withUnsafeBytes(body)
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }

    @inline(__always)
    func starts(withBytes bytes: [UInt8]) -> Bool {
        guard count >= bytes.count, let start = baseAddress else { return bytes.isEmpty }
        return memcmp(start, bytes, bytes.count) == 0
    }
}
