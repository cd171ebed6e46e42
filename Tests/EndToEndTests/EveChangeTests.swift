import Foundation
import SiestaCore
import SiestaLists
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Changes of cards on Eve, which requires `If-Match`, and which responds to a change with the version but without the content.
@MainActor
@Suite(.serialized, .timeLimit(.test), .enabled(if: ForeignServer.eve.isRunning, "Run .ci/servers to start Eve"))
struct EveChangeTests {
    private let cards: EveCards

    init() async throws {
        cards = try await EveCards(count: 3)
    }

    private func change(
        _ name: String, precondition: Precondition? = nil, resolve: TypedResource<Card>.ConflictResolver? = nil
    ) -> Change<Card> {
        var options = ChangeOptions()
        options.precondition = precondition
        let edit: (inout Card) -> Void = { $0.name = name }
        return cards.first.mutate(
            .patch, body: .encoded(["name": name]), options: options, edit: edit, resolve: resolve)
    }

    @Test func `Edits succeed one after the other, each with the version that the response to the former names`()
        async throws
    {
        try await cards.first.get(.always)
        let names = ["Ada", "Grace", "Barbara"].map { self.change($0) }
        let whole = Card(number: 10, name: "Barbara", text: "whole", parts: [])
        let put = cards.first.mutate(.put, body: .encoded(whole)) { $0 = whole }
        #expect(cards.first.content == whole)
        #expect(cards.first.resource.pendingChanges.count == 4)
        for change in names + [put] { _ = try await change.value }
        #expect(cards.first.content == whole)
        #expect(!cards.first.resource.isOptimistic)
        try await cards.first.get(.always)
        // The responses name the versions without the content. A version of computed content is no condition of a load.
        #expect(cards.first.snapshot.source == .network)
        #expect(try await cards.theirs() == whole)
    }

    @Test func `With the settlement by edit, a response that can be decoded without its fields does not replace them`()
        async throws
    {
        struct Part: Codable, Equatable { var name, text: String? }
        cards.service.decode("/cards/*", as: Part.self)
        let card = cards.service.resource("/cards/2", as: Part.self)
        try await card.get(.always)
        var options = ChangeOptions()
        options.settlement = .edit
        for name in ["Ada", "Grace"] {
            _ = try await card.mutate(.patch, body: .encoded(["name": name]), options: options) { $0.name = name }.value
        }
        #expect(card.content == Part(name: "Grace", text: ""))
    }

    @Test func `After somebody else's change, an edit fails with 412, and the data is stale`() async throws {
        try await cards.first.get(.always)
        try await cards.changeByAnother(["text": "theirs"])
        let change = change("Ada")
        #expect(cards.first.content?.name == "Ada")
        await #expect { try await change.value } throws: { ($0 as? RequestError)?.httpStatusCode == 412 }
        #expect(cards.first.content?.name == "row 1")
        #expect(cards.first.isStale)
        try await cards.first.loadIfNeeded()?.value.content(as: Void.self)
        #expect(cards.first.content?.text == "theirs")
    }

    @Test func `Without a condition, an edit fails with 428`() async throws {
        try await cards.first.get(.always)
        let change = change("Ada", precondition: Precondition.none)
        await #expect { try await change.value } throws: { ($0 as? RequestError)?.httpStatusCode == 428 }
        #expect(try await cards.theirs().name == "row 1")
    }

    @Test func `An edit without a base has no condition, and the resolver is asked`() async throws {
        var conflicts: [ChangeConflict<Card>] = []
        let change = change("Ada") { conflict in
            conflicts.append(conflict)
            return .force
        }
        #expect(try await change.value?.name == "Ada")
        #expect(conflicts.map(\.error.httpStatusCode) == [428])
        #expect(conflicts.first?.theirs?.name == "row 1")
        #expect(try await cards.theirs().name == "Ada")
    }

    @Test func `A change that gives up shows and keeps theirs`() async throws {
        try await cards.first.get(.always)
        try await cards.changeByAnother(["name": "Theirs"])
        let change = change("Mine") { _ in .giveUp }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(cards.first.content?.name == "Theirs")
        #expect(!cards.first.isStale)
        #expect(try await cards.theirs().name == "Theirs")
    }

    @Test(arguments: [Precondition.unchanged, .none])
    func `A forced change overwrites theirs, and the app is asked once, although Eve refuses to do without a version`(
        precondition: Precondition
    ) async throws {
        try await cards.first.get(.always)
        try await cards.changeByAnother(["name": "Theirs", "text": "theirs"])
        var count = 0
        let change = change("Mine", precondition: precondition) { _ in
            count += 1
            return .force
        }
        #expect(try await change.value?.name == "Mine")
        let theirs = try await cards.theirs()
        #expect(theirs.name == "Mine")
        #expect(theirs.text == "theirs")
        #expect(cards.first.content == theirs)
        #expect(count == 1)
    }

    @Test func `An edit that waits during a conflict has a conflict with theirs, but not with the former edit`()
        async throws
    {
        try await cards.first.get(.always)
        try await cards.changeByAnother(["text": "theirs"])
        var conflicts: [ChangeConflict<Card>] = []
        let changes = ["Mine", "Mine 2"].map { name in
            self.change(name) { conflict in
                conflicts.append(conflict)
                var merged = try #require(conflict.theirs)
                merged.name = conflict.mine?.name ?? ""
                return .send(merged)
            }
        }
        for change in changes { _ = try await change.value }
        #expect(conflicts.map(\.base?.name) == ["row 1", "Mine"])
        #expect(conflicts.map(\.mine?.name) == ["Mine", "Mine 2"])
        #expect(conflicts.map(\.theirs?.name) == ["row 1", "Mine"])
        #expect(conflicts.map(\.mine?.text) == ["", ""])
        #expect(conflicts.map(\.theirs?.text) == ["theirs", "theirs"])
        let theirs = try await cards.theirs()
        #expect(theirs.name == "Mine 2")
        #expect(theirs.text == "theirs")
        #expect(cards.first.content == theirs)
    }

    @Test(arguments: [ChangeOptions.Settlement.response, .reload, .edit])
    func `A list shows a created card at once, and from then on exactly once`(settlement: ChangeOptions.Settlement)
        async throws
    {
        let (list, page, owner) = (cards.list, cards.page, NSObject())
        try await list.loadNext()
        var shown: [[Int]] = []
        list.addObserver(owner: owner) { list, _ in shown.append(list.items.map(\.number)) }
        shown = []
        var options = ChangeOptions()
        options.settlement = settlement
        let change = page.mutate(.post, body: .encoded(["number": 5]), options: options) { page in
            guard !page._items.contains(where: { $0.number == 5 }) else { return }
            page._items.insert(CardRow(_id: -1, number: 5), at: 0)
        }
        #expect(list.items.map(\.number) == [5, 10, 20, 30])
        page.resource.load()  // Its response may contain the card before the change has ended.
        _ = try await change.value
        try await cards.waitForLoads()
        #expect(!shown.isEmpty)
        #expect(shown.allSatisfy { $0 == [5, 10, 20, 30] })
        #expect(list.items.map(\._id) == [4, 1, 2, 3])
        #expect(!page.resource.isOptimistic)
    }

    @Test func `A card whose creation is refused disappears from the list alone`() async throws {
        let (list, page) = (cards.list, cards.page)
        try await list.loadNext()
        let refused = page.mutate(.post, body: .encoded(["name": "no number"])) {
            $0._items.append(CardRow(_id: -1, number: 70))
        }
        let created = page.mutate(.post, body: .encoded(["number": 80])) { page in
            guard !page._items.contains(where: { $0.number == 80 }) else { return }
            page._items.append(CardRow(_id: -2, number: 80))
        }
        #expect(list.items.map(\.number) == [10, 20, 30, 70, 80])
        await #expect { try await refused.value } throws: { ($0 as? RequestError)?.httpStatusCode == 422 }
        _ = try await created.value
        #expect(list.items.map(\.number) == [10, 20, 30, 80])
    }
}
