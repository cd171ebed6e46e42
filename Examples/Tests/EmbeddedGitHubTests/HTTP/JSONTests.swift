import Foundation
import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("JSON is written in one way only", .timeLimit(.test))
struct JSONTests {
    @Test(
        "for every kind of value",
        arguments: [
            (JSON.null, "null"), (.bool(true), "true"), (.integer(-3), "-3"), (.array([]), "[]"), ([:], "{}"),
            (["b": .integer(1), "a": .array([.null, .string("x")])], "{\"b\":1,\"a\":[null,\"x\"]}"),
            (.string("\"\\/\n\r\t\u{1B}\u{7F}é🦊"), "\"\\\"\\\\/\\n\\u000d\\u0009\\u001b\\u007fé🦊\""),
            (.text(nil), "null"),
        ] as [(JSON, String)])
    func spelling(json: JSON, text: String) {
        #expect(String(decoding: json.utf8, as: UTF8.self) == text)
    }

    @Test("that other parsers read back unchanged, control characters included")
    func readBack() throws {
        let text = (0..<0x100).compactMap(Unicode.Scalar.init).map(String.init).joined() + Catalogue.trap
        let parsed = try JSONSerialization.jsonObject(with: Data(JSON.array([.string(text)]).utf8))
        #expect(parsed as? [String] == [text])
    }
}
