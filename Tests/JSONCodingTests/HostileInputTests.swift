import Foundation
import Testing

@testable import JSONCoding

/// Texts that take quadratic time if a parser is careless. The limit of the suite is the check.
@Suite(.timeLimit(.minutes(5)))
struct HostileInputTests {
    private static let keys = Effort.repetitions(1_000_000, reduced: 100_000)

    /// Foundation also reads these texts in linear time, though more slowly.
    @Test func `Very many keys in one object are read`() throws {
        let keys = (0..<Self.keys).map { "\"key\($0)\":\($0)" }
        let data = Data(("{" + keys.joined(separator: ",") + "}").utf8)
        let tree = try #require(try JSONCoding.object(with: data) as? [String: Any])
        #expect(tree.count == Self.keys)
        #expect(tree["key99999"] as? Int == 99_999)
        let values = try JSONCoding.decode([String: Int].self, from: data, with: JSONDecoder())
        #expect(values.count == Self.keys)
        #expect(values["key99999"] == 99_999)
    }

    @Test func `Very many equal keys are read`() throws {
        let data = Data(("{" + Array(repeating: "\"a\":1", count: Self.keys).joined(separator: ",") + "}").utf8)
        #expect(try JSONCoding.object(with: data) as? [String: Int] == ["a": 1])
        #expect(try JSONCoding.decode([String: Int].self, from: data, with: JSONDecoder()) == ["a": 1])
    }

    @Test func `Large objects inside a large object with a duplicate key are read`() throws {
        let inner = "{" + (0..<70).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + ",\"k0\":1}"
        let outer = (0..<4000).map { "\"o\($0)\":\(inner)" }
        let data = Data(("{" + outer.joined(separator: ",") + ",\"o0\":{}}").utf8)
        let values = try JSONCoding.decode([String: [String: Int]].self, from: data, with: JSONDecoder())
        #expect(values.count == 4000)
        #expect(values["o0"]?.count == 70)
    }

    @Test func `Missing keys of large objects with keys that are not ASCII are found to be missing`() throws {
        let keys = (0..<200_000).map { "\"é\($0)\":\($0)" }
        let data = Data(("[{" + keys.joined(separator: ",") + "},{\"id\":1}]").utf8)
        let item = try JSONCoding.decode([Missing].self, from: data, with: JSONDecoder())
        #expect(item.count == 2)
    }

    private struct Missing: Decodable {
        var a, b, c, d, e, f, g, h: Int?
    }

    @Test(arguments: ["1", "0.", "1e", "-1.", "0.0"])
    func `A number of a million digits has the result of Foundation`(_ start: String) {
        let data = Data("[\(start)\(String(repeating: "7", count: 1_000_000))]".utf8)
        #expect(Differential.treeDifference(data) == nil)
        #expect(Differential.decodeDifference([Double].self, data) { ["\($0)"] } == nil)
    }

    @Test(arguments: ["\\n", "\\u0041", "\\ud83d\\ude00", "\\\\", "é", "\\u00"])
    func `Long strings of escapes have the result of Foundation`(_ escape: String) {
        let text = String(repeating: escape, count: 50_000)
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
        let data = Data(("[" + Array(repeating: "{\"id\":\"x\"}", count: 50_000).joined(separator: ",") + "]").utf8)
        let values = try JSONCoding.decode(Lossy.self, from: data, with: JSONDecoder())
        #expect(values.failures == 50_000)
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
