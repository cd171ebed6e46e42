import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing

/// Changes whose resources are loaded after the success.
@MainActor
@Suite(.timeLimit(.test))
struct ReloadedChangeTests {
    @Test("A settlement by reload keeps the change until the load has ended")
    func reload() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(204))
        stub.hold(.get)
        var options = ChangeOptions()
        options.settlement = .reload
        let change = stub.user.mutate(.patch, body: .encoded(["name": "Grace"]), options: options) { $0.name = "Grace" }
        let load = try await stub.network.exchange(3)
        #expect(stub.user.content?.name == "Grace")
        #expect(stub.user.resource.isOptimistic)
        load.respond(with: User(name: "Grace H.").json)
        #expect(try await change.value?.name == "Grace H.")
        #expect(!stub.user.resource.isOptimistic)
    }

    @Test("A load that settles a change replaces its edit in one step: no observer sees an item twice, or none")
    func reloadInOneStep() async throws {
        let stub = StubbedUser()
        try await stub.loadList()
        stub.network.answer(.post, "/users", with: .response(201))
        stub.hold(.get, "/users")
        let owner = NSObject()
        var shown: [Int] = []
        stub.list.addObserver(owner: owner) { _, _ in shown.append(stub.list.content?.count ?? 0) }
        shown = []
        var options = ChangeOptions()
        options.settlement = .reload
        let edit = stub.list.edit { $0.append(User(id: -1, name: "Cy")) }
        let change = stub.list.mutate(.post, also: [edit], options: options)
        let load = try await stub.network.exchange(3)
        load.respond(with: .json("[\(User().text), \(User(id: 2).text), \(User(id: 3, name: "Cy").text)]"))
        #expect(try await change.value?.map(\.id) == [1, 2, 3])
        #expect(!shown.isEmpty)
        #expect(shown.allSatisfy { $0 == 3 })
        #expect(!stub.list.resource.isOptimistic)
    }

    @Test("If the load that settles a change fails, the edit becomes part of the data, which is stale")
    func failedReload() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(204))
        stub.network.answer(.get, "/users/1", with: .response(503))
        var options = ChangeOptions()
        options.settlement = .reload
        let change = stub.user.mutate(.patch, body: .encoded(["name": "Grace"]), options: options) { $0.name = "Grace" }
        #expect(try await change.value?.name == "Grace")
        #expect(stub.user.isStale)
        #expect(!stub.user.resource.isOptimistic)
    }
}
