/// The chunked transfer coding of RFC 9112 section 7.1, read only.
enum ChunkedBody {
    /// How far a content could be read.
    enum Outcome: Equatable {
        /// All of it, and the index of the first byte behind it.
        case whole([UInt8], end: Int)

        /// More bytes are needed.
        case partial
    }

    /// Why a content cannot be read.
    enum Failure: Error {
        case malformed, tooLarge
    }

    /// Decodes what starts at the beginning of the slice.
    ///
    /// Chunk extensions and trailers are skipped; framing and content together may be at most twice the limit and
    /// 1024 bytes, so that many tiny chunks cannot fill the memory either.
    static func decode(_ bytes: ArraySlice<UInt8>, limit: Int) throws(Failure) -> Outcome {
        var rest = bytes
        var content: [UInt8] = []
        while let line = takeLine(&rest) {
            let size = try size(from: line)
            guard content.count + size <= limit else { throw .tooLarge }
            if size == 0 { return try skipTrailers(rest, content, bytes.startIndex, limit) }
            guard rest.count > size else { break }
            content += rest.prefix(size)
            rest = rest.dropFirst(size)
            guard let end = takeLine(&rest) else {
                guard rest.count < 2 else { throw .malformed }
                break
            }
            guard end.isEmpty else { throw .malformed }
        }
        guard bytes.count <= limit * 2 + 1024 else { throw .tooLarge }
        return .partial
    }

    private static func skipTrailers(
        _ bytes: ArraySlice<UInt8>, _ content: [UInt8], _ start: Int, _ limit: Int
    ) throws(Failure) -> Outcome {
        var rest = bytes
        while let line = takeLine(&rest) {
            if line.isEmpty { return .whole(content, end: rest.startIndex) }
        }
        guard bytes.endIndex - start <= limit * 2 + 1024 else { throw .tooLarge }
        return .partial
    }

    private static func takeLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private static func size(from line: ArraySlice<UInt8>) throws(Failure) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        let text = String(decoding: digits, as: UTF8.self)
        guard (1...8).contains(text.utf8.count), text.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let size = Int(text, radix: 16)
        else { throw .malformed }
        return size
    }
}
