import Foundation
import TestKit
import Testing

@testable import JSONCoding

/// Keys with long runs of combining marks, which a dictionary hashes in quadratic time.
@Suite(.timeLimit(.model))
struct CombiningMarksTests {
    /// The ways in which a text can contain such a key.
    enum Form: CaseIterable, Sendable {
        case plain, escaped, surrogates, mixed, decomposed, afterMark, utf16, nested, withSnakeCase, second, canonical
        case json5, badEnd

        private func run(_ count: Int) -> String {
            let pair =
                switch self {
                case .escaped: "\\u0301\\u0323"
                case .surrogates: "\\ud834\\udd65\\ud834\\udd6d"
                case .mixed: "\u{301}\\u0323"
                // Starters that consist of two marks.
                case .decomposed: "\u{F73}\u{323}"
                case .withSnakeCase: String(repeating: "\u{301}\u{323}", count: 7) + "_"
                default: "\u{301}\u{323}"
                }
            return "\"a" + String(repeating: pair, count: self == .withSnakeCase ? count / 7 : count) + "\""
        }

        func text(_ count: Int) -> Data {
            let key = run(count)
            let text =
                switch self {
                case .afterMark: "\u{FEFF}{\(key):1}"
                case .nested: "{\"b\":{\"c\":[[{\"d\":\"\(String(repeating: "x", count: 60))\"},{ \(key) \n: 1}]]}}"
                case .second: "{\"é\":1,\"b\":\"\(String(repeating: "\u{301}", count: 40))\",\(key):1}"
                // Foundation reads a text with two canonically equal keys.
                case .canonical: "{\"é\":1,\"e\u{301}\":2,\(key):1}"
                case .json5: "{\(key.replacing("\"", with: "'")):1}"
                case .badEnd: "{\(key):1,"
                default: "{\(key):1}"
                }
            return self == .utf16 ? text.data(using: .utf16LittleEndian) ?? Data() : Data(text.utf8)
        }

        var decoder: JSONDecoder {
            let decoder = JSONDecoder()
            if self == .withSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
            decoder.allowsJSON5 = self == .json5
            return decoder
        }
    }

    private struct Item: Decodable {
        var id: Int?
        var aB: Int?
    }

    @Test(arguments: Form.allCases, [false, true])
    func `A key with many combining marks in a row is refused in linear time`(_ form: Form, _ usesFoundation: Bool)
        throws
    {
        let growth = Growth(of: 700) {
            form.text($0)
        } _: { text in
            #expect(throws: (any Error).self) {
                try JSONCoding.object(with: text, usingFoundation: usesFoundation)
            }
            #expect(throws: DecodingError.self) {
                try JSONCoding.decode(Item.self, from: text, with: form.decoder, usingFoundation: usesFoundation)
            }
            #expect(throws: DecodingError.self) {
                try JSONCoding.decode(
                    [String: Int].self, from: text, with: form.decoder, usingFoundation: usesFoundation)
            }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test(arguments: [false, true])
    func `Keys with 30 combining marks in a row are read, and 31 are too many`(_ usesFoundation: Bool) throws {
        for mark in ["\u{301}", "\\u0301", "\u{1D165}", "\u{5B0}", "\u{3099}"] {
            for (count, isRead) in [(1, true), (30, true), (31, false)] {
                let key = "a" + String(repeating: mark, count: count)
                let text = Data("{\"\(key)\":1,\"\(key)b\(key)\":2}".utf8)
                let tree = try? JSONCoding.object(with: text, usingFoundation: usesFoundation) as? [String: Int]
                #expect((tree?.count == 2) == isRead, "\(count)")
                let values = try? JSONCoding.decode([String: Int].self, from: text, usingFoundation: usesFoundation)
                #expect((values?.count == 2) == isRead, "\(count)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `A string that is no key may contain any marks`(_ usesFoundation: Bool) throws {
        let marks = "a" + String(repeating: "\u{301}\u{323}", count: 300)
        let escaped = "a" + String(repeating: "\\u0301\\u0323", count: 300)
        for text in ["{\"a\":\"\(marks)\"}", "{\"a\" : \"\(escaped)\" , \"é\":\"\"}"] {
            let tree = try JSONCoding.object(with: Data(text.utf8), usingFoundation: usesFoundation)
            #expect((tree as? [String: String])?["a"]?.utf8.elementsEqual(marks.utf8) == true)
            let values = try JSONCoding.decode(
                [String: String].self, from: Data(text.utf8), usingFoundation: usesFoundation)
            #expect(values["a"]?.utf8.elementsEqual(marks.utf8) == true)
        }
    }
}
