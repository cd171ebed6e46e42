import Foundation
import SiestaCore
import SiestaJSON
import SiestaTesting
import SiestaWriting
import TestDoubles
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension EveChangeTests {
    /// Three-way merges of cards that somebody else has changed meanwhile, on Eve.
    @MainActor
    @Suite
    struct MergeTests {
        private let cards: EveCards

        init() async throws {
            cards = try await EveCards(count: 1)
            try await cards.first.get(.always)
        }

        /// Sends a changed card as a whole. A conflict is merged; `merges` receives the merges. If fields conflict, the change
        /// fails.
        private func put(
            _ edit: @escaping (inout Card) -> Void, onMerge: @escaping (ThreeWayMerge) -> Void
        ) throws -> Change<Card> {
            var card = try #require(cards.first.content)
            edit(&card)
            return cards.first.mutate(.put, body: .encoded(card)) {
                edit(&$0)
            } resolve: { conflict in
                let merge = try conflict.merge()
                onMerge(merge)
                guard merge.conflicts.isEmpty, let merged = merge.value else { return .giveUp }
                return try .send(merged.decode(as: Card.self))
            }
        }

        @Test func `Changes of different fields are merged, and the server has both`() async throws {
            try await cards.changeByAnother(["text": "theirs"])
            var merges: [ThreeWayMerge] = []
            let change = try put {
                $0.name = "Mine"
            } onMerge: {
                merges.append($0)
            }
            #expect(try await change.value == Card(number: 10, name: "Mine", text: "theirs", parts: EveCards.parts))
            #expect(merges.map(\.conflicts.isEmpty) == [true])
            #expect(try await cards.theirs() == cards.first.content)
        }

        private func part(_ id: Int, _ text: String) -> [String: Any] { ["id": id, "text": text] }

        @Test func `Parts of an array are merged by their identifiers`() async throws {
            try await cards.changeByAnother(["parts": [part(3, "three"), part(1, "ONE"), part(2, "two")]])
            let change = try put {
                $0.parts.removeAll { $0.id == 2 }
                $0.parts.append(Card.Part(id: 4, text: "four"))
            } onMerge: {
                #expect($0.conflicts.isEmpty)
            }
            let merged = try await change.value
            #expect(merged?.parts.map(\.text) == ["three", "ONE", "four"])
            #expect(try await cards.theirs() == merged)
        }

        @Test func `Fields that both have changed are reported with the three values, and theirs stays`() async throws {
            try await cards.changeByAnother(["name": "Theirs", "text": "theirs"])
            var conflicts: [ThreeWayMerge.Conflict] = []
            let change = try put {
                ($0.name, $0.number) = ("Mine", 11)
            } onMerge: {
                conflicts = $0.conflicts
            }
            await #expect(throws: RequestError.self) { try await change.value }
            #expect(conflicts.map(\.path.description) == ["/name"])
            #expect(conflicts.map(\.base) == ["row 1"])
            #expect(conflicts.map(\.mine) == ["Mine"])
            #expect(conflicts.map(\.theirs) == ["Theirs"])
            #expect(cards.first.content == Card(number: 10, name: "Theirs", text: "theirs", parts: EveCards.parts))
            #expect(try await cards.theirs() == cards.first.content)
        }

        @Test func `Merges of several clients that edit at the same time lose no edit`() async throws {
            let clients = try (0..<4).map { _ in try EveCards.client() }
            for client in clients { try await client.get(.always) }
            let changes = clients.enumerated().flatMap { (index, client) -> [Change<Card>] in
                let parts = (0..<3).map { Card.Part(id: 100 * (index + 1) + $0, text: "\(index)") }
                return parts.map(client.appendPart)
            }
            for change in changes { _ = try await change.value }
            let ids = try await cards.theirs().parts.map(\.id)
            #expect(ids.count == 2 + 4 * 3)
            for client in 1...4 {
                #expect(ids.filter { $0 / 100 == client } == [100 * client, 100 * client + 1, 100 * client + 2])
            }
        }
    }
}

extension TypedResource<Card> {
    /// Appends a part. Sends the whole card, and merges as long as somebody else has changed the card.
    fileprivate func appendPart(_ part: Card.Part) -> Change<Card> {
        var card = content ?? Card(number: 0, name: "", text: "", parts: [])
        card.parts.append(part)
        return mutate(.put, body: .encoded(card)) {
            $0.parts.append(part)
        } resolve: { conflict in
            let merge = try conflict.merge()
            guard merge.conflicts.isEmpty, let merged = merge.value else { return .giveUp }
            return try .send(merged.decode(as: Card.self))
        }
    }
}
