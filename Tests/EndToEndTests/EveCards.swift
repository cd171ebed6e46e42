import Foundation
import SiestaCore
import SiestaLists
import SiestaTesting
import SiestaWriting
import TestDoubles
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A card on Eve, without the fields that Eve adds.
struct Card: Codable, Equatable, Sendable {
    struct Part: Codable, Equatable, Sendable {
        var id: Int
        var text: String
    }

    var number: Int
    var name: String
    var text: String
    var parts: [Part]
}

/// A card in a list on Eve.
struct CardRow: Codable, Identifiable, Sendable {
    let _id: Int
    let number: Int
    var id: Int { _id }
}

/// A page of the list of cards.
struct CardPage: Codable, Sendable {
    var _items: [CardRow]
}

/// The cards on Eve, and a service whose changes of cards have a condition.
@MainActor
struct EveCards {
    let service: Service
    let first: TypedResource<Card>
    let page: TypedResource<CardPage>
    let list: PagedResource<CardRow>

    /// The parts of a new card.
    static let parts = [Card.Part(id: 1, text: "one"), Card.Part(id: 2, text: "two")]

    /// Replaces the cards on the server by new ones, whose numbers are 10, 20, 30 and so on.
    init(count: Int) async throws {
        service = try ForeignServer.eve.service()
        service.decode("/cards", as: CardPage.self)
        service.decode("/cards/*", as: Card.self)
        service.configure("/cards/*") { $0.precondition = .unchanged }
        service.configure("/cards") { $0.tags = ["cards"] }
        service.configure("/cards", requestMethods: [.post]) { $0.invalidates = ["cards"] }
        first = service.resource("/cards/1").typed()
        page = service.resource("/cards").typed()
        list = PagedResource(page, items: \CardPage._items, next: .pageNumber(size: 10))
        let new: [String: Any] = ["count": count, "resource": "cards"]
        try await service.resource("/reset").request(.post, json: new).value.content(as: Void.self)
    }

    /// Returns the first card as the server has it.
    func theirs() async throws -> Card { try await Self.client().get(.always) }

    /// Changes fields of the first card, as another client does.
    func changeByAnother(_ fields: [String: Any]) async throws {
        let card = try Self.client()
        try await card.get(.always)
        try await card.request(.patch, body: .json(fields)) {
            $0.setValue(card.entity?.etag, forHTTPHeaderField: "If-Match")
        }.value.content(as: Void.self)
    }

    /// Returns the first card of a service of its own, whose changes have a condition.
    static func client() throws -> TypedResource<Card> {
        let service = try ForeignServer.eve.service()
        service.decode("/cards/*", as: Card.self)
        service.configure("/cards/*") { $0.precondition = .unchanged }
        return service.resource("/cards/1").typed()
    }

    /// Waits until the list is loaded and fresh.
    func waitForLoads() async throws {
        if !page.resource.isUpToDate { page.resource.loadIfNeeded() }
        try await Poll.until { !list.isLoading && !page.resource.isLoading }
    }
}
