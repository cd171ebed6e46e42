import Foundation
import HTTPRules
import SiestaCore

/// Divides the bytes of a multipart body (RFC 2046 §5.1.1), which arrive in pieces, into parts. Pure.
///
/// A delimiter is a whole line: two hyphens, the boundary, two more hyphens if it is the last one, and white space. The
/// RFC also allows to compare only the beginning of a line. Then a part whose own boundary begins with the outer
/// boundary would be divided wrongly. A line may end with LF alone. Text before the first delimiter and after the last
/// one is ignored.
struct MultipartSplitter: Sendable {
    /// The reason why the parts cannot be read.
    enum Reason: Error, Hashable {
        case notMultipart(contentType: String)
        /// The content type has no parameter `boundary`, or the parameter is not a legal boundary.
        case missingBoundary
        /// The body ends before the delimiter that closes it.
        case truncated
        case malformedHeader
        case headersTooLong(limit: Int)
        /// The content of a part, or the text before the first part, is too long.
        case partTooLong(limit: Int)
        case tooManyParts(limit: Int)
    }

    private enum Phase {
        case preamble
        case headers
        case body
        case epilogue
    }

    private let delimiter: [UInt8]
    private let limits: MultipartLimits
    private var phase = Phase.preamble
    /// The beginning of the current line.
    private var line = Data()
    private var headers: [(name: String, value: String)] = []
    private var headerSize = 0
    private var preambleSize = 0
    private var body = Data()
    /// The end of the last line. It belongs to the content only if no delimiter follows.
    private var lineEnd = Data()

    /// The number of the current part, beginning with 1; 0 before the first part.
    private(set) var partNumber = 0

    init(contentType: String, limits: MultipartLimits) throws(Reason) {
        guard MediaType.essence(of: contentType).hasPrefix("multipart/") else {
            throw .notMultipart(contentType: contentType)
        }
        guard let boundary = MediaType.parameter("boundary", of: contentType), Self.isBoundary(boundary) else {
            throw .missingBoundary
        }
        delimiter = Array("--\(boundary)".utf8)
        self.limits = limits
    }

    /// A boundary has up to 70 of certain characters, and does not end with a space (RFC 2046 §5.1.1).
    private static func isBoundary(_ text: String) -> Bool {
        1...70 ~= text.utf8.count && text.last != " "
            && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "'()+_,-./:=? ".utf8.contains($0) }
    }

    /// Adds a piece. Appends the parts that are complete now, even if it throws.
    mutating func add(_ piece: Data, completing parts: inout [ResponsePart]) throws(Reason) {
        var rest = piece[...]
        while phase != .epilogue, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line += rest[...end]
            rest = rest[(end + 1)...]
            try takeLine(&parts)
        }
        guard phase != .epilogue else { return }
        line += rest
        try checkSizes()
    }

    /// Ends the body. Appends the last part if the body ends with its last delimiter.
    mutating func finish(completing parts: inout [ResponsePart]) throws(Reason) {
        if phase != .epilogue { try takeLine(&parts) }
        guard phase == .epilogue else { throw .truncated }
    }

    /// Handles the current line, with its line end.
    private mutating func takeLine(_ parts: inout [ResponsePart]) throws(Reason) {
        let line = exchange(&line, with: Data())
        let end: Data =
            line.last == UInt8(ascii: "\n") ? (line.dropLast().last == UInt8(ascii: "\r") ? crlf : lf) : Data()
        let text = line.dropLast(end.count)
        if let isLast = kind(of: text) {
            guard isLast || !end.isEmpty else { throw .truncated }
            return try endPart(isLast, &parts)
        }
        switch phase {
        case .preamble: preambleSize += text.count
        case .headers: try takeHeader(text)
        case .body:
            body += lineEnd
            body += text
            lineEnd = end
        case .epilogue: break
        }
        try checkSizes()
    }

    /// Returns whether a delimiter is the last one; nil if the line is not a delimiter.
    private func kind(of text: Data.SubSequence) -> Bool? {
        guard text.starts(with: delimiter) else { return nil }
        var rest = text.dropFirst(delimiter.count)
        let isLast = rest.starts(with: "--".utf8)
        if isLast { rest = rest.dropFirst(2) }
        return rest.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ? isLast : nil
    }

    private mutating func endPart(_ isLast: Bool, _ parts: inout [ResponsePart]) throws(Reason) {
        guard body.count <= limits.maximumPartSize else { throw .partTooLong(limit: limits.maximumPartSize) }
        if phase != .preamble {
            var fields: [String: String] = [:]
            for (name, value) in headers {
                if fields[name] == nil { fields[name] = value } else { fields[name]?.append(", \(value)") }
            }
            parts.append(ResponsePart(headers: fields, body: body))
        }
        (headers, headerSize, body, lineEnd) = ([], 0, Data(), Data())
        phase = isLast ? .epilogue : .headers
        guard !isLast else { return }
        partNumber += 1
        guard partNumber <= limits.maximumPartCount else { throw .tooManyParts(limit: limits.maximumPartCount) }
    }

    /// Reads a line of the headers. A line that begins with white space continues the line before it (RFC 5322 §2.2.3).
    private mutating func takeHeader(_ text: Data.SubSequence) throws(Reason) {
        headerSize += text.count
        guard !text.isEmpty else { return phase = .body }
        let words = StreamSafety.safe(String(decoding: text, as: UTF8.self))
        let value = { (text: Substring) in text.trimmingCharacters(in: .whitespaces) }
        guard HeaderSyntax.isValue(words) else { throw .malformedHeader }
        if words.first == " " || words.first == "\t", !headers.isEmpty {
            headers[headers.count - 1].value += " " + value(words[...])
            return
        }
        guard let colon = words.firstIndex(of: ":"), HeaderSyntax.isName(String(words[..<colon])) else {
            throw .malformedHeader
        }
        headers.append((words[..<colon].lowercased(), value(words[words.index(after: colon)...])))
    }

    /// The current line may become a delimiter, and then does not belong to the content.
    private func checkSizes() throws(Reason) {
        let size = line.count
        if phase == .headers, headerSize + size > limits.maximumHeaderSize {
            throw .headersTooLong(limit: limits.maximumHeaderSize)
        }
        let before = phase == .preamble ? preambleSize : body.count
        if phase != .headers, before + max(0, size - Self.longestDelimiter) > limits.maximumPartSize {
            throw .partTooLong(limit: limits.maximumPartSize)
        }
    }

    /// Two hyphens, a boundary, two hyphens, a line end, and some white space.
    private static let longestDelimiter = 256
}

private let crlf = Data("\r\n".utf8)
private let lf = Data("\n".utf8)
