import Foundation
import Isolation
import Observation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaLists

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Views of data whose servers are hostile, and whose apps call everything at the wrong time.
@MainActor @Suite(.timeLimit(.test))
struct HostileViewsTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }

    // MARK: Pages

    @Test func `Each call for a page with content of another type fails, so that a loop ends`() async throws {
        let server = PagedServer(1...6)
        server.service.configure { $0.expirationTime = 1000 }
        let list = server.list()
        try await list.loadNext()
        server.service.configure(whenURLMatches: { $0.query == "page=2" }) {
            $0.pipeline[.parsing].add(ResponseContentTransformer { (_: Entity<Data>) in 17 })
        }
        for _ in 0..<2 {
            await #expect(throws: RequestError.self) { try await list.loadNext() }
        }
        #expect(list.hasNext)
        #expect(list.error?.requestURL == server.page(2).url)
        #expect(server.network.requests.count == 3)  // Each call asks the server again.
    }

    @Test func `A call after one of two loads of a page has failed joins the other load`() async throws {
        let server = PagedServer(1...6)
        let list = server.list()
        try await list.loadNext()
        server.isHeld = true
        let first = Task { try await list.loadNext() }
        try await Poll.until { list.isLoadingNext }
        server.page(2).resource.load()
        server.network.exchanges[1].respond(with: .response(500))
        await #expect(throws: RequestError.self) { try await first.value }
        list.beginLoadingNext()
        let second = try #require(list.loads[.next]?.request)
        #expect(!second.isCompleted)
        server.isHeld = false
        server.answerHeldRequests()
        await second.completion()
        #expect(list.items == [1, 2, 3, 4, 5, 6])
        #expect(!list.isLoadingNext)
        #expect(server.network.requests.count == 3)
    }

    @Test func `An iterator that is released off the main actor leaves no observer`() async throws {
        let list = PagedServer(1...6).list()
        let states = list.states
        await Task.detached {
            let iterator = states.makeAsyncIterator()
            withExtendedLifetime(iterator) {}
        }.value
        let task = Task.detached { for await _ in states {} }
        task.cancel()
        await task.value
        try await Poll.until { list.listeners.isEmpty && list.presence == nil }
    }

    @Test(arguments: [
        ("</rows?page=2>; rel=NEXT", true), ("</rows?page=2>; rel=prev; rel=next", false),
        ("</rows?page=2>; rel=\"x next\"", true), ("<>; rel=next", false), ("<//evil.test/rows>; rel=next", false),
        ("<javascript:alert(1)>; rel=next", false), ("<data:text/plain,1>; rel=next", false),
        ("<file:///etc/passwd>; rel=next", false), ("<http://api.test/rows?page=2>; rel=next", false),
        ("<HTTPS://API.TEST:443/rows?page=2>; rel=next", true), ("<https://api.test@evil.test/>; rel=next", false),
        ("<https://evil.test\\@api.test/>; rel=next", false), ("<https://api.test\\@evil.test/>; rel=next", false),
        ("<https://me:pw@api.test/rows?page=2>; rel=next", false), ("</rows?page=2#top>; rel=next", true),
        ("</rows?page=1#top>; rel=next", false), ("<#top>; rel=next", false),
        ("<https://api.test%00.evil.test/>; rel=next", false),
        ("<https://[::1>; rel=next", false), ("</rows?page=2; rel=next", false),
        ("</rows?page=2>; title=\"</evil>; rel=prev\"; rel=next", true),
        ("</rows?page=2>; rel=next; anchor=\"/other\"", false), ("</rows?page=2>; rel=next; anchor=\"\"", true),
    ])
    func `A list follows no link to another place`(_ link: String, _ isFollowed: Bool) async throws {
        let server = PagedServer(1...6)
        server.link = { $0 == 1 ? link : nil }
        let list = server.list()
        try await list.loadNext()
        while list.hasNext { try await list.loadNext() }
        #expect(server.requestedPages == (isFollowed ? [1, 2] : [1]))
        #expect(list.items.count == (isFollowed ? 6 : 3))
    }

    @Test(arguments: ["a+b/c==", "&x=1&y", "a b", "%20", "é", "#frag", "a\u{0}b", "?", "\r\nX: y", "../", ";", "[]"])
    func `A cursor arrives at the server as it was sent`(_ cursor: String) async throws {
        stub.network.handler = { request in
            let parts = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
            let after = parts?.queryItems?.first { $0.name == "after" }
            return .text(after.map { "got \($0.value ?? "")" } ?? "first")
        }
        let list = PagedResource(
            resource.typed(as: String.self), items: { [$0] }, id: { $0 },
            next: .cursor("after") { $0 == "first" ? cursor : nil })
        for _ in 0..<2 { try await list.loadNext() }
        #expect(list.items == ["first", "got \(cursor)"])
        #expect(stub.network.requests.last?.url?.absoluteString.contains("+") == false)
    }

    @Test func `A list shrinks to nothing, and shows repeated items once`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        for _ in 0..<3 { try await list.loadNext() }
        server.rows = []
        try await list.reload()
        #expect(list.items.isEmpty)
        #expect(!list.hasNext)
        #expect(list.pages.count == 1)
        server.rows = [1, 1, 1, 2, 2, 2, 1, 2, 3]
        try await list.reload()
        while list.hasNext { try await list.loadNext() }
        #expect(list.items == [1, 2, 3])
    }

    // MARK: Selections and switchers

    @Test func `The owner of removed closures does not keep the selections`() {
        let owner = Owner()
        var count = 0
        weak var released: SelectionCore<String>?
        for _ in 0..<20 {
            let selection = resource.select { data -> String? in
                count += 1
                return data.content as? String
            }
            selection.addObserver(owner: owner) { _, _ in }.addObserver(owner: owner) { _, _ in }
            selection.removeObservers(ownedBy: owner)
            released = selection.core
        }
        #expect(released == nil)
        #expect(!resource.isObserved)
        resource.overrideLocalContent(with: "a")
        #expect(count == 0)
    }

    @Test func `After the removal of an owner, the selection and its other owners remain`() {
        let (owner, other) = (Owner(), Owner())
        var texts: [[String?]] = [[], []]
        resource.addObserver(owner: owner) { _, _ in }
        var selection: Selection<String>? = resource.select { $0.content as? String }
        selection?.addObserver(owner: owner) { texts[0].append($1) }
        selection?.addObserver(owner: other) { texts[1].append($1) }
        selection?.removeObservers(ownedBy: owner)
        resource.overrideLocalContent(with: "a")
        #expect(texts == [[nil], [nil, "a"]])
        #expect(selection?.value == "a")
        selection?.addObserver(owner: owner) { texts[0].append($1) }
        selection?.removeObservers(ownedBy: other)
        selection = nil
        resource.overrideLocalContent(with: "b")
        #expect(texts == [[nil, "a", "b"], [nil, "a"]])
    }

    @Test func `Observation tracks the resource of a switcher`() {
        let switcher = ResourceSwitcher<String>()
        let count = Locked(0)
        withObservationTracking {
            _ = switcher.resource
        } onChange: {
            count.withLock { $0 += 1 }
        }
        switcher.resource = resource.typed()
        #expect(count.withLock { $0 } == 1)
    }
}
