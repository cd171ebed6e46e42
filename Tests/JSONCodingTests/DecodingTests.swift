import Foundation
import TestKit
import Testing

@testable import JSONCoding

@Suite(.timeLimit(.test))
struct DecodingTests {
    private static func data(_ text: String) -> Data { Data(text.utf8) }

    /// Expects that the module decodes a text itself, and returns the value.
    private func fast<T: Decodable>(_ type: T.Type, _ text: String, _ decoder: JSONDecoder = JSONDecoder()) throws -> T
    {
        #if os(Linux) || os(Android)
        let options = try #require(DecodingOptions(decoder))
        #expect(try Document.value(type, from: Self.data(text), options) != nil, "\(type): \(text)")
        #endif
        return try JSONCoding.decode(type, from: Self.data(text), with: decoder)
    }

    private func expectSame<T: Decodable>(
        _ type: T.Type, _ text: String, seed: UInt64 = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if let difference = Differential.decodeDifference(type, Self.data(text), seed: seed, { ["\($0)"] }) {
            Issue.record("\(text)\n\(difference)", sourceLocation: sourceLocation)
        }
    }

    @Test func `Ordinary types are decoded without Foundation`() throws {
        let items = try fast(
            [Item].self, #"[{"id":1,"name":"a","userName":null,"value":1.5},{"value":2,"id":3,"x":[{}]}]"#)
        #expect(items.map(\.id) == [1, 3])
        #expect(items.map(\.value) == [1.5, 2])
        #expect(try fast([String: [Int?]].self, #"{"a":[1,null],"b":[]}"#) == ["a": [1, nil], "b": []])
        #expect(try fast([URL].self, #"["https://example.com/"]"#).map(\.host) == ["example.com"])
        #expect(
            try fast([Decimal].self, "[0.1,-2,12345678901234567890]").map(\.description) == [
                "0.1", "-2", "12345678901234567890",
            ])
        #expect(try fast([Data].self, #"["aGk="]"#) == [Data("hi".utf8)])
        #expect(try fast(String?.self, "null") == nil)
        #expect(try fast([Loose].self, #"[1,1.5,"a",[2],{"b":3}]"#).count == 5)
    }

    @Test func `Snake case is converted without Foundation`() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let items = try fast([Item].self, #"[{"id":1,"user_name":"a"},{"id":2,"userName":"b"}]"#, decoder)
        #expect(items.map(\.userName) == ["a", "b"])
        let values = try fast([String: [String: Int]].self, #"{"a_b":{"c_d":1}}"#, decoder)
        #expect(values == ["a_b": ["c_d": 1]])
    }

    @Test func `Keys in snake case have the results of Foundation`() {
        let parts = [
            "_", "__", "a", "B", "ab", "Cd", "EF", "1", "é", "É", "ß", "ǆ", "ŉ", "日", "i̇", "İ", "-", " ", ".", "ﬁ",
            "e\u{301}", "'s", "a1b",
        ]
        var random = SplitMix(seed: 5)
        for _ in 0..<400 {
            let keys = (0..<12).map { _ in
                (0..<1 + random.below(7)).map { _ in parts[random.below(parts.count)] }.joined()
            }
            let text = "{" + keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
            expectSame(Names.self, text, seed: 1)
            if let difference = snakeDifference(Names.self, text) { Issue.record("\(text)\n\(difference)") }
        }
    }

    private struct Names: Decodable, Named {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            names = try container.allKeys.map {
                "\(Array($0.stringValue.utf8)) \(try container.decode(Int.self, forKey: $0))"
            }.sorted()
        }
    }

    private func snakeDifference<T: Decodable & Named>(_ type: T.Type, _ text: String) -> String? {
        func decoder() -> JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }
        let expected = Transcript.outcome { try decoder().decode(type, from: Self.data(text)).names }
        let result = Transcript.outcome { try JSONCoding.decode(type, from: Self.data(text), with: decoder()).names }
        return Transcript.difference(result, expected)
    }

    @Test func `Dates have the results of Foundation`() {
        let dates = [
            "2011-01-26T19:01:12Z", "2011-02-29T00:00:00Z", "2012-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2000-02-29T00:00:00Z", "1582-10-10T00:00:00Z",
            "1600-01-01T00:00:00Z", "1599-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
            "2011-13-01T00:00:00Z", "2011-00-01T00:00:00Z",
            "2011-01-00T00:00:00Z", "2011-04-31T00:00:00Z", "2011-01-26T24:00:00Z", "2011-01-26T23:60:00Z",
            "2011-01-26T23:59:60Z", "2011-01-26T23:59:61Z",
            "2011-01-26t19:01:12z", "2011-01-26 19:01:12Z", "2011-01-26T19:01:12+02:00", "2011-01-26T19:01:12.5Z",
            "20110126T190112Z", "2011-01-26T19:01Z",
            "2011-01-26", "2011/01/26T19:01:12Z", "+011-01-26T19:01:12Z", "2011-01-26T1９:01:12Z", "", "Z",
            "2011-01-26T19:01:1 Z",
        ]
        for date in dates { expectSameDate(date) }
        var random = SplitMix(seed: 6)
        func two(_ limit: Int) -> String {
            let number = random.below(limit)
            return number < 10 ? "0\(number)" : "\(number)"
        }
        for _ in 0..<3000 {
            expectSameDate("\(two(100))\(two(100))-\(two(14))-\(two(33))T\(two(26)):\(two(62)):\(two(62))Z")
        }
    }

    private func expectSameDate(_ date: String) {
        let text = Self.data("[\"\(date)\"]")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let expected = Transcript.outcome { try decoder.decode([Date].self, from: text) }
        let result = Transcript.outcome { try JSONCoding.decode([Date].self, from: text, with: decoder) }
        if let difference = Transcript.difference(result, expected) { Issue.record("\(date)\n\(difference)") }
    }

    @Test func `The first of several equal keys counts`() throws {
        #expect(try fast([String: Int].self, #"{"a":1,"b":2,"a":3}"#) == ["a": 1, "b": 2])
        #expect(try fast(Item.self, #"{"id":1,"id":2,"name":"x","name":"y"}"#).name == "x")
        expectSame([Item].self, #"[{"name":"x","id":1,"name":"y","id":2},{"id":3,"id":"z"},{"id":"z","id":3}]"#)
    }

    @Test func `A key that is read again has its first value again`() throws {
        struct Repeated: Decodable {
            let values: [Int]

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                let keys = ["a", "a", "b", "a", "b", "b", "a"].map { AnyKey(stringValue: $0) }
                values = try keys.map { try container.decode(Int.self, forKey: $0) }
            }
        }
        for text in [#"{"a":1,"a":3,"b":2,"a":4}"#, #"{"b":2,"a":1,"b":3,"b":4}"#, #"{"a":1,"b":2}"#] {
            #expect(try fast(Repeated.self, text).values == [1, 1, 2, 1, 2, 2, 1])
        }
    }

    @Test func `A key that several keys in snake case become has the same value at each reading`() {
        let texts = [
            #"{"a_b":1,"c":2,"aB":3}"#, #"{"aB":1,"c":2,"a_b":3}"#, #"{"c":1,"a_b":2,"d":3,"aB":4,"a__b":5}"#,
        ]
        for text in texts {
            if let difference = snakeDifference(Rereading.self, text) { Issue.record("\(text)\n\(difference)") }
        }
    }

    /// Reads keys so that each of them follows the key before it in the text.
    private struct Rereading: Decodable, Named {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            names = try ["aB", "c", "aB", "d", "aB", "aB"].map {
                "\($0) \(String(describing: try container.decodeIfPresent(Int.self, forKey: AnyKey(stringValue: $0))))"
            }
        }
    }

    @Test func `Duplicate keys of other types have the results of Foundation`() {
        for text in [#"{"a":1,"a":"x"}"#, #"{"a":"x","a":1}"#, #"{"a_b":1,"a_b":2,"aB":"x"}"#, #"{"a_b":"x","aB":1}"#] {
            for seed in 0..<12 as Range<UInt64> {
                let difference = Differential.decodeDifference([String: Int].self, Self.data(text), seed: seed) {
                    values in
                    Transcript.sorted(values).map { "\($0)" }
                }
                if let difference { Issue.record("\(text)\n\(difference)") }
            }
        }
    }

    @Test func `Names that are canonically equal to keys find them`() throws {
        struct Temperature: Decodable, Equatable {
            var kelvin: Int?
            var cafe: Int?

            private enum CodingKeys: String, CodingKey {
                case kelvin = "\u{212A}"
                case cafe = "cafe\u{301}"
            }
        }
        #expect(try fast(Temperature.self, #"{"a":0,"K":1}"#).kelvin == 1)
        #expect(try fast(Temperature.self, #"{"k":1,"cafe":2}"#) == Temperature())
        #expect(try fast(Temperature.self, "{\"caf\u{E9}\":3,\"K\":4}") == Temperature(kelvin: 4, cafe: 3))
        expectSame(Temperature.self, #"{"K":1,"é":2}"#)
    }

    @Test(arguments: [
        "{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"e\u{301}\":1,\"\u{e9}\":2,\"e\u{301}\":3}", "{\"K\":1,\"\u{212A}\":2}",
        "{\"\u{e9}_a\":1,\"e\u{301}_a\":2}", "{\"\u{e9}_a\":1,\"e\u{301}A\":2,\"b\":3}",
    ])
    func `Keys that are equal as strings have the results of Foundation`(text: String) throws {
        for seed in 0..<12 as Range<UInt64> {
            for text in [text, "{\"\u{e9}\":0,\"x\":1}".replacing("1", with: text)] {
                let difference = Differential.decodeDifference(JSONKeys.self, Self.data(text), seed: seed) { $0.lines }
                if let difference { Issue.record("\(text)\n\(difference)") }
            }
        }
        // One after another, each is the only one in its object.
        let objects = "[{\"\u{e9}\":1},{\"e\u{301}\":2},{\"\u{e9}\":3}]"
        for value in try fast([[String: Int]].self, objects) { #expect(value["e\u{301}"] != nil) }
        let names = try fast([[String: Int]].self, objects).compactMap { $0.keys.first.map { Array($0.utf8) } }
        #expect(names == ["\u{e9}", "e\u{301}", "\u{e9}"].map { Array($0.utf8) })
    }

    @Test(
        arguments: [
            [0x30, 0, 0x30], [0, 0x30, 0], [0, 0x30, 0, 0x30], [0xFF, 0xFE, 0x30], [0x22, 0, 0, 0xD8, 0x22, 0],
        ] as [[UInt8]])
    func `Damaged texts in UTF-16 have the results of Foundation`(bytes: [UInt8]) {
        for seed in 0..<12 as Range<UInt64> {
            #expect(Differential.difference(Data(bytes), seed: seed) == nil)
        }
    }

    /// The keys of an object and of the objects in it, byte for byte.
    private struct JSONKeys: Decodable {
        var lines: [String] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in container.allKeys {
                let value = (try? container.decode(Int.self, forKey: key)).map { "\($0)" }
                let inner = try? container.decode(JSONKeys.self, forKey: key)
                lines.append("\(Array(key.stringValue.utf8)) \(value ?? "?") \(inner?.lines ?? [])")
            }
            lines.sort()
        }
    }

    @Test func `Large objects are read in any order`() throws {
        let keys = (0..<200).map { "k\($0)" }
        var random = SplitMix(seed: 9)
        let text = "{" + (keys + ["k7", "k150"]).map { "\"\($0)\":[\"\($0)\"]" }.joined(separator: ",") + "}"
        let value = try fast(Shuffled.self, text)
        #expect(value.matches == 400)
        for _ in 0..<20 {
            let shuffled = keys.shuffled(using: &random).map { "\"\($0)\":[\"\($0)\"]" }
            #expect(try fast(Shuffled.self, "{" + shuffled.joined(separator: ",") + "}").matches == 400)
        }
    }

    private struct Shuffled: Decodable {
        var matches = 0

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            var random = SplitMix(seed: 10)
            for key in (container.allKeys + container.allKeys).shuffled(using: &random) {
                if try container.decode([String].self, forKey: key) == [key.stringValue] { matches += 1 }
            }
        }
    }
}

/// A value that consists of names.
private protocol Named { var names: [String] { get } }
