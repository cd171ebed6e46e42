import Foundation
import TestKit
import Testing

@testable import JSONCoding

@Suite(.timeLimit(.test))
struct DecoderLifetimeTests {
    /// A type that keeps the decoder, and decodes later.
    private struct Lazy: Decodable {
        let decoder: any Decoder
        let container: KeyedDecodingContainer<AnyKey>
        let list: any UnkeyedDecodingContainer

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            container = try decoder.container(keyedBy: AnyKey.self)
            list = try container.nestedUnkeyedContainer(forKey: AnyKey(stringValue: "list"))
        }
    }

    /// Keeps each decoder that it is given, also those whose results are not used.
    private final class Keeper: @unchecked Sendable {  // Used by one test, which waits for the decoding.
        static let key = CodingUserInfoKey(rawValue: "keeper").unsafelyUnwrapped
        var decoders: [any Decoder] = []
    }

    private struct Kept: Decodable {
        init(from decoder: any Decoder) throws { (decoder.userInfo[Keeper.key] as? Keeper)?.decoders.append(decoder) }
    }

    @Test func `A type can keep its decoder and decode after the data is gone`() throws {
        var data = Data(
            #"{"text":"a text that is long enough for the heap","list":["first string of the list",2]}"#.utf8)
        let value = try JSONCoding.decode(Lazy.self, from: data, with: JSONDecoder())
        data.resetBytes(in: 0..<data.count)
        data = Data()
        let key = AnyKey(stringValue: "text")
        #expect(try value.container.decode(String.self, forKey: key) == "a text that is long enough for the heap")
        var list = value.list
        #expect(try list.decode(String.self) == "first string of the list")
        #expect(try list.decode(Int.self) == 2)
    }

    @Test(.enabled(if: !JSONCoding.isOff)) func `Each decoder that was ever created stays usable`() throws {
        let decoder = JSONDecoder()
        let keeper = Keeper()
        decoder.userInfo[Keeper.key] = keeper
        try withExtendedLifetime(keeper) {
            var data = Data(
                #"[{"a":"a text that is long enough for the heap"}, {"a":"another text that is long enough"}]"#.utf8)
            let values = try JSONCoding.decode([Kept].self, from: data, with: decoder)
            #expect(values.count == 2)
            data.resetBytes(in: 0..<data.count)
        }
        #expect(keeper.decoders.count >= 2)
        defer { keeper.decoders = [] }  // The decoders refer to the keeper.
        // The decoders of this module come first. Foundation's, which come next, do not keep their place.
        let texts = try keeper.decoders.prefix(2).map {
            try $0.container(keyedBy: AnyKey.self).decode(String.self, forKey: AnyKey(stringValue: "a"))
        }
        #expect(Set(texts) == ["a text that is long enough for the heap", "another text that is long enough"])
    }

    @Test func `A decoder can be used on another thread after the data is gone`() async throws {
        let keeper = Keeper()
        let decoder = JSONDecoder()
        decoder.userInfo[Keeper.key] = keeper
        for _ in 0..<20 {
            var data = Data(#"{"a":"a text that is long enough for the heap","b":[1,2]}"#.utf8)
            _ = try JSONCoding.decode(Kept.self, from: data, with: decoder)
            data.resetBytes(in: 0..<data.count)
            data = Data()
        }
        // Every other decoder is one of Foundation, which does not keep its place.
        for number in stride(from: 0, to: keeper.decoders.count, by: 2) {
            let text = await Task.detached {
                let container = try? keeper.decoders[number].container(keyedBy: AnyKey.self)
                return try? container?.decode(String.self, forKey: AnyKey(stringValue: "a"))
            }.value
            #expect(text == "a text that is long enough for the heap")
        }
        keeper.decoders = []  // The decoders refer to the keeper.
    }

    @Test func `Data of another kind is decoded`() throws {
        let text = Array(#"[{"id":1,"name":"a name that is long enough"}]"#.utf8)
        let copies = [
            Data(referencing: NSData(bytes: text, length: text.count)),
            Data(referencing: NSMutableData(bytes: text, length: text.count)),
            text.withUnsafeBytes { Data($0) }, Data(text[0..<20]) + Data(text[20...]),
        ]
        for data in copies {
            #expect(try JSONCoding.decode([Item].self, from: data, with: JSONDecoder()).first?.id == 1)
            #expect((try JSONCoding.object(with: data) as? [[String: Any]])?.first?["id"] as? Int == 1)
        }
    }

    @Test func `Many tasks can decode with one decoder at once`() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let text =
            "["
            + (0..<200).map { "{\"id\":\($0),\"user_name\":\"name \($0) with \\u00e9\",\"value\":\($0).5}" }.joined(
                separator: ",") + "]"
        let data = Data(text.utf8)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    let items = try JSONCoding.decode([Item].self, from: data, with: decoder)
                    #expect(items.map(\.id) == Array(0..<200))
                    #expect(items.last?.userName == "name 199 with é")
                    let tree = try JSONCoding.object(with: data) as? [[String: Any]]
                    #expect(tree?.last?["value"] as? Double == 199.5)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `A slice of data is decoded`() throws {
        let data = Data("xxxx[{\"id\":1,\"name\":\"a name that is long enough\"}]yyyy".utf8)
        let items = try JSONCoding.decode([Item].self, from: data[4..<data.count - 4], with: JSONDecoder())
        #expect(items.first?.name == "a name that is long enough")
        #expect(throws: DecodingError.self) {
            try JSONCoding.decode([Item].self, from: data[3...], with: JSONDecoder())
        }
    }
}

extension DecoderLifetimeTests {
    private final class Subclass: JSONDecoder, @unchecked Sendable {  // Has no state of its own.
        override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            try super.decode(type, from: Data(#"{"id":42}"#.utf8))
        }
    }

    @Test func `A subclass of JSONDecoder decodes by itself`() throws {
        #expect(try JSONCoding.decode(Item.self, from: Data(#"{"id":1}"#.utf8), with: Subclass()).id == 42)
    }

    @Test func `JSON5, an assumed dictionary and custom keys are those of Foundation`() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        #expect(try JSONCoding.decode(Item.self, from: Data("{id:0x10,/**/}".utf8), with: decoder).id == 16)
        decoder.allowsJSON5 = false
        decoder.assumesTopLevelDictionary = true
        #expect(try JSONCoding.decode(Item.self, from: Data("\"id\":3".utf8), with: decoder).id == 3)
        decoder.assumesTopLevelDictionary = false
        decoder.keyDecodingStrategy = .custom { _ in AnyKey(stringValue: "id") }
        #expect(try JSONCoding.decode(Item.self, from: Data("{\"x\":4}".utf8), with: decoder).id == 4)
    }

    private class Animal: Decodable {
        let id: Int
    }

    private final class Dog: Animal {}

    @Test func `The type that is passed decides, not the type that the compiler knows`() throws {
        let type: Animal.Type = Dog.self
        let animal = try JSONCoding.decode(type, from: Data(#"{"id":1}"#.utf8), with: JSONDecoder())
        #expect(animal is Dog)
        #expect(animal.id == 1)
    }

    @Test func `A failure is that of Foundation, with its path and message`() throws {
        let data = Data(#"[{"id":1},{"id":"x"}]"#.utf8)
        let error = #expect(throws: DecodingError.self) {
            try JSONCoding.decode([Item].self, from: data, with: JSONDecoder())
        }
        guard case .typeMismatch(let type, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(type)" == "Int")
        #expect(context.codingPath.map(\.stringValue) == ["Index 1", "id"])
        #expect(context.debugDescription == "Expected to decode Int but found a string instead.")
    }
}
