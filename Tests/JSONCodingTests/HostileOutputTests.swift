import Foundation
import TestKit
import Testing

@testable import JSONCoding

/// Values that take quadratic time if an encoder is careless. The limit of the suite is the check if they are large.
@Suite(.timeLimit(.model))
struct HostileOutputTests {
    private static let keys = TestLevel.count(10_000, nightly: 20_000, soak: 1_000_000)

    @Test func `Very many keys in one object are encoded`() throws {
        let dictionary = Dictionary(uniqueKeysWithValues: (0..<Self.keys).map { ("key\($0)", $0) })
        for formatting in [[], .sortedKeys] as [JSONEncoder.OutputFormatting] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            let data = try JSONCoding.encode(dictionary, with: encoder)
            #expect(try JSONCoding.decode([String: Int].self, from: data, with: JSONDecoder()) == dictionary)
        }
        let object = try #require(try JSONCoding.data(withJSONObject: dictionary))
        #expect(try JSONCoding.decode([String: Int].self, from: object, with: JSONDecoder()) == dictionary)
    }

    @Test func `A string of megabytes is encoded`() throws {
        let count = TestLevel.count(100_000, nightly: 1_000_000)
        let text = String(repeating: "\u{1}/é\"abc", count: count)
        let expected = String(repeating: "\\u0001\\/é\\\"abc", count: count)
        let data = try JSONCoding.encode([text], with: JSONEncoder())
        #expect(data == Data("[\"\(expected)\"]".utf8))
        #expect(try JSONCoding.data(withJSONObject: [text]) == data)
    }

    private struct Nested: Encodable {
        let depth: Int
        let isList: Bool

        func encode(to encoder: any Encoder) throws {
            if isList {
                var container = encoder.unkeyedContainer()
                if depth > 0 { try container.encode(Nested(depth: depth - 1, isList: isList)) }
            } else {
                var container = encoder.container(keyedBy: AnyKey.self)
                if depth > 0 {
                    try container.encode(Nested(depth: depth - 1, isList: isList), forKey: AnyKey(intValue: 1))
                }
            }
        }
    }

    /// Writes many arrays or objects inside each other, without recursion.
    private struct Containers: Encodable {
        let depth: Int
        let isList: Bool

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            guard !isList else {
                for _ in 0..<depth { list = list.nestedUnkeyedContainer() }
                return
            }
            var object = list.nestedContainer(keyedBy: AnyKey.self)
            for _ in 0..<depth {
                try object.encode(1, forKey: AnyKey(stringValue: "z"))
                object = object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "a"))
            }
        }
    }

    @Test(arguments: [true, false])
    func `Depths at and above the limit have the results of Foundation`(_ isList: Bool) {
        for depth in TestLevel.current < .soak ? [10, 499, 500, 501, 512, 513] : Array(490...600) {
            for seed in 1..<TestLevel.count(2, nightly: 3) as Range<UInt64> {
                let nested = Nested(depth: depth, isList: isList)
                #expect(EncodingDifferential.difference(nested, seed: seed) == nil, "\(depth)")
                let containers = Containers(depth: depth, isList: isList)
                #expect(EncodingDifferential.difference(containers, seed: seed) == nil, "\(depth)")
            }
            // Foundation takes seconds for it.
            guard TestLevel.current >= .nightly, depth == (isList ? 499 : 501) else { continue }
            var object: Any = 1
            for _ in 0..<depth { object = isList ? [object] : ["a": object] }
            #expect(EncodingDifferential.objectDifference(object) == nil, "\(depth)")
        }
    }

    @Test func `Containers without end are refused by Foundation`() {
        #expect(throws: (any Error).self) {
            try JSONCoding.encode(Containers(depth: 1000, isList: true), with: JSONEncoder())
        }
    }

    @Test func `Sorting objects inside objects takes linear time`() throws {
        struct Level: Encodable {
            func encode(to encoder: any Encoder) throws {
                var object = encoder.container(keyedBy: AnyKey.self)
                for _ in 0..<400 {
                    try object.encode(String(repeating: "x", count: 10_000), forKey: AnyKey(stringValue: "z"))
                    object = object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "a"))
                }
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try JSONCoding.encode([Level()], with: encoder) == encoder.encode([Level()]))
        #if os(Linux) || os(Android)
        let options = try #require(EncodingOptions(encoder))
        #expect(OutputDocument.data(Level(), options) == nil)
        #endif
    }
}
