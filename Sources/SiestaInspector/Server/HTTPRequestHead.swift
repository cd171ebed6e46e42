import Foundation

/// The request line and the header fields of a request to the inspector (RFC 9112). Pure.
///
/// The syntax is narrower than that of the RFC, because the only clients are browsers and scripts: no folded fields, no
/// line that ends without CR, no transfer codings, no repeated field that the server reads.
struct HTTPRequestHead: Sendable, Equatable {
    let method: String
    /// The path, as sent. It begins with a slash.
    let path: String
    /// The query without the question mark; empty if there is none.
    let query: String
    private let fields: [String: String]

    /// The reason why a head is refused, as a status code.
    enum Malformation: Int, Error {
        case badRequest = 400
        case tooLargeBody = 413
        case transferCoding = 501
    }

    /// Returns the value of a field. The name must be in lower case.
    subscript(name: String) -> String? { fields[name] }

    /// The size of the body in bytes.
    let bodyLength: Int

    /// Parses the bytes before the empty line, without the CR and LF of the last line.
    init(_ bytes: ArraySlice<UInt8>, bodyLimit: Int) throws(Malformation) {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }),
            let lines = Self.lines(of: bytes), let first = lines.first
        else { throw .badRequest }
        let parts = first.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ Self.isToken($0) }),
            parts[1].hasPrefix("/"), parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0"
        else { throw .badRequest }
        method = String(parts[0])
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        (path, query) = (String(target[0]), target.count == 2 ? String(target[1]) : "")
        fields = try Self.fields(of: lines.dropFirst())
        if fields["transfer-encoding"] != nil { throw .transferCoding }
        bodyLength = try Self.bodyLength(fields["content-length"], limit: bodyLimit)
    }

    private static func lines(of bytes: ArraySlice<UInt8>) -> [String]? {
        var lines: [String] = []
        var rest = bytes
        while true {
            guard let end = rest.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }) else { break }
            guard rest[end] == 0x0D, end + 1 < rest.endIndex, rest[end + 1] == 0x0A else { return nil }
            lines.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[(end + 2)...]
        }
        return lines + [String(decoding: rest, as: UTF8.self)]
    }

    private static func fields(of lines: ArraySlice<String>) throws(Malformation) -> [String: String] {
        var fields: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ isToken($0) }) else {
                throw .badRequest
            }
            let name = parts[0].lowercased()
            let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
            // Two values of one of these fields could mean different things to different readers.
            guard fields[name] == nil || !single.contains(name) else { throw .badRequest }
            fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        }
        return fields
    }

    private static func bodyLength(_ text: String?, limit: Int) throws(Malformation) -> Int {
        guard let text else { return 0 }
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { throw .badRequest }
        guard let length = Int(text), length <= limit else { throw .tooLargeBody }
        return length
    }

    private static let single: Set<String> = [
        "host", "origin", "content-length", "transfer-encoding", "x-siesta-inspector", "last-event-id",
    ]

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// A complete request to the inspector.
struct HTTPRequest: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]
}
