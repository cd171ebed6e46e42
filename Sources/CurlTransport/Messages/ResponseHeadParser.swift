#if os(Linux) || os(Android)
import HTTPRules

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Parses the lines of a response into a head. Accepts any bytes that a server may send.
///
/// The parser skips interim responses (1xx except 101) and ignores trailers (RFC 9110, sections 15.2 and 6.5). It skips
/// lines without a colon, removes white space around names and values, and joins folded lines.
struct ResponseHeadParser: Sendable {
    /// The meaning of a line.
    enum Event: Equatable {
        /// A line of a head that is not complete.
        case part
        /// The last line of the final response's head.
        case head
        /// A trailer, which is ignored.
        case trailer
        /// The limit of bytes or of fields is exceeded. Interim responses and trailers count as well.
        case tooLarge(Excess)
    }

    enum Excess: Equatable {
        case bytes, fields
    }

    /// The status; 0 before the first line, or if the first line has no status.
    private(set) var status = 0

    /// The version, such as "1.1" or "2".
    private(set) var version = ""

    /// The fields of the last head.
    private(set) var headers = HeaderList()

    /// True if the head of the final response is complete.
    private(set) var isComplete = false

    private let limit: Int
    private let fieldLimit: Int
    private var received = 0
    private var receivedBefore = 0
    private var fields = 0
    private var isInBlock = false

    /// Creates a parser that accepts at most `limit` bytes, and at most `fieldLimit` fields of each response.
    init(limit: Int, fieldLimit: Int = .max) {
        self.limit = limit
        self.fieldLimit = fieldLimit
    }

    /// Parses the next line, with or without its line end.
    mutating func receive(_ line: UnsafeRawBufferPointer) -> Event {
        received += line.count
        guard received <= limit else { return .tooLarge(.bytes) }
        let line = line.withoutLineEnd
        guard isInBlock || isComplete else { return startBlock(line) }
        guard !line.isEmpty else { return isComplete ? .trailer : endBlock() }
        fields += 1
        guard fields <= fieldLimit else { return .tooLarge(.fields) }
        return isComplete ? .trailer : receive(field: line)
    }

    private mutating func receive(field line: UnsafeRawBufferPointer) -> Event {
        if line[0].isBlank {
            headers.fields.continueLast(line.trimmed)
        } else if let colon = line.position(of: UInt8(ascii: ":")) {
            headers.append(line.slice(0..<colon).trimmed, line.slice(colon + 1..<line.count).trimmed)
        }
        return .part
    }

    /// Resets the head, to parse the next response of the same exchange. The bytes of earlier responses still count
    /// against the limit, but their fields do not.
    mutating func startOver() {
        fields = 0
        isComplete = false
        isInBlock = false
        status = 0
        headers = HeaderList()
    }

    /// Returns the fields, and removes them from the parser.
    mutating func takeHeaders() -> HeaderList {
        var taken = HeaderList()
        swap(&taken, &headers)
        return taken
    }

    /// The length of the last or current head, in bytes.
    var length: Int { received - receivedBefore }

    private mutating func startBlock(_ line: UnsafeRawBufferPointer) -> Event {
        receivedBefore = received - line.count
        isInBlock = true
        headers = HeaderList()
        headers.fields.reserveForResponse()
        (version, status) = Self.statusLine(line)
        return .part
    }

    private mutating func endBlock() -> Event {
        isInBlock = false
        guard status >= 200 || status == 101 else { return .part }
        isComplete = true
        return .head
    }

    /// Returns the version and the status of a line such as `HTTP/1.1 200 OK`. All parts except the digits may be
    /// missing (RFC 9112, section 4).
    private static func statusLine(_ line: UnsafeRawBufferPointer) -> (version: String, status: Int) {
        let space = line.firstIndex(of: UInt8(ascii: " ")) ?? line.count
        let digits = line.slice(space..<line.count).trimmed.prefix { $0.isASCIIDigit }
        let status = digits.count == 3 ? digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : 0
        let slash = line.slice(0..<space).firstIndex(of: UInt8(ascii: "/")) ?? space
        return (versionText(line.slice(min(slash + 1, space)..<space)), status)
    }

    private static func versionText(_ bytes: UnsafeRawBufferPointer) -> String {
        switch (bytes.count, bytes.first, bytes.last) {
        case (3, UInt8(ascii: "1"), UInt8(ascii: "1")): "1.1"
        default: String(decoding: bytes.prefix(8), as: UTF8.self)
        }
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    fileprivate func position(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - start
    }

    fileprivate var withoutLineEnd: UnsafeRawBufferPointer {
        var end = count
        while end > 0, self[end - 1] == 0x0A || self[end - 1] == 0x0D {
            end -= 1
        }
        return slice(0..<end)
    }

    fileprivate var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start].isBlank {
            start += 1
        }
        while end > start, self[end - 1].isBlank {
            end -= 1
        }
        return slice(start..<end)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == 0x09 }
}
#endif
