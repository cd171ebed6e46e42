import Foundation
import Observation
import Siesta
import SiestaCore
import SiestaLists
import SiestaOutboxStorage
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Items of lists that an app deletes.
@MainActor @Suite(.timeLimit(.test))
struct DeletedItemTests {
    private let server = TicketServer()

    @Test func `The row disappears at once, and its resource has no data afterwards`() async throws {
        let list = try await server.list()
        let own = try await server.loadedTicket(1)
        server.network.answer(.delete, "/tickets/1", with: .held)
        let change = list.delete(list.items[0])
        #expect(list.ids == [2, 3, 4])
        #expect(own.content == Ticket(1))
        let sent = try await server.network.exchange(4)
        #expect(server.lastWrite == "DELETE /tickets/1 ")
        sent.respond(with: .response(204))
        #expect(try await change.value == nil)
        #expect(list.ids == [2, 3, 4])
        #expect(own.content == nil)
        #expect(list.pages.map(\.isStale) == [true, true])
    }

    @Test(arguments: [1, 2, 3, 4])
    func `If the server refuses, the row is where it was`(id: Int) async throws {
        let list = try await server.list()
        server.network.answer(.delete, "/tickets/\(id)", with: .held)
        let change = list.delete(Ticket(id))
        #expect(list.ids == [1, 2, 3, 4].filter { $0 != id })
        try await server.network.exchange(3).respond(with: .response(403))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(list.items == (1...4).map { Ticket($0) })
        #expect(list.pages.map(\.isStale) == [false, false])
    }

    @Test(arguments: [404, 410])
    func `An item that is gone already is deleted`(status: Int) async throws {
        let list = try await server.list()
        server.network.answer(.delete, "/tickets/1", with: .response(status))
        _ = try await list.delete(list.items[0]).value
        #expect(list.ids == [2, 3, 4])
    }

    @Test func `A page with fewer items than the server has sent is not the last one`() async throws {
        let list = try await server.list()
        server.network.handler = { $0.httpMethod == "DELETE" ? .response(204) : nil }
        _ = try await list.delete(Ticket(1)).value
        #expect(list.ids == [2, 3, 4])
        #expect(list.pages.count == 2)
        let last = list.delete(Ticket(4))
        #expect(list.hasNext)
        _ = try await last.value
        #expect(list.hasNext)
        try await list.loadNext()
        #expect(list.ids == [2, 3, 5])
    }

    @Test func `A page without items stays in the list until it is loaded`() async throws {
        let list = try await server.list()
        server.network.handler = { $0.httpMethod == "DELETE" ? .response(204) : nil }
        for id in [1, 2] { _ = try await list.delete(Ticket(id)).value }
        #expect(list.ids == [3, 4])
        #expect(list.pages.count == 2)
        server.network.handler = nil
        server.answer("/tickets?page=1", [Ticket(3), Ticket(4)])
        server.network.answer(.get, "/tickets", with: .json("[\(Ticket(3).text), \(Ticket(4).text)]"))
        server.answer("/tickets?page=2", [Ticket(5)])
        try await list.reload()
        #expect(list.ids == [3, 4, 5])
        #expect(!list.hasNext)
    }

    @Test func `The row disappears from all lists of the item, and from no other`() async throws {
        let list = try await server.list()
        let mine = try await server.mine([Ticket(4), Ticket(7)])
        mine.collection = list.collection
        let others = try await otherList()
        server.network.answer(.delete, "/tickets/4", with: .held)
        let change = mine.delete(mine.items[0])
        #expect(list.ids == [1, 2, 3])
        #expect(mine.ids == [7])
        #expect(others.ids == [4])
        try await server.network.exchange(5).respond(with: .response(500))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(list.ids == [1, 2, 3, 4])
        #expect(mine.ids == [4, 7])
    }

    /// Returns a list of another collection.
    private func otherList() async throws -> PagedResource<Ticket> {
        server.service.decode("/others", as: [Ticket].self)
        server.answer("/others", [Ticket(4)])
        let list = PagedResource(server.service.resource("/others", as: [Ticket].self), next: .link)
        try await list.loadNext()
        return list
    }

    @Test func `Several rows disappear and come back one by one`() async throws {
        let list = try await server.list()
        for id in [1, 3] { server.network.answer(.delete, "/tickets/\(id)", with: .held) }
        let (first, second) = (list.delete(Ticket(1)), list.delete(Ticket(3)))
        #expect(list.ids == [2, 4])
        try await server.network.exchange(3).respond(with: .response(403))
        await #expect(throws: RequestError.self) { try await first.value }
        #expect(list.ids == [1, 2, 4])
        try await server.network.exchange(4).respond(with: .response(204))
        _ = try await second.value
        #expect(list.ids == [1, 2, 4])
        #expect(list.pages.map(\.isStale) == [false, true])
    }

    @Test func `An item that has moved to a page that is not loaded disappears, and comes back`() async throws {
        let list = try await server.list()
        server.answer("/tickets", [Ticket(0), Ticket(1)])
        try await list.reload(.firstThenMerge)
        #expect(list.ids == [0, 1, 2, 3, 4])  // The pages contain 0, 1, and 3, 4.
        server.network.answer(.delete, "/tickets/2", with: .response(403), .response(204))
        let refused = list.delete(Ticket(2))
        #expect(list.ids == [0, 1, 3, 4])
        await #expect(throws: RequestError.self) { try await refused.value }
        #expect(list.ids == [0, 1, 2, 3, 4])
        _ = try await list.delete(Ticket(2)).value
        #expect(list.ids == [0, 1, 3, 4])
    }

    /// Returns a list with an item, 2, that is on no page any more: the pages contain 0, 1, and 3, 4.
    private func listWithLeftover() async throws -> PagedResource<Ticket> {
        let list = try await server.list()
        server.answer("/tickets", [Ticket(0), Ticket(1)])
        server.answer("/tickets?page=2", [Ticket(3), Ticket(4)])
        try await list.reload(.firstThenMerge)
        server.network.answer(.delete, "/tickets/2", with: .held)
        return list
    }

    @Test func `A refused deletion does not bring back an item that a reload has not found`() async throws {
        let list = try await listWithLeftover()
        let change = list.delete(Ticket(2))
        let sent = try await server.network.exchange(4)
        try await list.reload()
        #expect(list.ids == [0, 1, 3, 4])
        sent.respond(with: .response(403))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(list.ids == [0, 1, 3, 4])
    }

    @Test func `After a refused deletion, the page that contains the item now tells whether it exists`() async throws {
        let list = try await listWithLeftover()
        let change = list.delete(Ticket(2))
        let sent = try await server.network.exchange(4)
        server.answer("/tickets?page=2", [Ticket(2), Ticket(3)])
        await list.pages[1].load().completion()
        sent.respond(with: .response(403))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(list.ids == [0, 1, 2, 3])
        server.answer("/tickets?page=2", [Ticket(3), Ticket(4)])
        await list.pages[1].load().completion()
        #expect(list.ids == [0, 1, 3, 4])
    }

    @Test func `A deletion shows nothing of a list that is wiped while the deletion is announced`() async throws {
        server.answer("/tickets", [Ticket(1), Ticket(2), Ticket(7)])
        server.answer("/tickets?page=2", [Ticket(3), Ticket(4)])
        let list = try await listWithLeftover()
        #expect(list.ids == [0, 1, 2, 7, 3, 4])
        let service = server.service
        withObservationTracking {
            _ = list.items
        } onChange: {
            MainActor.assumeIsolated { service.wipeResources() }
        }
        let change = list.delete(Ticket(2))
        #expect(list.ids.isEmpty)
        change.cancel()
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(list.ids.isEmpty)
    }

    @Test(arguments: [403, 204])
    func `An item that leaves its page while its deletion is sent comes back only if the server refuses`(
        status: Int
    ) async throws {
        let list = try await server.list()
        let other = try await server.list(pages: 1)  // The same two pages.
        server.network.answer(.delete, "/tickets/2", with: .held)
        let change = list.delete(Ticket(2))
        let sent = try await server.network.exchange(3)
        server.answer("/tickets", [Ticket(0), Ticket(1)])
        try await list.reload(.firstThenMerge)
        #expect([list.ids, other.ids] == [[0, 1, 3, 4], [0, 1, 3, 4]])
        sent.respond(with: .response(status))
        _ = try? await change.value
        let expected = status == 403 ? [0, 1, 2, 3, 4] : [0, 1, 3, 4]
        #expect([list.ids, other.ids] == [expected, expected])
    }

    @Test func `Pages whose loads began before the deletion are stale`() async throws {
        let list = try await server.list()
        for path in ["/tickets?page=2", "/tickets?page=3"] { server.network.answer(.get, path, with: .held) }
        let load = list.pages[1].load()
        let second = try await server.network.exchange(3)
        let next = Task { try await list.loadNext() }
        let third = try await server.network.exchange(4)
        server.network.answer(.delete, "/tickets/1", with: .response(204))
        _ = try await list.delete(Ticket(1)).value
        for (exchange, ids) in [(second, [3, 4]), (third, [5, 6])] {
            exchange.respond(with: .json("[\(ids.map { Ticket($0).text }.joined(separator: ", "))]"))
        }
        await load.completion()
        try await next.value
        #expect(list.ids == [2, 3, 4, 5, 6])
        #expect(list.pages.map(\.isStale) == [true, true, true])
    }

    @Test func `A durable deletion waits for the network`() async throws {
        let connection = NetworkStatus()
        let server = TicketServer { $0.networkStatus = connection }
        let outbox = Outbox.inMemory()
        server.service.outbox = outbox
        let list = try await server.list()
        connection.isConnected = false
        let change = list.delete(Ticket(2), durable: true)
        try await change.accepted()
        #expect(list.ids == [1, 3, 4])
        #expect(server.writes.isEmpty)
        server.network.answer(.delete, "/tickets/2", with: .response(204))
        connection.isConnected = true
        _ = try await change.value
        #expect(list.ids == [1, 3, 4])
        await outbox.settled()
        #expect(outbox.entries.isEmpty)
    }

    @Test func `After a restart, the page of a durable deletion is stale`() async throws {
        let (store, connection) = (RecordOutboxStore.inMemory(), NetworkStatus())
        connection.isConnected = false
        let first = TicketServer { $0.networkStatus = connection }
        first.service.outbox = Outbox(store)
        try await first.list().delete(Ticket(2), durable: true).accepted()
        await first.service.outbox?.close()
        let second = TicketServer { $0.networkStatus = connection }
        let outbox = Outbox(store)
        second.service.outbox = outbox
        await outbox.isLoaded()
        let list = try await second.list()
        #expect(list.ids == [1, 3, 4])
        second.network.answer(.delete, "/tickets/2", with: .response(204))
        connection.isConnected = true
        await outbox.settled()
        #expect(outbox.entries.isEmpty)
        #expect(list.ids == [1, 3, 4])
        #expect(list.pages.map(\.isStale) == [true, false])
    }

    @Test func `After a restart, a durable deletion from a list loaded by POST sends nothing else`() async throws {
        let (store, connection) = (RecordOutboxStore.inMemory(), NetworkStatus())
        connection.isConnected = false
        let first = TicketServer { $0.networkStatus = connection }
        first.service.decode("/search", as: [Ticket].self)
        first.network.answer(.post, "/search", with: .json("[\(Ticket(1).text), \(Ticket(2).text)]"))
        first.service.outbox = Outbox(store)
        let page = first.service.resource("/search", as: [Ticket].self, loadedBy: .post, body: .json(["text": "T"]))
        let list = PagedResource(page, next: .link)
        list.itemResource = { first.service.resource("/tickets/\($0.id)") }
        try await list.get()
        var options = ChangeOptions()
        options.settlement = .reload
        try await list.delete(list.items[0], options: options, durable: true).accepted()
        #expect(list.ids == [2])
        await first.service.outbox?.close()
        let second = TicketServer { $0.networkStatus = connection }
        let outbox = Outbox(store)
        second.service.outbox = outbox
        await outbox.isLoaded()
        second.network.answer(.delete, "/tickets/1", with: .response(204))
        connection.isConnected = true
        await outbox.settled()
        #expect(outbox.entries.isEmpty)
        #expect(second.network.requests.map(\.httpMethod) == ["DELETE"])
    }

    @Test func `A draft that is cancelled, and a row that is deleted, leave no change behind`() async throws {
        let list = try await server.list(pages: 1)
        server.network.answer(.post, "/tickets", with: .held)
        let draft = list.create(Ticket(-1))
        draft.cancel()
        #expect(list.ids == [1, 2])
        server.network.answer(.delete, "/tickets/1", with: .response(204))
        _ = try await list.delete(Ticket(1)).value
        #expect(list.pages.allSatisfy { $0.pendingChanges.isEmpty })
        #expect(server.ticket(1).resource.pendingChanges.isEmpty)
    }

    @Test func `A refused durable deletion stays, and makes the pages stale when it is sent again`() async throws {
        let server = TicketServer { $0.networkStatus = NetworkStatus() }
        let outbox = Outbox.inMemory()
        server.service.outbox = outbox
        let list = try await server.list()
        server.network.answer(.delete, "/tickets/2", with: .response(403), .response(204))
        let change = list.delete(Ticket(2), durable: true)
        await #expect(throws: RequestError.self) { try await change.value }
        server.answer("/tickets", [Ticket(0), Ticket(1)])
        try await list.reload(.firstThenMerge)
        #expect(list.ids == [0, 1, 3, 4])
        try await outbox.retry(#require(change.entryID))
        await outbox.settled()
        #expect(list.ids == [0, 1, 3, 4])
        #expect(list.pages.map(\.isStale) == [true, true])
    }

    @Test func `After a wipe, a durable deletion still hides its item on no page`() async throws {
        let server = TicketServer { $0.networkStatus = NetworkStatus() }
        server.service.outbox = Outbox.inMemory()
        let list = try await server.list()
        server.network.answer(.delete, "/tickets/2", with: .held)
        try await list.delete(Ticket(2), durable: true).accepted()
        server.service.wipeResources()
        for _ in 0..<2 { try await list.loadNext() }
        #expect(list.ids == [1, 3, 4])
        server.answer("/tickets", [Ticket(0), Ticket(1)])
        try await list.reload(.firstThenMerge)
        #expect(list.ids == [0, 1, 3, 4])
    }

    @Test func `Pages that were dropped at the end are stale after a deletion`() async throws {
        let list = try await server.list(pages: 0)
        list.maxPages = 2
        for _ in 0..<3 { try await list.loadNext() }
        let last = list.pages[1]
        try await list.loadPrevious()
        #expect(list.ids == [1, 2, 3, 4])
        server.network.answer(.delete, "/tickets/1", with: .response(204))
        _ = try await list.delete(Ticket(1)).value
        #expect(last.isStale)
    }
}
