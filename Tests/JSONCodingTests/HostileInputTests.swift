import Foundation
import TestKit
import Testing

@testable import JSONCoding

/// Texts that take quadratic time if a parser is careless. In nightly runs, they are so large that the limit of the suite is
/// the check.
@Suite(.timeLimit(.model))
struct HostileInputTests {
    private static let keys = TestLevel.count(8_000, nightly: 100_000, soak: 1_000_000)

    /// Foundation also reads these texts in linear time, though more slowly.
    @Test func `Very many keys in one object are read`() throws {
        let keys = (0..<Self.keys).map { "\"key\($0)\":\($0)" }
        let data = Data(("{" + keys.joined(separator: ",") + "}").utf8)
        let tree = try #require(try JSONCoding.object(with: data) as? [String: Any])
        #expect(tree.count == Self.keys)
        let last = Self.keys - 1
        #expect(tree["key\(last)"] as? Int == last)
        let values = try JSONCoding.decode([String: Int].self, from: data, with: JSONDecoder())
        #expect(values.count == Self.keys)
        #expect(values["key\(last)"] == last)
    }

    @Test func `Very many equal keys are read`() throws {
        let data = Data(("{" + Array(repeating: "\"a\":1", count: Self.keys).joined(separator: ",") + "}").utf8)
        #expect(try JSONCoding.object(with: data) as? [String: Int] == ["a": 1])
        #expect(try JSONCoding.decode([String: Int].self, from: data, with: JSONDecoder()) == ["a": 1])
    }

    /// Texts whose size is measured against the time of their reading.
    enum Growing: CaseIterable, Sendable {
        case keys, equalKeys, shapes

        func text(_ count: Int) -> Data {
            let parts = (0..<count).map { number in
                switch self {
                case .keys: "\"key\(number)\":\(number)"
                case .equalKeys: "\"a\":\(number)"
                case .shapes: "{\"a\(number)\":1,\"b\":2}"
                }
            }
            let text = parts.joined(separator: ",")
            return Data((self == .shapes ? "[\(text)]" : "{\(text)}").utf8)
        }
    }

    @Test(arguments: Growing.allCases)
    func `Four times the text takes about four times the time`(_ kind: Growing) throws {
        let growth = try Growth(of: 1_000) { count in
            kind.text(count)
        } _: { text in
            _ = try JSONCoding.object(with: text)
            if kind == .shapes {
                _ = try JSONCoding.decode([Missing].self, from: text, with: JSONDecoder())
            } else {
                _ = try JSONCoding.decode([String: Int].self, from: text, with: JSONDecoder())
            }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Large objects inside a large object with a duplicate key are read`() throws {
        let inner = "{" + (0..<70).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + ",\"k0\":1}"
        let count = TestLevel.count(1_000, nightly: 4_000)
        let outer = (0..<count).map { "\"o\($0)\":\(inner)" }
        let data = Data(("{" + outer.joined(separator: ",") + ",\"o0\":{}}").utf8)
        let values = try JSONCoding.decode([String: [String: Int]].self, from: data, with: JSONDecoder())
        #expect(values.count == count)
        #expect(values["o0"]?.count == 70)
    }

    @Test func `Missing keys of large objects with keys that are not ASCII are found to be missing`() throws {
        let keys = (0..<TestLevel.count(40_000, nightly: 200_000)).map { "\"é\($0)\":\($0)" }
        let data = Data(("[{" + keys.joined(separator: ",") + "},{\"id\":1}]").utf8)
        let item = try JSONCoding.decode([Missing].self, from: data, with: JSONDecoder())
        #expect(item.count == 2)
    }

    private struct Missing: Decodable {
        var a, b, c, d, e, f, g, h: Int?
    }

    @Test(arguments: ["1", "0.", "1e", "-1.", "0.0"])
    func `A number of very many digits has the result of Foundation`(_ start: String) {
        let digits = String(repeating: "7", count: TestLevel.count(50_000, nightly: 1_000_000))
        let data = Data("[\(start)\(digits)]".utf8)
        #expect(Differential.treeDifference(data) == nil)
        #expect(Differential.decodeDifference([Double].self, data) { ["\($0)"] } == nil)
    }

    @Test(arguments: ["\\n", "\\u0041", "\\ud83d\\ude00", "\\\\", "é", "\\u00"])
    func `Long strings of escapes have the result of Foundation`(_ escape: String) {
        let text = String(repeating: escape, count: TestLevel.count(10_000, nightly: 50_000))
        let data = Data("[\"\(text)\",{\"\(text)\":1}]".utf8)
        #expect(Differential.treeDifference(data) == nil)
        #expect(Differential.decodeDifference([Loose].self, data) { ["\($0)"] } == nil)
    }

    @Test func `A hundred thousand nested arrays have the result of Foundation`() {
        for text in ["[", "{\"a\":", "[{\"a\":"] {
            let data = Data(String(repeating: text, count: 100_000).utf8)
            #expect(Differential.treeDifference(data) == nil)
            #expect(Differential.decodeDifference([Loose].self, data) { ["\($0)"] } == nil)
        }
    }

    @Test func `Elements that fail one after another take linear time`() throws {
        let count = TestLevel.count(10_000, nightly: 50_000)
        let data = Data(("[" + Array(repeating: "{\"id\":\"x\"}", count: count).joined(separator: ",") + "]").utf8)
        let values = try JSONCoding.decode(Lossy.self, from: data, with: JSONDecoder())
        #expect(values.failures == count)
    }

    private struct Lossy: Decodable {
        var failures = 0

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                if (try? container.decode(Item.self)) == nil {
                    failures += 1
                    _ = try container.decode([String: String].self)
                }
            }
        }
    }

    @Test func `Objects of very many shapes take linear time`() throws {
        // Alternating shapes, more of them than are compared; and shapes that never come again.
        for kinds in [2, 3, 17, 40, 70, Self.keys] {
            let objects = (0..<Self.keys / 4).map { number in
                "{\"a\(number % kinds)\":1,\"b\":\(number),\"c\(number % 5)\":null}"
            }
            let data = Data(("[" + objects.joined(separator: ",") + "]").utf8)
            let list = try #require(try JSONCoding.object(with: data) as? [[String: Any]])
            #expect(list.count == Self.keys / 4)
            #expect(list.allSatisfy { $0.count == 3 })
            #expect(list.last?["b"] as? Int == Self.keys / 4 - 1)
            let items = try JSONCoding.decode([Missing].self, from: data, with: JSONDecoder())
            #expect(items.count == list.count)
        }
    }

    #if os(Linux) || os(Android)
    @Test func `Keys that collide in the table of keys have the result of Foundation`() throws {
        // A table with 600 keys has 2048 slots. Somebody who knew the seed could choose keys for one of them.
        var keys: [String] = []
        var number = 0
        while keys.count < 600 {
            number += 1
            if ByteHash.hash("k\(number)".utf8.span) & 2047 == 5 { keys.append("k\(number)") }
        }
        let text = "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(TreeBuilder.tree(Data(text.utf8).span, allowingFragments: true) == nil)
        #expect(Differential.treeDifference(Data(text.utf8)) == nil)
        let values = try JSONCoding.decode([String: Int].self, from: Data(text.utf8), with: JSONDecoder())
        #expect(values.count == 600)
    }

    @Test func `Keys with one hash make a document doubtful instead of slow`() {
        var table = KeyTable()
        var added = 0
        for number in 0..<2000 {
            let key = "key\(number)".utf8.span
            if table.number(of: key, isASCII: true, isEscaped: false, hash: 1) >= 0 { added += 1 }
        }
        #expect(added > 500)
        #expect(added < 1000)
    }
    #endif
}
