import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A chunked body is put together", .timeLimit(.test))
struct ChunkedBodyTests {
    private func decode(_ text: String, limit: Int = 100) throws -> ChunkedBody.Outcome {
        try ChunkedBody.decode(Array(text.utf8)[...], limit: limit)
    }

    @Test("of chunks with extensions and trailers, and ends where the next request begins")
    func whole() throws {
        let text = "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
        let expected = ChunkedBody.Outcome.whole(Array("abc0123456789".utf8), end: text.utf8.count)
        #expect(try decode(text + "GET") == expected)
        #expect(try decode("0\r\n\r\n") == .whole([], end: 5))
    }

    @Test("only when all of it is there")
    func partial() throws {
        let text = "3\r\nabc\r\n0\r\nA: b\r\n\r\n"
        for count in 0..<text.utf8.count {
            #expect(try ChunkedBody.decode(Array(text.utf8)[..<count], limit: 100) == .partial)
        }
    }

    @Test(
        "unless it is malformed", arguments: ["x\r\n", "\r\n", "-1\r\n", "123456789\r\n", "1\r\nab\r\n", "1\r\nabcd"])
    func malformed(text: String) {
        #expect(throws: ChunkedBody.Failure.malformed) { try decode(text) }
    }

    @Test(
        "unless it is too large, by content or by framing",
        arguments: [
            "65\r\n", "40\r\n" + String(repeating: "a", count: 64) + "\r\n40\r\n",
            "1;" + String(repeating: "e", count: 2000), "0\r\n" + String(repeating: "T: x\r\n", count: 400),
        ])
    func tooLarge(text: String) {
        #expect(throws: ChunkedBody.Failure.tooLarge) { try decode(text) }
    }
}
