import Foundation
import SiestaCore
import TestKit
import Testing

@testable import SiestaTransfers

/// The division of bytes into JSON texts.
@Suite(.timeLimit(.test))
struct JSONTextSplitterTests {
    /// Returns the texts in a short form: `number:text`, or `number!defect`.
    private static func texts(
        _ text: String, _ format: JSONStreamFormat, pieces size: Int, limit: Int = 100
    ) -> [String] {
        let bytes = Data(text.utf8)
        var splitter = JSONTextSplitter(format, limit: limit)
        var found: [JSONTextSplitter.Text] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += splitter.add(bytes[start..<min(start + size, bytes.count)])
        }
        found += splitter.finish().map { [$0] } ?? []
        return found.map { text in
            switch text.content {
            case .success(let data): "\(text.number):" + String(decoding: data, as: UTF8.self)
            case .failure(let defect): "\(text.number)!\(defect)"
            }
        }
    }

    @Test(arguments: [
        ("", []), ("\n\r\n  \n", []), ("1", ["1:1"]), ("1\n", ["1:1"]), ("{}\r\n\n[2]\r\n", ["1:{}\r", "3:[2]\r"]),
        ("\"ü☃\"\n\n\ntrue", ["1:\"ü☃\"", "4:true"]), (" \n {} ", ["2: {} "]),
        ("\u{FEFF}1\n\u{FEFF}2", ["1:1", "2:\u{FEFF}2"]), ("\u{FEFF}\n1", ["2:1"]),
    ])
    func `Lines are texts with the number of the line, however the bytes are cut`(_ text: String, _ texts: [String]) {
        for size in 1...max(1, text.utf8.count) {
            #expect(
                Self.texts(text, .newlineDelimited, pieces: size).map { Array($0.utf8) } == texts.map { Array($0.utf8) }
            )
        }
    }

    @Test(arguments: [
        ("", []), ("\u{1E}", []), ("\u{1E}{}\n", ["1:{}\n"]),
        ("\u{1E}\u{1E}\n\u{1E}1\n\u{1E}{\n}", ["1:1\n", "2:{\n}"]),
        ("\u{1E}12", ["1!truncated"]), ("\u{1E}12 ", ["1:12 "]),
        ("\u{1E}tru\u{1E}null\n", ["1!truncated", "2:null\n"]),
        ("\u{1E}\"a\"", ["1:\"a\""]), ("\u{1E} [1]", ["1: [1]"]), ("{}\n\u{1E}1\n", ["0!missingSeparator", "1:1\n"]),
        ("\n\u{1E}1\n", ["1:1\n"]), ("{}", ["0!missingSeparator"]), ("\u{FEFF}\u{1E}1\n", ["1:1\n"]),
    ])
    func `Texts of a sequence begin with a separator, and a value without an end may be truncated`(
        _ text: String, _ texts: [String]
    ) {
        for size in 1...max(1, text.utf8.count) {
            #expect(Self.texts(text, .textSequence, pieces: size) == texts)
        }
    }

    @Test func `A text that is too long is an error at once, and the next text is read`() {
        for size in 1...9 {
            #expect(
                Self.texts("[1]\n[1,2]\n[3]", .newlineDelimited, pieces: size, limit: 3)
                    == ["1:[1]", "2!tooLong", "3:[3]"])
            #expect(
                Self.texts("\u{1E}[1]\u{1E}[1,2]\u{1E}[3]", .textSequence, pieces: size, limit: 3)
                    == ["1:[1]", "2!tooLong", "3:[3]"])
        }
        var splitter = JSONTextSplitter(.newlineDelimited, limit: .max)
        #expect(splitter.add(Data("1\n".utf8)).count == 1)
    }

    @Test(
        arguments: [
            ("application/json-seq", JSONStreamFormat.textSequence),
            ("application/geo+json-seq; charset=utf-8", .textSequence),
            ("application/x-ndjson", .newlineDelimited), ("application/json", .newlineDelimited),
            (nil, .newlineDelimited),
        ] as [(String?, JSONStreamFormat)])
    func `The content type decides about the format`(_ type: String?, _ format: JSONStreamFormat) {
        #expect(JSONStreamFormat.automatic.resolved(type) == format)
        #expect(JSONStreamFormat.textSequence.resolved(type) == .textSequence)
    }

    @Test func `Pieces of one byte take no quadratic time`() {
        let growth = Growth(of: 20_000) {
            Data(repeating: 0x20, count: $0)
        } _: { bytes in
            var splitter = JSONTextSplitter(.newlineDelimited, limit: .max)
            for index in bytes.indices { _ = splitter.add(bytes[index...index]) }
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
