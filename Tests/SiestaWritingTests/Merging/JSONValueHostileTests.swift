import Foundation
import JSONCoding
import SiestaCore
import SiestaJSON
import SiestaWriting
import TestKit
import Testing

/// JSON values of servers that want to use much time.
@Suite(.timeLimit(.model))
struct JSONValueHostileTests {
    private struct Page: Decodable {
        let items: [JSONValue]
    }

    /// Returns many deep arrays with a number in each.
    private static func deep(_ depth: Int, count: Int, in member: String? = nil) -> Data {
        let one = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        let list = "[" + Array(repeating: one, count: count).joined(separator: ",") + "]"
        return Data((member.map { "{\"\($0)\":\(list)}" } ?? list).utf8)
    }

    @Test func `Decoding takes time that is linear in the size, at any depth`() throws {
        // The same number of bytes, at four times the depth.
        let growth = try Growth(of: 24) { depth in
            (Self.deep(depth, count: 4_800 / depth), Self.deep(depth, count: 4_800 / depth, in: "items"))
        } _: { value, page in
            _ = try JSONCoding.decode(JSONValue.self, from: value)
            _ = try JSONCoding.decode([JSONValue].self, from: value)
            _ = try JSONCoding.decode(Page.self, from: page)
        }
        #expect(growth.fourTimes < growth.once * 3 + 2_000_000, "\(growth)")
    }

    /// The ways to write a text that a parser could leave to Foundation.
    enum Form: CaseIterable {
        case plain, marked, utf16, utf16WithMark, utf32, equalNames, equalNamesWithin, sameNames

        func text(_ items: String) -> Data {
            let ascii = "{\"items\":\(items)}"
            return switch self {
            case .plain: Data(ascii.utf8)
            case .marked: Data("\u{FEFF}\(ascii)".utf8)
            case .utf16: ascii.data(using: .utf16LittleEndian) ?? Data()
            case .utf16WithMark: ascii.data(using: .utf16) ?? Data()
            case .utf32: ascii.data(using: .utf32BigEndian) ?? Data()
            case .equalNames: Data("{\"\u{e9}\":1,\"e\u{301}\":1,\"items\":\(items)}".utf8)
            case .equalNamesWithin: Data("{\"items\":[{\"\u{e9}\":1,\"e\u{301}\":2},\(items)]}".utf8)
            case .sameNames: Data("{\"items\":\(items),\"items\":[]}".utf8)
            }
        }
    }

    @Test(arguments: Form.allCases, [false, true])
    func `A part of another type takes linear time in every form of a text`(_ form: Form, _ isSnakeCase: Bool) throws {
        let decoder = JSONDecoder()
        if isSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        let growth = try Growth(of: 24) { depth in
            form.text(String(decoding: Self.deep(depth, count: 4_800 / depth), as: UTF8.self))
        } _: { text in
            let page = try JSONCoding.decode(Page.self, from: text, with: decoder)
            #expect(!page.items.isEmpty)
        }
        #expect(growth.fourTimes < growth.once * 3 + 2_000_000, "\(growth)")
        #expect(growth.fourTimes < 500_000_000, "\(growth)")
    }

    @Test(.enabled(if: !JSONCoding.isOff))
    func `Names that are equal as strings are the same, decoded in another type and parsed`() throws {
        for text in ["{\"\u{e9}\":1,\"e\u{301}\":2}", "[{\"\u{e9}\":1},{\"e\u{301}\":2}]", "{\"K\":1,\"\u{212A}\":2}"] {
            let page = try JSONCoding.decode(Page.self, from: Data("{\"items\":[\(text)]}".utf8))
            let parsed = try JSONValue(parsing: Data(text.utf8))
            #expect(page.items == [parsed])
            #expect(page.items.first?.data == parsed.data, "\(text)")
        }
    }

    @Test(arguments: ["1", "{}", "\"\"", "[]", "1.5", "true"])
    func `A whole value takes linear time, also if Foundation decodes`(_ element: String) {
        let growth = Growth(of: 500) { count in
            let list = Array(repeating: element, count: count).joined(separator: ",")
            let deep = String(repeating: "[", count: 90) + list + String(repeating: "]", count: 90)
            return Data("{\"\u{e9}\":1,\"e\u{301}\":\(deep)}".utf8)
        } _: { text in
            let value = try? JSONCoding.decode(JSONValue.self, from: text, usingFoundation: true)
            #expect(value?.members?.count == 1)
            #expect((try? JSONCoding.decode([String: JSONValue].self, from: text))?.count == 1)
        }
        #expect(growth.isBounded, "\(growth)")
        #expect(growth.fourTimes < 200_000_000, "\(growth)")
    }

    @Test(arguments: [false, true])
    func `Decoding refuses more levels than parsing`(_ usesFoundation: Bool) throws {
        func decode(_ depth: Int) throws -> JSONValue {
            try JSONCoding.decode(JSONValue.self, from: Self.deep(depth - 1, count: 1), usingFoundation: usesFoundation)
        }
        #expect(try decode(JSONValue.maximumDepth).depth == JSONValue.maximumDepth)
        #expect(throws: DecodingError.self) { try decode(JSONValue.maximumDepth + 1) }
        #expect(throws: DecodingError.self) { try decode(500) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JSONValue.self, from: Self.deep(JSONValue.maximumDepth, count: 1))
        }
        let members = String(repeating: "{\"a\":", count: 101) + "1" + String(repeating: "}", count: 101)
        #expect(throws: DecodingError.self) {
            try JSONCoding.decode(JSONValue.self, from: Data(members.utf8), usingFoundation: usesFoundation)
        }
    }

    @Test func `A value is the same, decoded and parsed`() throws {
        for text in [
            "null", "[true,false,null]", "\"\\ud83d\\ude00\\n\"", "{\"a\":{\"b\":[1,-2,3.50,1e-3]}}", "[{},[],\"\"]",
            "123456789012345678901234567890.5", "{\"e\u{301}\":1}", "[\"\u{FEFF}x\"]", "18446744073709551615", "-0",
        ] {
            let data = Data(text.utf8)
            let parsed = try JSONValue(parsing: data)
            for usesFoundation in [false, true] {
                let decoded = try JSONCoding.decode(JSONValue.self, from: data, usingFoundation: usesFoundation)
                #expect(decoded == parsed, "\(text)")
            }
            let wide = try #require(text.data(using: .utf16))
            #expect(try JSONCoding.decode(JSONValue.self, from: wide) == parsed, "\(text)")
            #expect(
                try JSONCoding.decode([String: JSONValue].self, from: Data("{\"v\":\(text)}".utf8)) == ["v": parsed])
        }
    }

    @Test func `A snake-case decoder keeps the names of a value`() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let value = try JSONCoding.decode(
            [String: JSONValue].self, from: Data(#"{"a_b":{"c_d":1}}"#.utf8), with: decoder)
        #expect(value == ["a_b": ["c_d": 1]])
    }

    // MARK: Combining marks

    private static func marks(_ count: Int, _ pair: String = "\u{301}\u{323}") -> String {
        "a" + String(repeating: pair, count: count)
    }

    @Test(arguments: [("/a", "/a/0", "replace"), ("/a", "/a/-", "add"), ("/b/0", "/b/0/0", "replace")])
    func `Changes of elements of a nested array take linear time`(
        _ array: String, _ path: String, _ name: String
    ) throws {
        let growth = try Growth(of: 1_000) { count in
            let elements = JSONValue.array(Array(repeating: 1, count: count))
            let operation: JSONValue = ["op": .string(name), "path": .string(path), "value": 2]
            let patch = try JSONPatch(.array(Array(repeating: operation, count: count)))
            return (patch, JSONValue.object(["a": elements, "b": [elements]]))
        } _: { patch, value in
            let changed = try patch.applied(to: value)
            #expect(changed[JSONPointer(array) ?? JSONPointer()]?.elements?.last != nil)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test(arguments: ["\u{301}\u{323}", "\\u0301\\u0323"])
    func `A name with many combining marks in a row is refused`(_ pair: String) {
        let growth = Growth(of: 1_000) { count in
            Data("[{\"\(Self.marks(count, pair))\":1}]".utf8)
        } _: { text in
            #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: text) }
            #expect(throws: DecodingError.self) { try JSONCoding.decode(JSONValue.self, from: text) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Strings with many combining marks are compared, hashed and merged in linear time`() throws {
        let growth = try Growth(of: 1_000) { count in
            let texts = [Self.marks(count), Self.marks(count, "\u{323}\u{301}"), Self.marks(count) + "b"]
            return try texts.map { text in
                try JSONValue(parsing: Data("[{\"id\":\"\(text)\",\"v\":\"\(text)\"},{\"id\":\"\(text)x\"}]".utf8))
            }
        } _: { values in
            #expect(values[0] != values[1])
            #expect(Set(values).count == 3)
            let delta = JSONDelta(from: values[0], to: values[2])
            #expect(delta.applied(to: values[0]) == values[2])
            _ = ThreeWayMerge(base: values[0], mine: values[1], theirs: values[2])
            _ = JSONMergePatch(from: ["a": values[0]], to: ["a": values[2]])
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `A pointer with many combining marks in a row is refused`() {
        let growth = Growth(of: 1_000) {
            "/x/\(Self.marks($0))"
        } _: { text in
            #expect(JSONPointer(text) == nil)
        }
        #expect(growth.isBounded, "\(growth)")
        #expect(JSONPointer("/e\u{301}")?.tokens == ["e\u{301}"])
    }

    /// Removes a prefix before it decodes.
    private final class PrefixedDecoder: JSONDecoder, @unchecked Sendable {
        override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            try super.decode(type, from: Data(data.dropFirst(5)))
        }
    }

    @Test func `A subclass of JSONDecoder decodes values by itself`() throws {
        let data = Data(")]}',{\"a\":1}".utf8)
        #expect(try JSONCoding.decode([String: JSONValue].self, from: data, with: PrefixedDecoder()) == ["a": 1])
        #expect(try JSONCoding.decode(JSONValue.self, from: data, with: PrefixedDecoder()) == ["a": 1])
    }

    @Test func `A decoder that assumes an object decodes the members of one`() throws {
        let decoder = JSONDecoder()
        decoder.assumesTopLevelDictionary = true
        #expect(try JSONCoding.decode([String: JSONValue].self, from: Data("\"a\":1".utf8), with: decoder) == ["a": 1])
    }

    @Test func `Canonically equal strings are still equal`() throws {
        #expect(JSONValue.string("jos\u{e9}") == JSONValue.string("jose\u{301}"))
        #expect(Set([JSONValue.string("jos\u{e9}"), .string("jose\u{301}")]).count == 1)
        #expect(JSONValue.object(["\u{e9}": 1]) == ["e\u{301}": 1])
    }

    @Test func `An operation whose name has many combining marks is refused in linear time`() throws {
        let growth = try Growth(of: 1_000) { count in
            try JSONValue(parsing: Data("[{\"op\":\"\(Self.marks(count))\",\"path\":\"\"}]".utf8))
        } _: { value in
            #expect(throws: JSONPatch.Failure.self) { try JSONPatch(value) }
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
