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

@MainActor
@Suite(.timeLimit(.test))
struct PendingChangeTests {
    @Test("A change is shown at once, marked, and confirmed by its response")
    func shown() async throws {
        let stub = StubbedUser()
        try await stub.load()
        let recorder = ObserverRecorder()
        stub.user.resource.addObserver(recorder)
        recorder.clear()
        stub.hold(.patch)
        let change = stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }
        #expect(stub.names == ["Grace", "Grace"])
        #expect(stub.user.resource.isOptimistic)
        #expect(stub.user.snapshot.isOptimistic)
        #expect(stub.user.snapshot.source == .local)
        #expect(stub.user.resource.pendingChanges.map { $0 === change } == [true])
        #expect(change.state == .sending)
        let sent = try await stub.network.exchange(2)
        #expect(sent.request.httpBody == Data(#"{"name":"Grace"}"#.utf8))
        #expect(sent.request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        sent.respond(with: User(name: "Grace Hopper").json(etag: "\"2\""))
        #expect(try await change.value?.name == "Grace Hopper")
        #expect(stub.names == ["Grace Hopper", "Grace Hopper"])
        #expect(!stub.user.resource.isOptimistic)
        #expect(stub.user.snapshot.source == .network)
        #expect(stub.user.resource.latestData?.etag == "\"2\"")
        #expect(recorder.events == [.newData(.localOverride), .newData(.network)])
    }

    @Test func `A change that was not sent, because its file cannot be read, leaves fresh data`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let change = stub.user.mutate(.put, body: .file(file)) { $0.name = "Grace" }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(stub.network.requests.count == 1)
        #expect(stub.user.content == User(name: "Ada"))
        #expect(!stub.user.isStale)
    }

    @Test("A change that fails disappears alone, and the others stay")
    func failure() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.patch)
        stub.hold(.put)
        let first = stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }
        let second = stub.user.mutate(.put, body: .encoded(["stars": 1])) { $0.stars += 1 }
        #expect(second.state == .waiting)
        #expect(stub.user.content == User(name: "Grace", stars: 1))
        try await stub.network.exchange(2).respond(with: .response(422))
        await #expect(throws: RequestError.self) { try await first.value }
        #expect(stub.user.content == User(name: "Ada", stars: 1))
        #expect(stub.user.resource.latestError == nil)
        try await stub.network.exchange(3).respond(with: User(stars: 1).json)
        _ = try await second.request.value
        #expect(stub.user.content == User(stars: 1))
    }

    @Test("A load that arrives replaces the base, and the change is made again over it")
    func loadInBetween() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.patch)
        let change = stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }
        try await stub.load(User(stars: 7).json(etag: "\"2\""))
        #expect(stub.user.content == User(name: "Grace", stars: 7))
        try await stub.network.exchange(2).respond(with: .response(500))
        _ = await change.request.response
        #expect(stub.user.content == User(name: "Ada", stars: 7))
    }

    @Test("A load that began before the end of a change does not replace its result")
    func lateLoad() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.patch)
        stub.hold(.get)
        let change = stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }
        let load = stub.user.resource.load()
        let late = try await stub.network.exchange(3)
        try await stub.network.exchange(2).respond(with: User(name: "Grace").json)
        _ = try await change.value
        late.respond(with: User(name: "Old").json)
        _ = await load.response
        #expect(stub.user.content?.name == "Grace")
    }

    @Test("While a change is pending, a load asks with the validator of the base, and a 304 confirms the base")
    func confirmation() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.patch)
        let change = stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }
        stub.network.answer(.get, "/users/1", with: .notModified)
        _ = await stub.user.resource.load().response
        #expect(stub.network.requests.count == 3)
        #expect(stub.network.requests[2].value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        #expect(stub.names == ["Grace", "Grace"])
        #expect(stub.user.isUpToDate)
        change.cancel()
        #expect(stub.names == ["Ada", "Ada"])
    }

    @Test("A change of a list and its item is shown and removed as a whole")
    func severalResources() async throws {
        let stub = StubbedUser()
        try await stub.load()
        try await stub.loadList()
        stub.hold(.delete)
        let change = stub.user.mutate(.delete, also: [stub.list.edit { $0.removeAll { $0.id == 1 } }])
        #expect(stub.list.content?.map(\.name) == ["Bob"])
        #expect(stub.list.resource.isOptimistic)
        #expect(!stub.user.resource.isOptimistic)
        change.cancel()
        #expect(stub.list.content?.map(\.name) == ["Ada", "Bob"])
        await #expect(throws: RequestError.self) { try await change.value }
        let second = stub.user.mutate(.delete, also: [stub.list.edit { $0.removeAll { $0.id == 1 } }])
        try await stub.network.exchange(4).respond(with: .response(204))
        _ = try await second.value
        #expect(stub.list.content?.map(\.name) == ["Bob"])
        #expect(!stub.list.resource.isOptimistic)
    }

    @Test("A response without content makes the edit part of the data, and the data stale")
    func edited() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(204, headers: ["ETag": "\"2\""]))
        _ = try await stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        #expect(stub.user.content?.name == "Grace")
        #expect(stub.user.resource.latestData?.etag == "\"2\"")
        #expect(stub.user.isStale)
    }

    @Test(arguments: [(500, true), (422, false)])
    func `If it is unknown whether the server has carried out a change, the edited data is stale`(
        status: Int, isStale: Bool
    ) async throws {
        let stub = StubbedUser()
        try await stub.load()
        try await stub.loadList()
        stub.network.answer(.delete, "/users/1", with: .response(status))
        let change = stub.user.mutate(.delete, also: [stub.list.edit { $0.removeFirst() }])
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(stub.user.isStale == isStale)
        #expect(stub.list.isStale == isStale)
    }

    @Test("A change that is cancelled while it is sent makes the edited data stale, but not one that waits")
    func cancelledWhileSent() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.patch)
        let changes = (1...2).map { count in
            stub.user.mutate(.patch, body: .encoded(["stars": count])) { $0.stars = count }
        }
        changes[1].cancel()
        #expect(!stub.user.isStale)
        changes[0].cancel()
        #expect(stub.user.isStale)
    }

    @Test("A later PUT replaces an unsent earlier one, and both end together")
    func coalescing() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.put)
        var options = ChangeOptions()
        options.coalesces = true
        let changes = ["A", "B", "C"].map { name in
            stub.user.mutate(.put, body: .encoded(User(name: name)), options: options) { $0.name = name }
        }
        #expect(stub.user.content?.name == "C")
        try await stub.network.exchange(2).respond(with: User(name: "A").json)
        let last = try await stub.network.exchange(3)
        #expect(try JSONDecoder().decode(User.self, from: last.request.httpBody ?? Data()).name == "C")
        last.respond(with: User(name: "C").json)
        for change in changes { _ = try await change.value }
        #expect(stub.network.requests.count == 3)
        #expect(stub.user.content?.name == "C")
    }

    @Test("A wipe cancels changes, and sends none of those that wait")
    func wipe() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.patch)
        let changes = (0..<3).map { index in
            stub.user.mutate(.patch, body: .encoded(["stars": index])) { $0.stars = index }
        }
        _ = try await stub.network.exchange(2)
        stub.service.wipeResources()
        for change in changes { await #expect(throws: RequestError.self) { try await change.value } }
        try await stub.load()
        #expect(stub.network.requests.filter { $0.httpMethod == "PATCH" }.count == 1)
        #expect(!stub.user.resource.isOptimistic)
        #expect(stub.user.content == User())
    }

    @Test("A body that cannot be encoded fails the change, and nothing is shown")
    func unencodable() async throws {
        let stub = StubbedUser()
        try await stub.load()
        let change = stub.user.mutate(.patch, body: .encoded(Double.nan)) { $0.name = "Grace" }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(stub.names == ["Ada", "Ada"])
        #expect(stub.network.requests.count == 1)
    }

    @Test("A selection and Observation are told of a change")
    func selection() async throws {
        let stub = StubbedUser()
        try await stub.load()
        var names: [String?] = []
        let owner = NSObject()
        let selection = stub.user.select(\.name)
        selection.addObserver(owner: owner) { names.append($1) }
        stub.hold(.patch)
        let change = stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }
        stub.user.mutate(.patch, body: .encoded(["stars": 1])) { $0.stars = 1 }
        change.cancel()
        #expect(names == ["Ada", "Grace", "Ada"])
    }

    @Test("An edit that changes the same resource ends, and loses no change")
    func reentrantEdit() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.patch)
        let user = stub.user
        var isFirst = true
        let change = user.mutate(.patch, body: .encoded(["name": "Grace"])) { content in
            content.name = "Grace"
            guard isFirst else { return }
            isFirst = false
            user.mutate(.patch, body: .encoded(["stars": 5])) { $0.stars = 5 }
        }
        #expect(user.content == User(name: "Grace", stars: 5))
        #expect(user.resource.pendingChanges.count == 2)
        change.cancel()
        #expect(user.content == User(stars: 5))
    }

    @Test func `Tags are invalidated after the last change of a burst, also if a decorator repeats the requests`()
        async throws
    {
        let stub = StubbedUser {
            $0.configure("/users") { $0.tags = ["users"] }
            $0.configure("/users/*", requestMethods: [.patch]) {
                $0.invalidates = ["users"]
                $0.repeatRefusedRequests()
            }
        }
        try await stub.load()
        try await stub.loadList()
        stub.hold(.patch)
        let first = stub.user.mutate(.patch, body: .encoded(["stars": 1])) { $0.stars = 1 }
        let second = stub.user.mutate(.patch, body: .encoded(["stars": 2])) { $0.stars = 2 }
        try await stub.network.exchange(3).respond(with: .response(401))
        try await stub.network.exchange(4).respond(with: User(stars: 1).json)
        _ = try await first.value
        #expect(!stub.list.isStale)
        try await stub.network.exchange(5).respond(with: User(stars: 2).json)
        _ = try await second.value
        #expect(stub.list.isStale)
    }

    @Test("Tags are invalidated after the last change of a burst")
    func burst() async throws {
        let stub = StubbedUser {
            $0.configure("/users") { $0.tags = ["users"] }
            $0.configure("/users/*", requestMethods: [.patch]) { $0.invalidates = ["users"] }
        }
        try await stub.load()
        try await stub.loadList()
        try await sendBurst(stub) { #expect(!stub.list.isStale) }
        #expect(stub.list.isStale)
    }

    /// Makes three changes, and answers them one by one. Calls `beforeAnswer` before each answer.
    private func sendBurst(_ stub: StubbedUser, beforeAnswer: () -> Void) async throws {
        stub.hold(.patch)
        let changes = (1...3).map { count in
            stub.user.mutate(.patch, body: .encoded(["stars": count])) { $0.stars = count }
        }
        for number in 3...5 {
            beforeAnswer()
            try await stub.network.exchange(number).respond(with: User(stars: number - 2).json)
            _ = try await changes[number - 3].value
        }
    }

    @Test func `The invalidations of a burst of changes search the resources once`() async throws {
        var searches = 0
        let stub = StubbedUser {
            $0.configure("/users") {
                $0.tagEntities { _ in
                    searches += 1
                    return ["users"]
                }
            }
            $0.configure("/users/*", requestMethods: [.patch]) { $0.invalidates = ["users"] }
        }
        try await stub.load()
        try await stub.loadList()
        var isFirst = true
        try await sendBurst(stub) { if exchange(&isFirst, with: false) { searches = 0 } }
        #expect(stub.list.isStale)
        #expect(searches == 1)
    }
}
