#if os(Linux)
import TestKit
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.test))
struct ResponseHeadParserTests {
    @Test(arguments: [
        ("HTTP/1.1 200 OK", "1.1", 200), ("HTTP/1.1 404", "1.1", 404), ("HTTP/1.1 204 ", "1.1", 204),
        ("HTTP/2 200 ", "2", 200), ("HTTP/1.0 301 Moved", "1.0", 301), ("HTTP/1.1  200  OK", "1.1", 200),
        ("HTTP/1.1 999 X", "1.1", 999), ("HTTP/1.1 20 OK", "1.1", 0), ("HTTP/1.1 2000 OK", "1.1", 0),
        ("HTTP/1.1", "1.1", 0), ("HTTP/1.1 abc", "1.1", 0), ("", "", 0), ("HTTP", "", 0), ("/", "", 0),
        (" 200", "", 200), ("HTTP/ 200", "", 200),
    ])
    func `The status line gives version and status, whatever is missing`(line: String, version: String, status: Int) {
        let parser = parser([line])
        #expect(parser.version == version)
        #expect(parser.status == status)
    }

    @Test(arguments: [
        ("A: b", "A", "b"), ("A:b", "A", "b"), ("A:  b \t", "A", "b"), ("A:", "A", ""), ("A: \t", "A", ""),
        ("A : b", "A", "b"), ("A: b:c", "A", "b:c"), (":b", "", "b"), ("A: b c", "A", "b c"),
        ("A: \u{0}b", "A", "\u{0}b"),
    ])
    func `A field is a name, a colon and a value without the space around them`(
        line: String, name: String, value: String
    ) {
        let headers = parser(["HTTP/1.1 200 OK", line]).headers
        #expect(headers.count == 1)
        #expect(headers.first == HeaderList.Field(name: name, value: value))
    }

    @Test func `A line without a colon is skipped`() {
        #expect(parser(["HTTP/1.1 200 OK", "nonsense", "A: b"]).headers == ["A": "b"])
    }

    @Test func `A folded line continues the value before it after one space`() {
        let lines = ["HTTP/1.1 200 OK", "A: b", "  c", "\td ", "B:", " e", "C: f", "   ", "D: g"]
        #expect(parser(lines).headers == ["A": "b c d", "B": "e", "C": "f", "D": "g"])
        #expect(parser(["HTTP/1.1 200 OK", " folded", "A: b"]).headers == ["A": "b"])
    }

    @Test(arguments: ["", "\n", "\r\n", "\r\r\n"])
    func `Line ends may be missing, single or doubled`(end: String) {
        let parser = parser(["HTTP/1.1 200 OK", "A: b", ""].map { $0 + end })
        #expect(parser.isComplete)
        #expect(parser.headers == ["A": "b"])
    }

    @Test(arguments: [100, 102, 103, 199, 0])
    func `Interim responses do not count, switching protocols does`(status: Int) {
        let lines = ["HTTP/1.1 \(status) Wait", "A: b", "", "HTTP/1.1 200 OK", "C: d", ""]
        #expect(parser(lines).headers == ["C": "d"])
        #expect(parser(lines).status == 200)
        #expect(parser(Array(lines.prefix(3))).isComplete == false)
        #expect(parser(["HTTP/1.1 101 Switching", ""]).isComplete)
    }

    @Test func `Trailers are ignored, even if they look like a status line`() {
        var parser = parser(["HTTP/1.1 200 OK", "A: b", ""])
        for line in ["C: d", "HTTP/1.1 500 No", "", " fold"] {
            #expect(take(line, by: &parser) == .trailer)
        }
        #expect(parser.status == 200)
        #expect(parser.headers == ["A": "b"])
    }

    @Test func `The limit holds for all blocks and trailers together`() {
        let line = "HTTP/1.1 103 Hint\r\n"
        var endless = ResponseHeadParser(limit: line.utf8.count * 2 + 4)
        #expect(take(line, by: &endless) == .part)
        #expect(take("\r\n", by: &endless) == .part)
        #expect(take(line, by: &endless) == .part)
        #expect(take("\r\n", by: &endless) == .part)
        #expect(take("H", by: &endless) == .tooLarge(.bytes))

        var trailing = ResponseHeadParser(limit: 20)
        #expect(take("HTTP/1.1 200 OK\r\n", by: &trailing) == .part)
        #expect(take("\r\n", by: &trailing) == .head)
        #expect(take("A: b", by: &trailing) == .tooLarge(.bytes))
    }

    @Test func `The limit of fields holds for interim responses, folded lines, nonsense and trailers together`() {
        let lines = ["HTTP/1.1 103 Hint", "A: b", "", "HTTP/1.1 200 OK", "A: b", " c", "no colon", "", "A: b", ""]
        for (limit, isEnough) in [(5, true), (4, false)] {
            var parser = ResponseHeadParser(limit: 1000, fieldLimit: limit)
            let events = lines.map { take($0, by: &parser) }
            #expect(events.contains(.tooLarge(.fields)) == !isEnough)
            #expect(events.firstIndex(of: .tooLarge(.fields)) ?? 8 == 8)
        }
    }

    @Test func `Each response of an exchange has the limit of fields for itself`() {
        var parser = ResponseHeadParser(limit: 1000, fieldLimit: 2)
        for _ in 0..<3 {
            parser.startOver()
            #expect(take("HTTP/1.1 302 Found", by: &parser) == .part)
            #expect(take("A: b", by: &parser) == .part)
            #expect(take("A: b", by: &parser) == .part)
            #expect(take("", by: &parser) == .head)
        }
        #expect(take("A: b", by: &parser) == .tooLarge(.fields))
    }

    @Test func `Starting over forgets the head, and remembers what it took up`() {
        var parser = ResponseHeadParser(limit: 40)
        for line in ["HTTP/1.1 302 Found", "A: b", ""] {
            _ = take(line, by: &parser)
        }
        parser.startOver()
        #expect(!parser.isComplete)
        #expect(parser.headers.isEmpty)
        #expect(take("HTTP/1.1 200 OK", by: &parser) == .part)
        #expect(take("A: b", by: &parser) == .tooLarge(.bytes))
    }

    @Test(arguments: TestSeed.cases(TestLevel.count(50, nightly: 200)))
    func `Any bytes will do`(seed: UInt64) {
        var random = Xorshift(state: (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15)
        let alphabet = Array(" \t:\r\n/HTP1209a\u{0}\u{E9}".utf8)
        var parser = ResponseHeadParser(limit: 4096)
        for _ in 0..<60 {
            let length = Int.random(in: 0...20, using: &random)
            let line = (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            _ = line.withUnsafeBytes { parser.receive($0) }
        }
        #expect(parser.headers.allSatisfy { $0.name.utf8.count <= 40 })
    }

    private func parser(_ lines: [String]) -> ResponseHeadParser {
        var parser = ResponseHeadParser(limit: 1 << 20)
        for line in lines {
            _ = take(line, by: &parser)
        }
        return parser
    }

    private func take(_ line: String, by parser: inout ResponseHeadParser) -> ResponseHeadParser.Event {
        Array(line.utf8).withUnsafeBytes { parser.receive($0) }
    }

    private struct Xorshift: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
#endif
