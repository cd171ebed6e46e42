import Foundation
import SiestaCore
import SiestaJSON
import SiestaWriting
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct JSONValueCodingTests {
    private struct Book: Codable, Equatable {
        var title: String
        var price: Decimal
        var pages: UInt64
        var printed: Date?
        var metadata: JSONValue
    }

    @Test func `An encodable value becomes a JSON value and back`() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let book = Book(
            title: "A/B", price: 0.1, pages: .max, printed: Date(timeIntervalSince1970: 0), metadata: ["a": [1, .null]])
        let value = try JSONValue(encoding: book, encoder: encoder)
        #expect(value["printed"] == "1970-01-01T00:00:00Z")
        #expect(value["price"]?.description == "0.1")
        #expect(try value.decode(as: Book.self, decoder: decoder) == book)
        #expect(try JSONValue(encoding: 5) == 5)
        #expect(throws: DecodingError.self) { try value.decode(as: Int.self) }
    }

    @Test(arguments: [
        "null", "true", "[]", "{}", "0", "-1", "18446744073709551615", "0.1", "1e300", "-2.5e-300",
        "0.12345678901234567890123",
        "123456789012345678901234567890", #"{"a":[1,{"b":"x"}]}"#, "[true,false,null,\"true\"]",
    ])
    func `A coder of Foundation keeps a value`(text: String) throws {
        let value = try JSONValue(parsing: Data(text.utf8))
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
    }

    @Test func `A number that no coder holds throws`() throws {
        let value = try JSONValue(parsing: Data("1.5e400".utf8))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
    }

    @Test func `Random values survive their texts`() throws {
        for seed in TestSeed.cases(TestLevel.count(300, nightly: 3_000)) {
            var random = RandomJSON(seed: seed)
            let value = random.value(depth: 4)
            #expect(try JSONValue(parsing: value.data) == value, "seed \(seed)")
        }
    }

    @Test func `Foundation reads and writes the same random values`() throws {
        for seed in TestSeed.cases(TestLevel.count(20, nightly: 100)) {
            var random = RandomJSON(seed: seed)
            let value = random.value(depth: 3)
            let coded = try JSONEncoder().encode(value)
            #expect(try JSONValue(parsing: coded) == value, "seed \(seed)")
            #expect(try JSONDecoder().decode(JSONValue.self, from: value.data) == value, "seed \(seed)")
        }
    }

    @Test func `Damaged texts throw, or Foundation reads them too`() throws {
        for seed in TestSeed.cases(TestLevel.count(100, nightly: 400)) {
            var random = RandomJSON(seed: seed)
            var bytes = [UInt8](random.value(depth: 3).data)
            for _ in 0..<random.number(1...3) {
                bytes[random.number(0...bytes.count - 1)] = random.byte()
            }
            guard let value = try? JSONValue(parsing: Data(bytes)) else { continue }
            #expect(try JSONValue(parsing: value.data) == value, "seed \(seed)")
            // Foundation rejects numbers that `Double` cannot hold.
            guard !value.description.contains(/e-?\d{3}/) else { continue }
            #expect(throws: Never.self, "seed \(seed)") {
                try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            }
        }
    }
}
