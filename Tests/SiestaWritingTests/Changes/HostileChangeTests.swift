import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Code of an app that calls the library from each closure of a change, and edits at the limits of the rules.
@MainActor
@Suite(.timeLimit(.test))
struct HostileChangeTests {
    private let stub = StubbedUser()
    private var user: TypedResource<User> { stub.user }

    /// The changes that were sent, by the text of their bodies.
    private var sentBodies: [String] {
        stub.network.requests.compactMap { $0.httpBody.map { String(decoding: $0, as: UTF8.self) } }
    }

    private func coalescing(_ settlement: ChangeOptions.Settlement = .response) -> ChangeOptions {
        var options = ChangeOptions()
        options.coalesces = true
        options.settlement = settlement
        return options
    }

    @Test("A change with two edits of one resource is one pending change")
    func twoEdits() async throws {
        try await stub.load()
        stub.hold(.patch)
        let change = user.mutate(.patch, also: [user.edit { $0.stars += 1 }]) { $0.name = "Grace" }
        #expect(user.content == User(name: "Grace", stars: 1))
        #expect(user.resource.pendingChanges.count == 1)
        #expect(user.resource.snapshot.pendingChangeCount == 1)
        change.cancel()
        #expect(user.content == User())
    }

    @Test("An edit that cancels its own change does not stop the changes after it")
    func cancelInEdit() async throws {
        try await stub.load()
        stub.hold(.patch)
        let resource = user.resource
        let first = user.mutate(.patch) { user in
            user.name = "Grace"
            resource.pendingChanges.first?.cancel()
        }
        #expect(first.state == .failed)
        #expect(user.content == User())
        let second = user.mutate(.patch) { $0.stars = 1 }
        #expect(second.state == .sending)
        second.cancel()
        #expect(!resource.isOptimistic)
    }

    @Test("A change that an edit makes is sent after the change of this edit")
    func nestedOrder() async throws {
        try await stub.load()
        stub.hold(.patch)
        let user = user
        var isFirst = true
        let outer = user.mutate(.patch, body: .data(Data("outer".utf8))) { content in
            content.name = "Grace"
            guard isFirst else { return }
            isFirst = false
            user.mutate(.patch, body: .data(Data("inner".utf8))) { $0.stars += 1 }
        }
        #expect(outer.state == .sending)
        #expect(sentBodies == ["outer"])
        try await stub.network.exchange(2).respond(with: .response(500))
        _ = await outer.request.response
        #expect(sentBodies == ["outer", "inner"])
    }

    @Test(
        "The other resources of a change that was replaced lose its edits when both have failed",
        arguments: [true, false])
    func replacedFails(isCancelled: Bool) async throws {
        try await stub.load()
        try await stub.loadList()
        stub.hold(.put)
        let running = user.mutate(.put) { $0.stars = 1 }
        user.mutate(.put, also: [stub.list.edit { $0 = [] }], options: coalescing()) { $0.stars = 2 }
        let last = user.mutate(.put, options: coalescing()) { $0.stars = 3 }
        #expect(stub.list.content == [])
        if isCancelled {
            last.cancel()
        } else {
            try await stub.network.exchange(3).respond(with: .response(500))
            try await stub.network.exchange(4).respond(with: .response(500))
            _ = await last.request.response
        }
        #expect(stub.list.content?.count == 2)
        #expect(!stub.list.resource.isOptimistic)
        running.cancel()
    }

    @Test("A settlement by reload loads the other resources of a change that was replaced, too")
    func replacedReloads() async throws {
        try await stub.load()
        try await stub.loadList()
        stub.hold(.put)
        let running = user.mutate(.put) { $0.stars = 1 }
        user.mutate(.put, also: [stub.list.edit { $0 = [] }], options: coalescing(.reload)) { $0.stars = 2 }
        let last = user.mutate(.put, options: coalescing(.reload)) { $0.stars = 3 }
        running.cancel()
        try await stub.network.exchange(4).respond(with: .response(204))
        stub.network.answer(.get, "/users", with: .json("[]"))
        stub.network.answer(.get, "/users/1", with: User(stars: 3).json)
        _ = try await last.value
        #expect(stub.list.content == [])
        #expect(!stub.list.resource.isOptimistic)
    }

    @Test("The resolver receives the edits of the changes that were replaced as a part of mine")
    func mineOfReplaced() async throws {
        try await stub.load()
        stub.hold(.put)
        let running = user.mutate(.put)
        user.mutate(.put, options: coalescing()) { $0.stars += 1 }
        var mine: User?
        let last = user.mutate(
            .put, options: coalescing(), edit: { $0.name = "Grace" },
            resolve: { conflict in
                mine = conflict.mine
                return .giveUp
            })
        running.cancel()
        try await stub.network.exchange(3).respond(with: .response(412))
        _ = await last.request.response
        #expect(mine == User(name: "Grace", stars: 1))
    }

    @Test(
        "If the resource does not exist any more, a change that is sent again creates it",
        arguments: [(412, true), (428, true), (428, false)])
    func conflictWithNothing(status: Int, isSend: Bool) async throws {
        try await stub.load()
        stub.hold(.put)
        var options = ChangeOptions()
        options.precondition = .unchanged
        let change = user.mutate(
            .put, options: options, edit: { $0.name = "A" },
            resolve: { _ in isSend ? .send(User(name: "New")) : .force })
        stub.network.answer(.get, "/users/1", with: .response(404))
        try await stub.network.exchange(2).respond(with: .response(status))
        let again = try await stub.network.exchange(4).request
        #expect(again.value(forHTTPHeaderField: "If-Match") == nil)
        #expect(again.value(forHTTPHeaderField: "If-None-Match") == "*")
        change.cancel()
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
    }

    @Test("A change whose body cannot be sent fails again if it is repeated", arguments: [true, false])
    func repeatedRefusal(isUnencodable: Bool) async throws {
        try await stub.load()
        let body: RequestBody = isUnencodable ? .encoded(Unencodable()) : .data(Data("x".utf8), contentType: "a\r\nb")
        let change = user.mutate(.put, body: body) { $0.name = "Mine" }
        let first = await change.request.response
        let second = await change.request.repeated().start().response
        for info in [first, second] {
            guard case .failure(let error) = info.response else { Issue.record("no failure"); continue }
            #expect(isUnencodable ? error.cause is CocoaError : error.code == .invalidHeader)
        }
        #expect(user.content == User())
        #expect(stub.network.requests.count == 1)
    }

    @Test("The merged content of a change without an own edit is shown, too")
    func mergeWithoutEdit() async throws {
        try await stub.load()
        stub.hold(.put)
        let change = user.mutate(.put, resolve: { _ in .send(User(name: "Merged")) })
        stub.network.answer(.get, "/users/1", with: User(name: "Theirs").json)
        try await stub.network.exchange(2).respond(with: .response(409))
        _ = try await stub.network.exchange(4)
        #expect(user.content?.name == "Merged")
        #expect(user.resource.isOptimistic)
        change.cancel()
        #expect(user.content?.name == "Theirs")
    }

    @Test("A response without a body is not the new content of a resource whose content is bytes")
    func emptyBytes() async throws {
        let bytes: TypedResource<Data> = stub.service.resource("/bytes").typed()
        stub.network.answer(.get, "/bytes", with: .response(200, headers: [:], body: Data("a".utf8)))
        try await bytes.get(.always)
        stub.network.answer(.put, "/bytes", with: .response(204))
        _ = try await bytes.mutate(.put) { $0 += Data("b".utf8) }.value
        #expect(bytes.content == Data("ab".utf8))
    }

    @Test("If the load after a success fails, the edit becomes part of the data, which is stale")
    func failedReload() async throws {
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(204))
        stub.network.answer(.get, "/users/1", with: .response(503))
        var options = ChangeOptions()
        options.settlement = .reload
        _ = try await user.mutate(.patch, options: options) { $0.stars += 1 }.value
        #expect(user.content == User(stars: 1))
        #expect(!user.resource.isOptimistic)
        #expect(user.isStale)
    }

    @Test("A request of a change can be repeated: the change is made again")
    func repeated() async throws {
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(500), User(stars: 1).json)
        let change = user.mutate(.patch, body: .data(Data("body".utf8))) { $0.stars += 1 }
        await #expect(throws: RequestError.self) { try await change.value }
        let again = change.request.repeated().start()
        #expect(user.content == User(stars: 1))
        #expect(user.resource.pendingChanges.count == 1)
        _ = try await again.value
        #expect(sentBodies == ["body", "body"])
        #expect(!user.resource.isOptimistic)
    }
}
