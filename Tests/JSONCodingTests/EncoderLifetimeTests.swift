import Foundation
import TestKit
import Testing

@testable import JSONCoding

@Suite(.timeLimit(.test))
struct EncoderLifetimeTests {
    private final class Subclass: JSONEncoder, @unchecked Sendable {  // Has no state of its own.
        override func encode<T: Encodable>(_ value: T) throws -> Data { Data("42".utf8) }
    }

    @Test func `A subclass of JSONEncoder encodes by itself`() throws {
        #expect(try JSONCoding.encode(1, with: Subclass()) == Data("42".utf8))
    }

    /// Keeps each encoder and container.
    private final class Keeper: @unchecked Sendable {  // Used by one test, which waits for the encoding.
        var encoders: [any Encoder] = []
        var objects: [KeyedEncodingContainer<AnyKey>] = []
        var lists: [any UnkeyedEncodingContainer] = []
    }

    private struct Kept: Encodable {
        let keeper: Keeper

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: AnyKey.self)
            var list = object.nestedUnkeyedContainer(forKey: AnyKey(stringValue: "list"))
            try list.encode(1)
            keeper.encoders.append(encoder)
            keeper.objects.append(object)
            keeper.lists.append(list)
            try object.encode(2, forKey: AnyKey(stringValue: "other"))
        }
    }

    @Test func `Encoders and containers that are kept can be used after the end`() throws {
        let keeper = Keeper()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try JSONCoding.encode([Kept(keeper: keeper), Kept(keeper: keeper)], with: encoder)
        #expect(String(decoding: data, as: UTF8.self) == #"[{"list":[1],"other":2},{"list":[1],"other":2}]"#)
        // Those of this module are the first two.
        for index in 0..<2 {
            try keeper.objects[index].encode("late", forKey: AnyKey(stringValue: "late"))
            try keeper.objects[index].encode(["late"], forKey: AnyKey(stringValue: "late"))
            try keeper.lists[index].encode("late")
            try keeper.lists[index].encode(Kept(keeper: Keeper()))
            _ = keeper.lists[index].count
            _ = keeper.lists[index].codingPath.count + keeper.objects[index].codingPath.count
            _ = keeper.encoders[index].codingPath
            var list = keeper.lists[index].nestedUnkeyedContainer()
            try list.encode(1)
            var object = keeper.objects[index].nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "x"))
            try object.encode(1, forKey: AnyKey(stringValue: "x"))
            try 1.encode(to: keeper.objects[index].superEncoder())
        }
        #expect(String(decoding: data, as: UTF8.self) == #"[{"list":[1],"other":2},{"list":[1],"other":2}]"#)
    }

    /// Opens containers of all kinds, before and after the moment from which on Foundation must encode, and records
    /// their paths and counts each time.
    private final class Visit: Encodable, @unchecked Sendable {  // Used by one test, which waits for the encoding.
        var paths: [[String]] = []
        private let isDeep: Bool

        init(isDeep: Bool) { self.isDeep = isDeep }

        func encode(to encoder: any Encoder) throws {
            var record: [String] = []
            func note(_ path: [any CodingKey], _ count: Int = -1) {
                record.append(Transcript.text(path: path) + " \(count)")
            }
            func key(_ name: String) -> AnyKey { AnyKey(stringValue: name) }
            var object = encoder.container(keyedBy: AnyKey.self)
            var first = object.nestedContainer(keyedBy: AnyKey.self, forKey: key("first"))
            let parent = object.superEncoder()
            var second = object.nestedUnkeyedContainer(forKey: key("second"))
            if isDeep { try object.encode(Visit(isDeep: false), forKey: key("inner")) }
            try first.encode(1, forKey: key("a"))
            note(first.codingPath)
            note(parent.codingPath)
            while second.count < 3 { try second.encode("x") }
            note(second.codingPath, second.count)
            var list = first.nestedUnkeyedContainer(forKey: key("b"))
            var nested = list.nestedContainer(keyedBy: AnyKey.self)
            note(list.codingPath, list.count)
            note(nested.codingPath)
            let inner = nested.superEncoder(forKey: key("c"))
            note(inner.codingPath)
            var values = inner.unkeyedContainer()
            for _ in 0..<2 { try values.encode(1) }
            var lists = values.nestedUnkeyedContainer()
            try lists.encode(2)
            note(values.codingPath, values.count)
            note(lists.codingPath, lists.count)
            try 1.encode(to: second.superEncoder())
            note(second.superEncoder().codingPath)
            note(parent.container(keyedBy: AnyKey.self).codingPath)
            note(object.codingPath)
            note(encoder.codingPath)
            paths.append(record)
        }
    }

    @Test(.enabled(if: !JSONCoding.isOff), arguments: [true, false])
    func `Containers have their paths and counts also if Foundation must encode`(_ isDeep: Bool) throws {
        let visit = Visit(isDeep: isDeep)
        let data = try JSONCoding.encode(["k": [visit]], with: JSONEncoder())
        #expect(!data.isEmpty)
        #if os(Linux) || os(Android)
        try #require(visit.paths.count == 2)
        #expect(visit.paths[0] == visit.paths[1])
        #endif
    }

    private struct Failing: Encodable {
        var fine = "a"
        var numbers = [1, 2, Double.nan]
    }

    @Test func `A failure is that of Foundation, with its path and message`() throws {
        let error = #expect(throws: EncodingError.self) {
            try JSONCoding.encode(["k": [Failing()]], with: JSONEncoder())
        }
        guard case .invalidValue(let value, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((value as? Double)?.isNaN == true)
        #expect(context.codingPath.map(\.stringValue) == ["k", "Index 0", "numbers", "Index 2"])
        #expect(context.debugDescription == "Unable to encode Double.nan directly in JSON.")
    }

    @Test func `A value that writes nothing is refused as a whole document only`() throws {
        struct Empty: Encodable {
            func encode(to encoder: any Encoder) {}
        }
        #expect(throws: EncodingError.self) { try JSONCoding.encode(Empty(), with: JSONEncoder()) }
        #expect(try JSONCoding.encode([Empty()], with: JSONEncoder()) == Data("[{}]".utf8))
    }

    @Test func `Many tasks can encode with one encoder at once`() async throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        let value = (0..<200).map { ["id": "\($0)", "text": "a text with / and é \($0)"] }
        let expected = try encoder.encode(value)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    let data = try JSONCoding.encode(value, with: encoder)
                    #expect(data == expected)
                }
            }
            try await group.waitForAll()
        }
    }
}
