import Foundation
import Isolation
import OutboxTorture
import SiestaCore
import SiestaJSON
import SiestaTesting
import TestKit
import Testing

@testable import SiestaWriting

/// Edits from an outbox, after a restart.
@MainActor @Suite(.timeLimit(.test))
struct StoredDeltaTests {
    /// Content that counts how often it is encoded, and that cannot be decoded with a negative number of stars.
    private struct Repository: Codable, Sendable {
        struct Negative: Error {}

        static let conversions = Locked(0)
        var name = "Siesta"
        var stars = 0

        private enum CodingKeys: String, CodingKey {
            case name, stars
        }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            (name, stars) = (
                try container.decode(String.self, forKey: .name), try container.decode(Int.self, forKey: .stars)
            )
            if stars < 0 { throw Negative() }
        }

        func encode(to encoder: any Encoder) throws {
            Self.conversions.withLock { $0 += 1 }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(stars, forKey: .stars)
        }
    }

    private let service = Service(baseURL: "http://api.test", networking: StubNetwork())

    private func delta(_ before: String, _ after: String) throws -> any ContentEdit {
        let delta = JSONDelta(
            from: try JSONValue(parsing: Data(before.utf8)), to: try JSONValue(parsing: Data(after.utf8)))
        return StoredDelta(delta, for: service.resource("/repository"))
    }

    @Test func `Many stored edits convert the content once`() throws {
        let edits = try (1...200).map { try delta(#"{"stars": 0}"#, #"{"stars": \#($0)}"#) }
        Repository.conversions.withLock { $0 = 0 }
        let base = Entity<Any>(content: Repository(), contentType: "application/json")
        let content = Entity.edited(base, by: edits[...])?.content as? Repository
        #expect(content?.stars == 200)
        #expect(Repository.conversions.withLock { $0 } == 1)
    }

    @Test func `A stored edit that fails does not harm the others`() throws {
        let edits = [
            try delta(#"{"stars": 0}"#, #"{"stars": 7}"#), try delta(#"{"name": "Siesta"}"#, #"{"name": 1}"#),
            try delta(#"{"stars": 0}"#, #"{"stars": 8}"#), try delta(#"{"stars": 0}"#, #"{"stars": -1}"#),
        ]
        let base = Entity<Any>(content: Repository(), contentType: "application/json")
        let content = Entity.edited(base, by: edits[...])?.content as? Repository
        #expect(content?.stars == 8)
        #expect(content?.name == "Siesta")
    }

    @Test func `A stored edit applies to bytes and to objects of JSONSerialization`() throws {
        let edits = [try delta(#"{"a": 1}"#, #"{"a": 2}"#), try delta("{}", #"{"b": 3}"#)]
        let bytes = Entity<Any>(content: Data(#"{"a": 1}"#.utf8), contentType: "application/json")
        let edited = try #require(Entity.edited(bytes, by: edits[...])?.content as? Data)
        let expected = try JSONValue(parsing: Data(#"{"a": 2, "b": 3}"#.utf8))
        #expect(try JSONValue(parsing: edited) == expected)
        let object = Entity<Any>(content: ["a": 1] as [String: Any], contentType: "application/json")
        let members = Entity.edited(object, by: edits[...])?.content as? [String: Any]
        #expect(members?["a"] as? Int == 2)
        #expect(members?["b"] as? Int == 3)
    }

    @Test func `A stored edit replaces the content if the edit did so`() throws {
        let resource = service.resource("/name")
        let base = Entity<Any>(content: "Ada", contentType: "application/json")
        let edits: [any ContentEdit] = [ReplacingEdit("Grace"), TypedEdit<String> { $0 = "Grace" }]
        for (edit, isReplacement) in zip(edits, [true, false]) {
            let stored = StoredDelta(try JSONDelta(parsing: edit.stored(over: base, for: resource)), for: resource)
            #expect(stored.replacesContent == isReplacement)
            #expect(Entity.edited(base, by: [stored])?.content as? String == "Grace")
        }
    }

    @Test func `Content without a JSON form stays as it is`() throws {
        struct Opaque: Decodable, Equatable { var stars = 1 }
        let edits = [try delta(#"{"stars": 1}"#, #"{"stars": 2}"#)]
        let opaque = Entity<Any>(content: Opaque(), contentType: "application/json")
        #expect(Entity.edited(opaque, by: edits[...])?.content as? Opaque == Opaque())
        let content: [String: Any] = ["stars": 1, "date": Date()]
        let dated = Entity<Any>(content: content, contentType: "application/json")
        #expect((Entity.edited(dated, by: edits[...])?.content as? [String: Any])?["stars"] as? Int == 1)
    }
}
