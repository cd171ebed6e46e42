import Foundation
import TestKit
import Testing

@testable import JSONCoding

@Suite(.timeLimit(.test))
struct TreeTests {
    private func expectSameTree(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expectSameTree(Data(text.utf8), sourceLocation: sourceLocation)
    }

    private func expectSameTree(_ data: Data, sourceLocation: SourceLocation = #_sourceLocation) {
        if let difference = Differential.treeDifference(data) {
            Issue.record(
                "\(String(decoding: data.prefix(200), as: UTF8.self))\n\(difference)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: 0..<20)
    func `An escaped key equals its composed form at any length`(_ length: Int) {
        let start = String(repeating: "k", count: length)
        let text = #"{"\#(start)\u00e9":1,"\#(start)e\u0301":2}"#
        #expect(Differential.treeDifference(Data(text.utf8)) == nil)
        let difference = Differential.decodeDifference([String: Int].self, Data(text.utf8)) { ["\($0)"] }
        #expect(difference == nil)
    }

    @Test(arguments: Documents.valid)
    func `Foundation reads no valid document`(_ text: String) {
        #if os(Linux) || os(Android)
        #expect(TreeBuilder.tree(Data(text.utf8).span, allowingFragments: true) != nil)
        #endif
    }

    @Test(arguments: ["1", "\"a\"", "null", "true", " -1.5 "])
    func `A fragment is read only if fragments are allowed`(_ text: String) throws {
        #expect(throws: (any Error).self) { try JSONCoding.object(with: Data(text.utf8), allowingFragments: false) }
        #expect(throws: Never.self) { try JSONCoding.object(with: Data(text.utf8)) }
        expectSameTree(text)
    }

    @Test func `Numbers can be cast as those of Foundation`() throws {
        let list = try #require(try JSONCoding.object(with: Data("[1.0,1,true,0,2,1.5,300]".utf8)) as? [Any])
        #expect(list.map { $0 as? Int } == [1, 1, 1, 0, 2, nil, 300])
        #expect(list.map { $0 as? Bool } == [true, true, true, false, nil, nil, nil])
        #expect(list.map { $0 as? Double } == [1, 1, 1, 0, 2, 1.5, 300])
        #expect(list.map { $0 as? UInt8 } == [1, 1, 1, 0, 2, nil, nil])
        #expect(list.allSatisfy { $0 as? String == nil })
    }

    @Test func `The last of several equal keys counts, also if objects share their keys`() throws {
        let text = #"[{"a":1,"b":2,"a":3},{"a":4,"b":5,"a":6},{"a":7,"b":8,"a":9}]"#
        let list = try JSONCoding.object(with: Data(text.utf8)) as? [[String: Int]]
        #expect(list == [["a": 3, "b": 2], ["a": 6, "b": 5], ["a": 9, "b": 8]])
        expectSameTree(text)
    }

    @Test func `A duplicate key is found behind objects with the same keys`() {
        expectSameTree(#"{"a":{"a":1,"b":2},"b":{"a":1},"a":[{"b":1,"a":2}],"b":4}"#)
        expectSameTree(#"[{"a":{"x":1},"b":1},{"a":{"a":2},"a":1},{"a":3,"b":{"b":4,"b":5}}]"#)
    }

    @Test func `Canonically equal keys are one key`() throws {
        let text = "[{\"caf\u{E9}\":1,\"cafe\u{301}\":2},{\"caf\u{E9}\":1},{\"cafe\u{301}\":2}]"
        let list = try #require(try JSONCoding.object(with: Data(text.utf8)) as? [[String: Any]])
        #expect(list.map(\.count) == [1, 1, 1])
        expectSameTree(text)
    }

    @Test func `Objects with the same keys in another order, and with fewer keys, are told apart`() {
        let objects = [#"{"a":1,"b":2}"#, #"{"b":3,"a":4}"#, #"{"a":5}"#, #"{"a":6,"b":7,"c":8}"#, "{}"]
        var random = SplitMix(seed: 1)
        for _ in 0..<50 {
            let list = (0..<40).map { _ in objects[random.below(objects.count)] }
            expectSameTree("[" + list.joined(separator: ",") + "]")
        }
    }

    @Test func `Objects with as many keys, but other ones, are told apart`() {
        expectSameTree(#"[{"a":1,"b":2},{"a":3,"c":4},{"c":5,"b":6},{"a":7,"b":8},{"a":9,"c":10},{"c":11,"b":12}]"#)
    }

    @Test func `A key with an escape is not read where its text is`() {
        expectSameTree(#"[{"a\"b":1},{"a"b":1}]"#)
        expectSameTree(#"[{"a\"b":1},{"a\"b":2}]"#)
        expectSameTree(#"[{"a\\":1},{"a\":1}]"#)
        expectSameTree(#"[{"\u0061b":1},{"ab":2},{"\u0061b":3,"ab":4}]"#)
        expectSameTree("[{\"a\\n\":1},{\"a\n\":2}]")
    }

    @Test func `Keys that begin like the key before are told apart`() {
        for key in ["a", "abcd", "abcde", "abcdefgh", "abcdefghi", "abcdefghabcdefgh"] {
            for last in ["x", "xy", "é"] {
                expectSameTree("[{\"\(key)\":1},{\"\(key)\(last)\":2},{\"\(key)\":3},{\"\(last)\(key)\":4}]")
                expectSameTree("[{\"\(last)\(key)\":1},{\"\(key)\(key)\":2},{\"\(last)\(last)\(key)\":3}]")
            }
        }
    }

    @Test func `More shapes than are remembered are read`() {
        let objects = (0..<300).map { #"{"k\#($0 % 100)":1,"b\#($0 % 7)":2,"c":[\#($0)]}"# }
        expectSameTree("[" + objects.joined(separator: ",") + "]")
    }

    @Test func `Objects of one shape can contain more shapes than are remembered`() {
        let inner = (0..<100).map { #"{"k\#($0)":{"a":\#($0),"b":[{"a":1,"b":2}]},"c":\#($0)}"# }.joined(separator: ",")
        expectSameTree("[" + Array(repeating: #"{"a":1,"b":[\#(inner)],"c":2}"#, count: 3).joined(separator: ",") + "]")
    }

    @Test(arguments: [1024, 1025])
    func `Large objects of a list are read`(_ count: Int) {
        let object = "{" + (0..<count).map { #""key \#($0)":\#($0)"# }.joined(separator: ",") + "}"
        expectSameTree("[\(object),\(object),{\"key 1\":1,\"key 2\":2}]")
    }

    @Test func `Changing a tree does not change another part of it`() throws {
        let text = "[" + Array(repeating: #"{"a":1,"b":{"c":2,"d":3}}"#, count: 5).joined(separator: ",") + "]"
        var list = try #require(try JSONCoding.object(with: Data(text.utf8)) as? [[String: Any]])
        list[0]["a"] = 100
        list[1]["b"] = nil
        #expect(list[2]["a"] as? Int == 1)
        #expect(list[3]["b"] as? [String: Int] == ["c": 2, "d": 3])
    }

    @Test(arguments: TestLevel.current < .nightly ? [0, 1, 512, 513] : [0, 1, 511, 512, 513, 514, 100_000])
    func `Arrays and objects can be nested 512 times`(_ depth: Int) {
        expectSameTree(String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth))
        expectSameTree(String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth))
        expectSameTree(String(repeating: "[", count: depth))
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ])
    func `Other encodings are read`(_ encoding: String.Encoding) throws {
        for text in ["[1,\"é\"]", "{\"a\":null}", "1", "\"日\"", "[]"] {
            expectSameTree(try #require(text.data(using: encoding)))
        }
    }

    @Test func `A byte order mark, and bytes that are not UTF-8, have the results of Foundation`() {
        expectSameTree(Data([0xEF, 0xBB, 0xBF]) + Data("[1]".utf8))
        let sequences: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
            [0xFE, 0xFF],
            [0xF0, 0x9F, 0x98, 0x80], [0xE2, 0x82, 0xAC], [0xC3, 0xA9],
        ]
        for bytes in sequences {
            expectSameTree(Data("[\"a".utf8) + Data(bytes) + Data("b\"]".utf8))
            expectSameTree(Data("{\"a".utf8) + Data(bytes) + Data("\":1}".utf8))
            expectSameTree(Data("[1,".utf8) + Data(bytes) + Data("]".utf8))
            expectSameTree(Data("[\"\\".utf8) + Data(bytes) + Data("\"]".utf8))
        }
    }

    @Test func `Each escape and each pair of surrogates has the result of Foundation`() {
        for byte in 0x00...0x7F as ClosedRange<UInt8> {
            expectSameTree(Data("[\"\\".utf8) + [byte] + Data("a\"]".utf8))
        }
        let units = [
            "0000", "0022", "005C", "007f", "0080", "07FF", "0800", "d7ff", "D800", "dBFf", "dc00", "DFFF", "e000",
            "ffff", "12", "00g0",
        ]
        for first in units {
            expectSameTree("[\"\\u\(first)\"]")
            expectSameTree("{\"x\\u\(first)y\":1}")
            for second in units { expectSameTree("[\"a\\u\(first)\\u\(second)b\"]") }
        }
    }

    @Test func `Each character of Unicode has the result of Foundation, as a value and as a key`() {
        let step = TestLevel.count(97, nightly: 97, soak: 1)
        let scalars = (0x80...0x10FFFF).compactMap { Unicode.Scalar($0 as UInt32) }
        let selected = scalars.filter {
            $0.value < 0x3000 || $0.value >= 0xFB00 && $0.value <= 0xFFFF || Int($0.value) % step == 0
        }
        for start in stride(from: 0, to: selected.count, by: 64) {
            let part = selected[start..<min(start + 64, selected.count)]
            let strings = part.map { "\"\($0)\",\"12345\($0)\",\"\\n\($0)\",\"\($0)\($0)\"" }
            expectSameTree("[" + strings.joined(separator: ",") + "]")
        }
        for scalar in selected where scalar.value > 0xFE00 && scalar.value <= 0xFFFF {
            expectSameTree("{\"\(scalar)\":\"\\u\(String(scalar.value, radix: 16))\(scalar)x\",\"a\(scalar)\":1}")
        }
    }

    @Test func `A byte order mark in a string has the result of Foundation`() {
        for text in [
            "\u{FEFF}", "\u{FEFF}a", "a\u{FEFF}", "\\ufeff", "\\ufeffa", "\\n\u{FEFF}", "1234567\u{FEFF}8", "é\u{FEFF}",
        ] {
            expectSameTree("[\"\(text)\",{\"\(text)\":1,\"a\":\"\(text)\"}]")
            for document in ["[\"\(text)\"]", "{\"\(text)\":1}", "[{\"name\":\"\(text)\",\"id\":1}]"] {
                for seed in 0..<8 as Range<UInt64> {
                    if let difference = Differential.difference(Data(document.utf8), seed: seed) {
                        Issue.record("\(document)\n\(difference)")
                    }
                }
            }
        }
    }

    @Test func `Strings of each length are read to their end`() {
        for length in 0..<40 {
            let text = String(repeating: "x", count: length)
            for special in ["", "é", "\\n", "\u{7F}", "\u{1F}"] {
                expectSameTree("[\"\(text)\(special)\"]")
                expectSameTree("[\"\(special)\(text)\(special)x\",\"\(text)\"]")
                expectSameTree("{\"\(text)\(special)\":\"\(text)\",\"\(text)\":1}")
            }
        }
    }

    @Test func `A slice of data is read from its start to its end`() throws {
        let text = Data("xxxx[1,\"two\",{\"a\":3.5}]]]]".utf8)
        for start in 0..<6 {
            for end in text.count - 5..<text.count { expectSameTree(text[start..<end]) }
        }
        #expect(throws: Never.self) { try JSONCoding.object(with: text[4..<text.count - 3]) }
    }
}
