import Foundation
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

/// Items of lists that an app edits.
@MainActor @Suite(.timeLimit(.test))
struct UpdatedItemTests {
    private let server = TicketServer()

    @Test func `The row and the resource of the item show the edit at once, and then the response`() async throws {
        let list = try await server.list()
        let own = try await server.loadedTicket(3)
        server.network.answer(.patch, "/tickets/3", with: .held)
        let change = list.update(list.items[2]) { $0.title = "Edited" }
        #expect(list.titles == ["Ticket 1", "Ticket 2", "Edited", "Ticket 4"])
        #expect(own.content == Ticket(3, "Edited"))
        #expect(list.pages.map(\.isOptimistic) == [false, true])
        let sent = try await server.network.exchange(4)
        #expect(server.lastWrite == #"PATCH /tickets/3 {"title":"Edited"}"#)
        sent.respond(with: Ticket(3, "Edited by both").answer(etag: "\"2\""))
        #expect(try await change.value == Ticket(3, "Edited by both"))
        #expect(list.titles == ["Ticket 1", "Ticket 2", "Edited by both", "Ticket 4"])
        #expect(own.content == Ticket(3, "Edited by both"))
        #expect(own.resource.latestData?.etag == "\"2\"")
        #expect(list.pages.map(\.isStale) == [false, false])
    }

    @Test func `An item whose resource was not loaded has data afterwards`() async throws {
        let list = try await server.list(pages: 1)
        server.network.answer(.patch, "/tickets/1", with: Ticket(1, "Edited").answer())
        let updated = try await list.update(list.items[0]) { $0.title = "Edited" }.value
        #expect(updated == Ticket(1, "Edited"))
        #expect(server.ticket(1).content == Ticket(1, "Edited"))
    }

    @Test func `An edit that the server refuses disappears everywhere`() async throws {
        let list = try await server.list()
        let own = try await server.loadedTicket(3)
        server.network.answer(.patch, "/tickets/3", with: .response(422))
        let change = list.update(list.items[2]) { $0.title = "Edited" }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(list.items == (1...4).map { Ticket($0) })
        #expect(own.content == Ticket(3))
    }

    @Test func `Without content in the response, the edit stays, and its pages are stale`() async throws {
        let list = try await server.list()
        server.network.answer(.patch, "/tickets/3", with: .response(204))
        _ = try await list.update(list.items[2]) { $0.title = "Edited" }.value
        #expect(list.titles == ["Ticket 1", "Ticket 2", "Edited", "Ticket 4"])
        #expect(list.pages.map(\.isStale) == [false, true])
    }

    @Test(arguments: [false, true])
    func `A member that the edit removes is null in a PATCH, and missing in a PUT`(isPut: Bool) async throws {
        let list = try await server.mine([Ticket(1)])
        list.collection = server.service.resource("/tickets")
        let ticket = Ticket(1, "Ticket 1", note: "old")
        server.network.answer(isPut ? .put : .patch, "/tickets/1", with: Ticket(1).answer())
        _ = try await list.update(ticket, isPut ? .put : .patch) { $0.note = nil }.value
        let body = try #require(server.writes.last?.request.httpBody)
        let sent = try #require(JSONSerialization.jsonObject(with: body) as? [String: Any])
        #expect(Set(sent.keys) == (isPut ? ["id", "title"] : ["note"]))
        #expect((sent["note"] is NSNull) == !isPut)
    }

    @Test func `A body of its own is sent`() async throws {
        let list = try await server.list(pages: 1)
        server.network.answer(.patch, "/tickets/1", with: Ticket(1, "Edited").answer())
        _ = try await list.update(list.items[0], body: .encoded(["state": "open"])) { $0.title = "Edited" }.value
        #expect(server.lastWrite == #"PATCH /tickets/1 {"state":"open"}"#)
    }

    // MARK: Several lists

    @Test func `All lists that contain the item show the edit, and a page of two lists is edited once`() async throws {
        let list = try await server.list()
        let same = try await server.list(pages: 1)
        let mine = try await server.mine([Ticket(7), Ticket(1)])
        mine.collection = list.collection
        server.network.answer(.patch, "/tickets/1", with: .held)
        let change = mine.update(mine.items[1]) { $0.title += "!" }
        #expect(list.titles.first == "Ticket 1!")
        #expect(same.titles.first == "Ticket 1!")
        #expect(mine.titles == ["Ticket 7", "Ticket 1!"])
        #expect(list.pages[0].pendingChanges.count == 1)
        #expect(change.edits.count == 3)  // The resource of the item, and two pages.
        change.cancel()
        #expect(list.titles.first == "Ticket 1")
        #expect(mine.titles == ["Ticket 7", "Ticket 1"])
    }

    @Test func `An item of another collection with the same identity is another item`() async throws {
        let (list, mine) = (try await server.list(pages: 1), try await server.mine([Ticket(1)]))
        server.network.answer(.patch, "/tickets/1", with: .held)
        let change = list.update(list.items[0]) { $0.title = "Edited" }
        #expect(list.titles.first == "Edited")
        #expect(mine.titles == ["Ticket 1"])
        change.cancel()
    }

    @Test func `A list that nothing references any more is not edited`() async throws {
        let list = try await server.list(pages: 1)
        do {
            let mine = try await server.mine([Ticket(1)])
            mine.collection = list.collection
        }
        server.network.answer(.patch, "/tickets/1", with: .held)
        let change = list.update(list.items[0]) { $0.title = "Edited" }
        #expect(change.edits.count == 2)
        change.cancel()
    }

    // MARK: Identities

    private struct Name: RawRepresentable, Hashable, Codable, Sendable { var rawValue: String }

    private struct Named: Codable, Sendable, Equatable {
        var name: Name
        var stars = 0
    }

    @Test(
        arguments: [
            ("abc", "/names/abc"), ("a b?", "/names/a%20b%3F"), ("a%2Fb", "/names/a%252Fb"), ("a/b", nil), ("", nil),
            ("..", nil),
        ] as [(String, String?)])
    func `The identity of the list is the last component of the path`(name: String, path: String?) async throws {
        let names = server.service.resource("/names", as: [Named].self)
        let list = PagedResource(names, id: \.name, next: .link)
        names.content = [Named(name: Name(rawValue: "x")), Named(name: Name(rawValue: name))]
        let url = list.itemResource(list.items[1]).url
        #expect(path == nil || url.absoluteString == "https://api.test\(path ?? "")")
        server.network.handler = { _ in .response(204) }
        let change = list.update(list.items[1]) { $0.stars = 1 }
        guard path == nil else {
            #expect(list.items.map(\.stars) == [0, 1])
            _ = try await change.value
            #expect(list.items.map(\.stars) == [0, 1])
            return
        }
        let error = await #expect(throws: RequestError.self) { try await change.value }
        #expect(error?.cause is RequestError.Cause.InvalidURL)
        #expect(server.network.requests.isEmpty)
        #expect(list.items.map(\.stars) == [0, 0])
    }

    @Test func `Numbers and UUIDs are components of paths, too`() throws {
        let service = server.service
        let id = try #require(UUID(uuidString: "0A1B2C3D-0000-0000-0000-000000000001"))
        let ids = PagedResource(service.resource("/ids", as: [UUID].self), id: { $0 }, next: .link)
        #expect(ids.itemResource(id).url.path == "/ids/0A1B2C3D-0000-0000-0000-000000000001")
        let optional = PagedResource(service.resource("/ids", as: [Int?].self), id: { $0 }, next: .link)
        #expect(optional.itemResource(7).url.path == "/ids/7")
        #expect(optional.itemResource(nil).url.path != "/ids/nil")
        let pairs = PagedResource(service.resource("/ids", as: [[Int]].self), id: { $0 }, next: .link)
        #expect(pairs.itemResource([1]) !== pairs.collection)
    }

    // MARK: Pages

    private struct Page: Codable, Sendable {
        var tickets: [Ticket]
        var count: Int
    }

    @Test func `The items of a page that is an object are edited, and its other members stay`() async throws {
        let service = server.service
        service.decode("/pages", as: Page.self, requestMethods: [.get])
        let page = service.resource("/pages", as: Page.self)
        server.network.answer(.get, "/pages", with: .json(#"{"tickets": [\#(Ticket(1).text)], "count": 7}"#))
        let list = PagedResource(page, items: \.tickets, next: .link, total: .content(\.count))
        list.collection = service.resource("/tickets")
        try await list.get()
        server.network.answer(.patch, "/tickets/1", with: .held)
        let change = list.update(list.items[0]) { $0.title = "Edited" }
        #expect(page.content?.tickets == [Ticket(1, "Edited")])
        #expect(page.content?.count == 7)
        #expect(list.titles == ["Edited"])
        #expect(list.total == 7)
        change.cancel()
    }

    private struct Board: Codable, Sendable {
        var pinned: [Ticket]
        var tickets: [Ticket]
    }

    @Test func `An item in two lists of one page is edited in both`() async throws {
        server.service.decode("/boards", as: Board.self, requestMethods: [.get])
        let text = Ticket(1).text
        server.network.answer(.get, "/boards", with: .json(#"{"pinned": [\#(text)], "tickets": [\#(text)]}"#))
        let page = server.service.resource("/boards", as: Board.self)
        let lists = [\Board.pinned, \Board.tickets].map { PagedResource(page, items: $0, next: .link) }
        for list in lists { list.collection = server.service.resource("/tickets") }
        try await lists[0].get()
        server.network.answer(.patch, "/tickets/1", with: .held)
        let change = lists[0].update(lists[0].items[0]) { $0.title = "Edited" }
        #expect(lists.map(\.titles) == [["Edited"], ["Edited"]])
        change.cancel()
    }

    @Test(arguments: [204, 200], [ChangeOptions.Settlement.response, .reload])
    func `Pages from which a closure takes the items stay as they are, and are stale afterwards`(
        status: Int, settlement: ChangeOptions.Settlement
    ) async throws {
        let service = server.service
        service.decode("/pages", as: Page.self, requestMethods: [.get])
        server.network.answer(.get, "/pages", with: .json(#"{"tickets": [\#(Ticket(1).text)], "count": 7}"#))
        let list = PagedResource(
            service.resource("/pages", as: Page.self), items: { page in page.tickets }, next: .link)
        list.collection = service.resource("/tickets")
        try await list.get()
        server.network.answer(
            .patch, "/tickets/1", with: status == 204 ? .response(204) : .json(Ticket(1).text))
        server.network.answer(.get, "/tickets/1", with: .json(Ticket(1).text))
        var options = ChangeOptions()
        options.settlement = settlement
        let change = list.update(list.items[0], options: options) { $0.title = "Edited" }
        #expect(list.titles == ["Ticket 1"])
        _ = try await change.value
        #expect(list.titles == ["Ticket 1"])
        #expect(list.pages.map(\.isStale) == [true])
    }

    @Test func `A page that is loaded meanwhile shows the edit over its new items`() async throws {
        let list = try await server.list(pages: 1)
        server.network.answer(.patch, "/tickets/1", with: .held)
        let change = list.update(list.items[0]) { $0.title = "Edited" }
        server.answer("/tickets", [Ticket(8), Ticket(1)])
        try await list.reload(.all)
        #expect(list.titles == ["Ticket 8", "Edited"])
        change.cancel()
        #expect(list.titles == ["Ticket 8", "Ticket 1"])
    }

    @Test(arguments: [
        (StubAnswer.response(422), "Ticket 2"), (StubAnswer.response(204), "Edited"),
        (Ticket(2, "Theirs").answer(), "Theirs"),
    ])
    func `An item that leaves its page while it is edited shows the result of the change`(
        answer: StubAnswer, title: String
    ) async throws {
        let list = try await server.list()
        server.network.answer(.patch, "/tickets/2", with: .held)
        let change = list.update(Ticket(2)) { $0.title = "Edited" }
        let sent = try await server.network.exchange(3)
        server.answer("/tickets", [Ticket(0), Ticket(1)])
        try await list.reload(.firstThenMerge)
        #expect(list.ids == [0, 1, 2, 3, 4])
        #expect(list.titles[2] == "Edited")
        sent.respond(with: answer)
        _ = try? await change.value
        #expect(list.titles[2] == title)
    }

    @Test func `An item that has moved to a page that is not loaded is edited in the list`() async throws {
        let list = try await server.list()
        server.answer("/tickets", [Ticket(0), Ticket(1)])
        try await list.reload(.firstThenMerge)
        #expect(list.ids == [0, 1, 2, 3, 4])  // The pages contain 0, 1, and 3, 4.
        server.network.answer(.patch, "/tickets/2", with: .held)
        let change = list.update(Ticket(2)) { $0.title = "Edited" }
        #expect(list.titles[2] == "Edited")
        let sent = try await server.network.exchange(4)
        sent.respond(with: .response(422))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(list.titles[2] == "Ticket 2")
        server.network.answer(.patch, "/tickets/2", with: Ticket(2, "Theirs").answer())
        _ = try await list.update(Ticket(2)) { $0.title = "Edited" }.value
        #expect(list.titles[2] == "Theirs")
    }

    // MARK: Conditions

    @Test func `The condition is the version of the item's resource, and a conflict can be reapplied`() async throws {
        let server = TicketServer {
            $0.configure("/tickets/*", requestMethods: [.patch]) { $0.precondition = .unchanged }
        }
        let list = try await server.list(pages: 1)
        _ = try await server.loadedTicket(1)
        server.network.answer(.get, "/tickets/1", with: Ticket(1, "Theirs").answer(etag: "\"2\""))
        server.network.answer(
            .patch, "/tickets/1", with: .response(412), Ticket(1, "Edited").answer(etag: "\"3\""))
        let change = list.update(list.items[0]) {
            $0.title = "Edited"
        } resolve: { _ in
            .reapply
        }
        #expect(try await change.value == Ticket(1, "Edited"))
        let conditions = server.writes.map { $0.request.value(forHTTPHeaderField: "If-Match") }
        #expect(conditions == ["\"1\"", "\"2\""])
        #expect(list.titles.first == "Edited")
    }

    @Test func `A durable edit is kept with the edits of its pages`() async throws {
        let connection = NetworkStatus()
        let server = TicketServer { $0.networkStatus = connection }
        let outbox = Outbox.inMemory()
        server.service.outbox = outbox
        let list = try await server.list()
        _ = try await server.loadedTicket(3)
        connection.isConnected = false
        let change = list.update(list.items[2], durable: true) { $0.title = "Edited" }
        try await change.accepted()
        let entry = try #require(outbox.entries.first)
        let addresses = ["/tickets/3", "/tickets?page=2"].map { "https://api.test" + $0 }
        #expect(entry.edits.map(\.address.url) == addresses)
        server.network.answer(.patch, "/tickets/3", with: Ticket(3, "Edited!").answer())
        connection.isConnected = true
        #expect(try await change.value == Ticket(3, "Edited!"))
        #expect(list.titles[2] == "Edited!")
        await outbox.settled()
        #expect(outbox.entries.isEmpty)
    }

    @Test func `Edits of two items that are on no loaded page are taken back one by one`() async throws {
        let list = try await server.list()
        for rows in [[Ticket(0), Ticket(1)], [Ticket(8), Ticket(0)]] {
            server.answer("/tickets", rows)
            try await list.reload(.firstThenMerge)
        }
        #expect(list.ids == [8, 0, 1, 2, 3, 4])
        for id in [1, 2] { server.network.answer(.patch, "/tickets/\(id)", with: .held) }
        let first = list.update(Ticket(1)) { $0.title = "A" }
        let second = list.update(Ticket(2)) { $0.title = "B" }
        try await server.network.exchange(5).respond(with: .response(422))
        await #expect(throws: RequestError.self) { try await first.value }
        #expect(Array(list.titles[2...3]) == ["Ticket 1", "B"])
        try await server.network.exchange(6).respond(with: Ticket(2, "B").answer())
        _ = try await second.value
        #expect(Array(list.titles[2...3]) == ["Ticket 1", "B"])
    }

    @Test func `A load that began before the edit leaves a page stale from which a closure takes the items`()
        async throws
    {
        let (service, page) = (server.service, #"{"tickets": [\#(Ticket(1).text)], "count": 7}"#)
        service.decode("/pages", as: Page.self, requestMethods: [.get])
        server.network.answer(.get, "/pages", with: .json(page), .held)
        let list = PagedResource(
            service.resource("/pages", as: Page.self), items: { page in page.tickets }, next: .link)
        list.collection = service.resource("/tickets")
        try await list.get()
        let load = list.pages[0].load()
        let sent = try await server.network.exchange(2)
        server.network.answer(.patch, "/tickets/1", with: Ticket(1, "Edited").answer())
        _ = try await list.update(list.items[0]) { $0.title = "Edited" }.value
        sent.respond(with: .json(page))
        await load.completion()
        #expect(list.pages.map(\.isStale) == [true])
    }
}
