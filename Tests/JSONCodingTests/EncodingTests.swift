import Foundation
import TestKit
import Testing

@testable import JSONCoding

@Suite(.timeLimit(.model))
struct EncodingTests {
    @Test(arguments: 0..<8)
    func `Values that use containers in any way have the texts, paths and errors of Foundation`(_ part: Int) {
        let count = TestLevel.count(200, nightly: 1_600, soak: 400_000) / 8
        for seed in TestSeed.cases(8 * count).dropFirst(part * count).prefix(count) {
            guard let difference = EncodingDifferential.difference(EncodingProbe(), seed: seed) else { continue }
            Issue.record("\(difference)")
            return
        }
    }

    /// At the lowest level another one of the seeds each day.
    private static let seeds: Range<UInt64> = {
        let first = TestSeed.current % 4
        return TestLevel.current < .nightly ? first..<first + 1 : 0..<4
    }()

    @Test func `All documents are encoded as Foundation encodes them, with many encoders`() {
        for document in Documents.all {
            for seed in Self.seeds {
                guard let difference = EncodingDifferential.difference(Data(document.utf8), seed: seed) else {
                    continue
                }
                Issue.record("\(document)\n\(difference)")
                break
            }
        }
    }

    #if os(Linux) || os(Android)
    @Test func `Foundation encodes no value that uses its containers in order`() {
        for seed in 0..<400 as Range<UInt64> where seed % 4 != 0 {
            guard let options = EncodingOptions(EncodingDifferential.encoder(seed)) else { continue }
            #expect(OutputDocument.data(EncodingProbe(), options) != nil, "seed \(seed)")
        }
    }

    @Test func `Foundation encodes values that use their containers in another order`() throws {
        let options = try #require(EncodingOptions(JSONEncoder()))
        #expect(OutputDocument.data(Late(), options) == nil)
        #expect(try JSONCoding.encode(Late(), with: sorted) == Data(#"{"a":[1,3],"b":2}"#.utf8))
    }
    #endif

    private struct Late: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            var list = container.nestedUnkeyedContainer(forKey: AnyKey(stringValue: "a"))
            try list.encode(1)
            try container.encode(2, forKey: AnyKey(stringValue: "b"))
            try list.encode(3)
        }
    }

    private var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    private class Animal: Encodable {
        var name = "x"
    }

    private final class Dog: Animal {
        var age = 3

        private enum CodingKeys: CodingKey { case age }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(age, forKey: .age)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test(.enabled(if: !JSONCoding.isOff)) func `A class and its superclass write one object`() throws {
        let data = try JSONCoding.encode([Dog(), Animal()], with: JSONEncoder())
        #expect(String(decoding: data, as: UTF8.self) == #"[{"name":"x","age":3,"super":{"name":"x"}},{"name":"x"}]"#)
    }

    @Test(.enabled(if: !JSONCoding.isOff)) func `Keys are in the order of encoding, unless they are sorted`() throws {
        let value = Ordered(z: 1, a: [Ordered.Inner(y: 1, b: 2), Ordered.Inner(y: 3, b: 4)], m: nil)
        let text = String(decoding: try JSONCoding.encode(value, with: JSONEncoder()), as: UTF8.self)
        #expect(text == #"{"z":1,"a":[{"y":1,"b":2},{"y":3,"b":4}]}"#)
        let sortedText = String(decoding: try JSONCoding.encode(value, with: sorted), as: UTF8.self)
        #expect(sortedText == #"{"a":[{"b":2,"y":1},{"b":4,"y":3}],"z":1}"#)
    }

    private struct Ordered: Encodable {
        var z: Int
        var a: [Inner]
        var m: Int?

        struct Inner: Encodable {
            var y: Int
            var b: Int
        }
    }

    @Test func `Keys are sorted by their bytes`() throws {
        let names = [
            "a", "B", "b", "A", "a10", "a9", "é", "e\u{301}x", "z", "f", "", "_", "10", "9", "ß", "\u{212A}", "k", "Z/",
            "Z\"", "ZA", "😀", "\u{FFFD}", "\u{E000}",
        ]
        let dictionary = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
        #expect(try JSONCoding.encode(dictionary, with: sorted) == sorted.encode(dictionary))
    }

    @Test(arguments: [("é", "e\u{301}"), ("K", "\u{212A}"), ("\u{212A}", "K"), ("a", "a")])
    func `The last value of equal keys counts`(_ first: String, _ second: String) throws {
        struct Pair: Encodable {
            let keys: [String]

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                for (index, key) in keys.enumerated() { try container.encode(index, forKey: AnyKey(stringValue: key)) }
            }
        }
        let data = try JSONCoding.encode(Pair(keys: [first, second]), with: JSONEncoder())
        #expect(try JSONDecoder().decode([String: Int].self, from: data) == [first: 1])
        #expect(
            try JSONCoding.encode(Pair(keys: [first, second]), with: sorted)
                == sorted.encode(Pair(keys: [first, second])))
    }

    @Test func `Keys in snake case are those of Foundation`() throws {
        struct Single: Encodable {
            let key: String

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: AnyKey(stringValue: key))
            }
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        var random = SplitMix(seed: TestSeed.current)
        let characters = Array("abXYZ_19./é")
        for _ in 0..<TestLevel.count(200, nightly: 1_000, soak: 100_000) {
            let length = random.below(9)
            let key = String(
                (0..<length).map { _ in characters[random.below(characters.count - (length % 4 == 0 ? 0 : 1))] })
            let (data, expected) = (
                try JSONCoding.encode(Single(key: key), with: encoder), try encoder.encode(Single(key: key))
            )
            #expect(data == expected, "\(key)")
        }
    }

    @Test func `Numbers have the texts of Foundation`() throws {
        var random = SplitMix(seed: TestSeed.current)
        let count = TestLevel.count(800, nightly: 4_000, soak: 300_000)
        var doubles = (0..<count).map { _ in EncodableValue.double(&random) }
        doubles += [
            0, -0.0, 1e15, 1e16, 0x1p53, -0x1p53, 0x1p53 + 2, 0x1p63, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
            1e-4, 9e-5,
        ]
        let seed: Comment = "seed \(TestSeed.current)"
        #expect(try JSONCoding.encode(doubles, with: JSONEncoder()) == JSONEncoder().encode(doubles), seed)
        let floats = doubles.map { Float($0) }.filter(\.isFinite)
        #expect(try JSONCoding.encode(floats, with: JSONEncoder()) == JSONEncoder().encode(floats), seed)
        #expect(EncodingDifferential.objectDifference(doubles as [Any]) == nil)
        #expect(EncodingDifferential.objectDifference(floats as [Any] + doubles.map { NSNumber(value: $0) }) == nil)
        var integers = (0..<20).flatMap { digits in [-1, 0, 1].map { Int(pow(10, Double(min(digits, 18)))) + $0 } }
        integers += [.min, .max, 0] + integers.map { -$0 }
        #expect(try JSONCoding.encode(integers, with: JSONEncoder()) == JSONEncoder().encode(integers))
        let unsigned = integers.map { UInt64(bitPattern: Int64($0)) }
        #expect(try JSONCoding.encode(unsigned, with: JSONEncoder()) == JSONEncoder().encode(unsigned))
    }

    @Test func `Dates have the texts of Foundation`() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        var random = SplitMix(seed: TestSeed.current)
        var times = (0..<TestLevel.count(400, nightly: 2_000, soak: 100_000)).map { _ in
            Double(random.below(300_000_000_000)) / 1.1 - 10_000_000_000
        }
        times += [
            0, -0.0, -0.5, 0.999, 253_402_300_799.999, 253_402_300_800, 951_782_400, 951_868_799, 4_107_542_400, -1,
        ]
        let dates = times.map { Date(timeIntervalSince1970: $0) }
        #expect(try JSONCoding.encode(dates, with: encoder) == encoder.encode(dates), "seed \(TestSeed.current)")
    }

    @Test func `Strings have the texts of Foundation`() throws {
        var random = SplitMix(seed: TestSeed.current)
        let count = TestLevel.count(400, nightly: 2_000, soak: 200_000)
        var strings = (0..<count).map { _ in EncodableValue.text(&random) }
        for byte in 0..<0x80 as Range<UInt8> {
            let character = String(UnicodeScalar(byte))
            strings += (0..<17).map {
                String(repeating: "é", count: $0 / 2) + character + String(repeating: "b", count: 17 - $0)
            }
        }
        for formatting in [[], .withoutEscapingSlashes] as [JSONEncoder.OutputFormatting] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            let (data, expected) = (try JSONCoding.encode(strings, with: encoder), try encoder.encode(strings))
            #expect(data == expected, "seed \(TestSeed.current)")
        }
        #expect(EncodingDifferential.objectDifference(strings) == nil)
        #expect(EncodingDifferential.objectDifference(strings, .withoutEscapingSlashes) == nil)
    }
}
