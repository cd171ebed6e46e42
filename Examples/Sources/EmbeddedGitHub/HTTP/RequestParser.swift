/// Turns the bytes that have arrived so far into a request, or says why that cannot be.
///
/// Stateless: it is given the whole unread buffer each time, so that it makes no difference how the bytes were cut into
/// packets. Framing follows RFC 9112; a bare LF ends a line too, and empty lines before a request are skipped.
struct RequestParser: Sendable {
    /// What a buffer holds.
    enum Outcome: Sendable, Equatable {
        /// More bytes are needed; the client may be waiting for `100 Continue` before it sends them.
        case incomplete(expectsContinue: Bool)

        /// A request, and how many bytes of the buffer it took.
        case request(HTTPRequest, length: Int)

        /// Not a request that can be served; the status says why, and the connection cannot be used any further.
        case bad(status: Int)
    }

    /// What is allowed.
    var limits = Limits()

    /// Judges a buffer; the time it takes is proportional to its length.
    func parse(_ bytes: [UInt8]) -> Outcome {
        do {
            return try outcome(of: bytes)
        } catch {
            return .bad(status: error.status)
        }
    }

    private struct Refusal: Error {
        let status: Int
    }

    private func outcome(of bytes: [UInt8]) throws(Refusal) -> Outcome {
        guard let lines = try headLines(of: bytes) else { return .incomplete(expectsContinue: false) }
        let head = try RequestHead(lines)
        switch try bodyOutcome(head, bytes[lines.end...]) {
        case .whole(let body, let end): return .request(head.request(body: body), length: end)
        case .partial: return .incomplete(expectsContinue: head.headers.has("100-continue", in: "Expect"))
        }
    }

    // MARK: - Head

    /// The lines of a head, and where the content begins.
    private struct Lines {
        var lines: [ArraySlice<UInt8>] = []
        var end: Int
    }

    private func headLines(of bytes: [UInt8]) throws(Refusal) -> Lines? {
        var position = bytes.firstIndex { $0 != .carriageReturn && $0 != .lineFeed } ?? bytes.endIndex
        let start = position
        var result = Lines(end: start)
        while let lineEnd = bytes[position...].firstIndex(of: .lineFeed) {
            var line = bytes[position..<lineEnd]
            if line.last == .carriageReturn { line.removeLast() }
            position = lineEnd + 1
            try check(line, isFirst: result.lines.isEmpty, used: position - start)
            guard !line.isEmpty else {
                result.end = position
                return result
            }
            result.lines.append(line)
        }
        try check(bytes[position...], isFirst: result.lines.isEmpty, used: bytes.count - start)
        return nil
    }

    private func check(_ line: ArraySlice<UInt8>, isFirst: Bool, used: Int) throws(Refusal) {
        if isFirst {
            guard line.allSatisfy({ $0 > 0x1F && $0 < 0x7F || $0 == .carriageReturn }) else {
                throw Refusal(status: 400)
            }
            guard line.count <= limits.requestLine else { throw Refusal(status: 414) }
        }
        guard used <= limits.head else { throw Refusal(status: 431) }
    }

    /// A head whose every line has been found sound.
    private struct RequestHead {
        var method: String
        var target: RequestTarget
        var headers = HTTPHeaders()
        var keepsAlive: Bool

        init(_ lines: Lines) throws(Refusal) {
            let words = lines.lines[0].split(separator: .space, omittingEmptySubsequences: false)
            guard words.count == 3, words[0].isToken,
                let target = RequestTarget(String(decoding: words[1], as: UTF8.self))
            else { throw Refusal(status: 400) }
            let minor = try Self.minorVersion(words[2])
            (method, self.target) = (String(decoding: words[0], as: UTF8.self), target)
            for line in lines.lines.dropFirst() { headers.append(try Self.field(line)) }
            guard headers.values(of: "Host").count == 1 || minor == 0 else { throw Refusal(status: 400) }
            let keepsAliveAnyway = minor > 0 || headers.has("keep-alive", in: "Connection")
            keepsAlive = keepsAliveAnyway && !headers.has("close", in: "Connection")
        }

        func request(body: [UInt8]) -> HTTPRequest {
            HTTPRequest(method: method, target: target, headers: headers, body: body, keepsAlive: keepsAlive)
        }

        private static func minorVersion(_ word: ArraySlice<UInt8>) throws(Refusal) -> Int {
            let digits = word.dropFirst(5)
            guard word.starts(with: "HTTP/".utf8), digits.count == 3, digits.dropFirst().first == UInt8(ascii: "."),
                let major = digits.first?.digit, let minor = digits.last?.digit
            else { throw Refusal(status: 400) }
            guard major == 1 else { throw Refusal(status: 505) }
            return minor
        }

        private static func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> HTTPHeaders.Field {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[..<colon].isToken,
                line.allSatisfy({ $0 > 0x1F && $0 != 0x7F || $0 == .tab })
            else { throw Refusal(status: 400) }
            let value = line[(colon + 1)...].trimmingBlanks
            return HTTPHeaders.Field(
                name: String(decoding: line[..<colon], as: UTF8.self), value: String(decoding: value, as: UTF8.self))
        }
    }

    // MARK: - Body

    private func bodyOutcome(_ head: RequestHead, _ rest: ArraySlice<UInt8>) throws(Refusal) -> ChunkedBody.Outcome {
        let codings = head.headers["Transfer-Encoding"]
        let lengths = Set(head.headers.values(of: "Content-Length"))
        if let codings {
            guard lengths.isEmpty else { throw Refusal(status: 400) }
            guard codings.lowercased() == "chunked" else { throw Refusal(status: 501) }
            return try chunked(rest)
        }
        guard let text = lengths.first else { return .whole([], end: rest.startIndex) }
        guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ $0.digit != nil }) else {
            throw Refusal(status: 400)
        }
        guard let length = Int(text), length <= limits.body else { throw Refusal(status: 413) }
        guard rest.count >= length else { return .partial }
        return .whole(Array(rest.prefix(length)), end: rest.startIndex + length)
    }

    private func chunked(_ rest: ArraySlice<UInt8>) throws(Refusal) -> ChunkedBody.Outcome {
        do {
            return try ChunkedBody.decode(rest, limit: limits.body)
        } catch {
            throw Refusal(status: error == .tooLarge ? 413 : 400)
        }
    }
}

extension UInt8 {
    fileprivate static let tab = UInt8(ascii: "\t")
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
    fileprivate static let space = UInt8(ascii: " ")

    fileprivate var digit: Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) ? Int(self - UInt8(ascii: "0")) : nil
    }
}

extension ArraySlice<UInt8> {
    /// Whether this is a token in the sense of RFC 9110 section 5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty
            && allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == .space || $0 == .tab }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return []
        }
        return self[first...last]
    }
}
