import Foundation
import Siesta
import SiestaCore
import SiestaLists
import SiestaOutboxStorage
import SiestaSessions
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Items that an app adds to lists.
@MainActor @Suite(.timeLimit(.test))
struct CreatedItemTests {
    private let server = TicketServer()

    private let draft = Ticket(-1, "New")

    @Test func `A draft is the first row at once, and the item of the server replaces it`() async throws {
        let list = try await server.list()
        server.network.answer(.post, "/tickets", with: .held)
        let change = list.create(draft)
        #expect(list.ids == [-1, 1, 2, 3, 4])
        #expect(list.pages.map(\.isOptimistic) == [true, false])
        let sent = try await server.network.exchange(3)
        #expect(sent.request.url?.path == "/tickets")
        #expect(sent.request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(try JSONDecoder().decode(Ticket.self, from: sent.request.httpBody ?? Data()) == draft)
        sent.respond(with: Ticket(9, "New!").answer(201, etag: "\"9\""))
        #expect(try await change.value == Ticket(9, "New!"))
        #expect(list.ids == [9, 1, 2, 3, 4])
        #expect(list.items.first?.title == "New!")
        #expect(list.pages.map(\.isOptimistic) == [false, false])
    }

    @Test func `The resource of the created item has its data and its version`() async throws {
        let list = try await server.list()
        server.network.answer(.post, "/tickets", with: Ticket(9, "New!").answer(201, etag: "\"9\""))
        _ = try await list.create(draft).value
        let ticket = server.ticket(9)
        #expect(ticket.content == Ticket(9, "New!"))
        #expect(ticket.resource.latestData?.etag == "\"9\"")
        #expect(ticket.isUpToDate)
        #expect(server.network.requests.count == 3)
    }

    @Test func `Afterwards the pages are stale, and all of them are still in the list`() async throws {
        let list = try await server.list()
        server.network.answer(.post, "/tickets", with: Ticket(9).answer(201))
        #expect(list.pages.map(\.isStale) == [false, false])
        _ = try await list.create(draft).value
        #expect(list.pages.map(\.isStale) == [true, true])
        #expect(list.hasNext)
        try await list.loadNext()
        #expect(list.ids == [9, 1, 2, 3, 4, 5])
    }

    @Test(arguments: [400, 422, 500])
    func `A draft that the server refuses disappears`(status: Int) async throws {
        let list = try await server.list()
        server.network.answer(.post, "/tickets", with: .response(status))
        let change = list.create(draft)
        #expect(list.ids == [-1, 1, 2, 3, 4])
        let error = await #expect(throws: RequestError.self) { try await change.value }
        #expect(error?.httpStatusCode == status)
        #expect(list.ids == [1, 2, 3, 4])
        #expect(list.titles == (1...4).map { "Ticket \($0)" })
    }

    @Test func `Drafts are in the order in which they were made, and one does not need the other`() async throws {
        let list = try await server.list(pages: 1)
        server.network.answer(.post, "/tickets", with: .held)
        let (first, second) = (list.create(Ticket(-1)), list.create(Ticket(-2)))
        #expect(list.ids == [-2, -1, 1, 2])
        try await server.network.exchange(2).respond(with: .response(422))
        await #expect(throws: RequestError.self) { try await first.value }
        #expect(list.ids == [-2, 1, 2])
        try await server.network.exchange(3).respond(with: Ticket(9).answer(201))
        #expect(try await second.value?.id == 9)
        #expect(list.ids == [9, 1, 2])
    }

    @Test func `At the end, a draft is behind the last page that is loaded, and the list goes on`() async throws {
        let list = try await server.list()
        server.network.answer(.post, "/tickets", with: .held)
        let change = list.create(draft, atEnd: true)
        #expect(list.ids == [1, 2, 3, 4, -1])
        #expect(list.pages.map(\.isOptimistic) == [false, true])
        #expect(list.hasNext)
        try await list.loadNext()
        #expect(list.ids == [1, 2, 3, 4, -1, 5])
        try await server.network.exchange(3).respond(with: Ticket(6).answer(201))
        _ = try await change.value
        #expect(list.ids == [1, 2, 3, 4, 6, 5])
        #expect(list.pages.map(\.isStale) == [false, true, true])
    }

    @Test func `A load that contains the created item shows it once`() async throws {
        let list = try await server.list(pages: 1)
        server.network.answer(.post, "/tickets", with: .held)
        let change = list.create(draft)
        server.answer("/tickets", [Ticket(9), Ticket(1)])
        try await list.reload(.firstThenMerge)
        #expect(list.ids == [-1, 9, 1])
        try await server.network.exchange(2).respond(with: Ticket(9).answer(201))
        _ = try await change.value
        #expect(list.ids == [9, 1])
    }

    @Test(arguments: [
        StubAnswer.response(204), .response(201), .json(#"{"state": "queued"}"#, status: 202),
        .json(#"{"id": 9, "title": "Later"}"#, status: 202), .json("[]", status: 200),
    ])
    func `Without the item in the response, the draft stays until the page is loaded`(answer: StubAnswer) async throws {
        let list = try await server.list(pages: 1)
        server.network.answer(.post, "/tickets", with: answer)
        #expect(try await list.create(draft).value == draft)
        #expect(list.ids == [-1, 1, 2])
        #expect(list.pages.map(\.isStale) == [true])
        server.answer("/tickets", [Ticket(9), Ticket(1)])
        try await list.get()
        #expect(list.ids.prefix(2) == [9, 1])
        #expect(!list.ids.contains(-1))
    }

    @Test func `A body of its own is sent, and edits of other resources come and go with the draft`() async throws {
        let list = try await server.list(pages: 1)
        let ticket = try await server.loadedTicket(1)
        server.network.answer(.post, "/tickets", with: .held)
        let change = list.create(draft, body: .encoded(["title": "New"]), also: [ticket.edit { $0.title = "Old" }])
        let sent = try await server.network.exchange(3)
        #expect(server.lastWrite == #"POST /tickets {"title":"New"}"#)
        #expect(ticket.content?.title == "Old")
        sent.respond(with: .response(422))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(ticket.content?.title == "Ticket 1")
    }

    @Test func `The app names the collection and the resources of items`() async throws {
        let list = try await server.mine([Ticket(1)])
        let service = server.service
        #expect(list.collection.url.path == "/mine")
        list.collection = service.resource("/tickets")
        list.itemResource = { service.resource("/tickets/number").child("\($0.id)") }
        service.decode("/tickets/number/*", as: Ticket.self)
        server.network.answer(.post, "/tickets", with: Ticket(9).answer(201))
        _ = try await list.create(draft).value
        #expect(server.lastWrite?.hasPrefix("POST /tickets ") == true)
        #expect(service.resource("/tickets/number/9", as: Ticket.self).content == Ticket(9))
    }

    @Test func `Tags are invalidated by the write`() async throws {
        let server = TicketServer {
            $0.configure("/mine") { $0.tags = ["tickets"] }
            $0.configure("/tickets", requestMethods: [.post]) { $0.invalidates = ["tickets"] }
        }
        let (list, mine) = (try await server.list(pages: 1), try await server.mine([Ticket(1)]))
        server.network.answer(.post, "/tickets", with: Ticket(9).answer(201))
        #expect(mine.pages.map(\.isStale) == [false])
        _ = try await list.create(draft).value
        #expect(mine.pages.map(\.isStale) == [true])
        #expect(mine.ids == [1])
    }

    @Test func `With a settlement by loads, the draft stays until the page is loaded`() async throws {
        let list = try await server.list(pages: 1)
        var options = ChangeOptions()
        options.settlement = .reload
        server.network.answer(.post, "/tickets", with: Ticket(9).answer(201))
        server.network.answer(.get, "/tickets", with: .held)
        let change = list.create(draft, options: options)
        let load = try await server.network.exchange(3)
        #expect(list.ids.count == 3)
        load.respond(with: .json("[\(Ticket(9).text), \(Ticket(1).text)]"))
        #expect(try await change.value?.id == 9)
        #expect(list.ids.prefix(2) == [9, 1])
        #expect(!list.ids.contains(-1))
        #expect(list.pages.map(\.isStale) == [false])
    }

    @Test(arguments: [ChangeOptions.Settlement.reload, .edit])
    func `A draft that was at the end of the first page stays on no page behind it`(
        settlement: ChangeOptions.Settlement
    ) async throws {
        let list = try await server.list(pages: 1)
        var options = ChangeOptions()
        options.settlement = settlement
        server.network.answer(.post, "/tickets", with: .held)
        let change = list.create(draft, atEnd: true, options: options)
        let sent = try await server.network.exchange(2)
        try await list.loadNext()
        sent.respond(with: Ticket(9).answer(201))
        _ = try await change.value
        server.answer("/tickets", [Ticket(0), Ticket(1)])
        try await list.reload(.firstThenMerge)
        #expect(list.ids == [0, 1, 2, 3, 4])
    }

    @Test func `With a settlement by the edit, the response is not read`() async throws {
        let list = try await server.list(pages: 1)
        var options = ChangeOptions()
        options.settlement = .edit
        server.network.answer(.post, "/tickets", with: Ticket(9).answer(201))
        #expect(try await list.create(draft, options: options).value == draft)
        #expect(list.ids == [-1, 1, 2])
        #expect(server.ticket(9).content == nil)
    }

    @Test func `A list that has no page yet shows no draft`() async throws {
        let list = try await server.list(pages: 0)
        server.network.answer(.post, "/tickets", with: Ticket(9).answer(201))
        let change = list.create(draft)
        #expect(list.items.isEmpty)
        #expect(try await change.value == Ticket(9))
        try await list.loadNext()
        #expect(list.ids == [1, 2])
    }

    @Test func `A durable draft waits for the network, and stays if the server refuses it`() async throws {
        let connection = NetworkStatus()
        let server = TicketServer { $0.networkStatus = connection }
        let outbox = Outbox.inMemory()
        server.service.outbox = outbox
        let list = try await server.list(pages: 1)
        connection.isConnected = false
        let change = list.create(draft, durable: true)
        try await change.accepted()
        await outbox.settled()
        #expect(list.ids == [-1, 1, 2])
        #expect(server.writes.isEmpty)
        #expect(outbox.entries.first?.edits.count == 1)
        server.network.answer(.post, "/tickets", with: .response(422))
        connection.isConnected = true
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(list.ids == [-1, 1, 2])
        let id = try #require(change.entryID)
        server.network.answer(.post, "/tickets", with: Ticket(9).answer(201))
        try await outbox.retry(id)
        await outbox.settled()
        #expect(list.ids == [9, 1, 2])
        #expect(server.ticket(9).content == Ticket(9))
        #expect(outbox.entries.isEmpty)
    }

    @Test(arguments: [
        Ticket(9).answer(201), .json("[\(Ticket(9).text)]", status: 201), .response(204),
    ])
    func `After a restart, the page of a durable draft keeps its rows, and is stale`(answer: StubAnswer) async throws {
        let (store, connection) = (RecordOutboxStore.inMemory(), NetworkStatus())
        connection.isConnected = false
        let first = TicketServer { $0.networkStatus = connection }
        first.service.outbox = Outbox(store)
        try await first.list(pages: 1).create(draft, durable: true).accepted()
        await first.service.outbox?.close()
        let second = TicketServer { $0.networkStatus = connection }
        let outbox = Outbox(store)
        second.service.outbox = outbox
        await outbox.isLoaded()
        let list = try await second.list(pages: 1)
        #expect(list.ids == [-1, 1, 2])
        second.network.answer(.post, "/tickets", with: answer)
        connection.isConnected = true
        await outbox.settled()
        #expect(outbox.entries.isEmpty)
        #expect(list.ids == [-1, 1, 2])
        #expect(list.pages.map(\.isStale) == [true])
    }

    @Test func `The item of the server replaces the draft of a repeated creation, too`() async throws {
        let list = try await server.list(pages: 1)
        server.network.answer(.post, "/tickets", with: .response(500), Ticket(9).answer(201))
        let change = list.create(draft)
        await #expect(throws: RequestError.self) { try await change.value }
        _ = try await change.request.repeated().start().value
        #expect(list.ids == [9, 1, 2])
        #expect(server.ticket(9).content == Ticket(9))
    }

    @Test func `The item that one user has created does not become the data of the next`() async throws {
        let server = TicketServer { $0.configure("/tickets") { $0.isPersonal = false } }
        server.service.authenticate(with: BearerToken())
        try await server.service.signIn("ada", with: Credential("A"))
        let list = try await server.list()
        server.network.answer(.post, "/tickets", with: .held)
        let change = list.create(draft)
        let sent = try await server.network.exchange(3)
        try await server.service.signIn("bob", with: Credential("B"))
        #expect(list.ids == [1, 2, 3, 4])
        sent.respond(with: Ticket(9, "Hers").answer(201))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(server.ticket(9).resource.latestData == nil)
    }
}
