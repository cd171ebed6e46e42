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

/// Conflicts during which something else happens.
@MainActor
@Suite(.timeLimit(.test))
struct ConflictRaceTests {
    private let stub = StubbedUser { $0.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged } }
    private var user: TypedResource<User> { stub.user }

    private func header(_ name: String, ofRequest number: Int) async throws -> String? {
        try await stub.network.exchange(number).request.value(forHTTPHeaderField: name)
    }

    private func theirs(_ etag: String) {
        stub.network.answer(.get, "/users/1", with: User(name: "Theirs").json(etag: etag))
    }

    @Test("A merge has the condition of the version that the app has seen, although newer data has arrived meanwhile")
    func newerData() async throws {
        try await stub.load()
        stub.hold(.put)
        var answers: [CheckedContinuation<Void, Never>] = []
        var seen: [String?] = []
        let change = user.mutate(.put, body: .encoded(User(name: "Mine"))) {
            $0.name = "Mine"
        } resolve: { conflict in
            seen.append(conflict.theirs?.name)
            await withCheckedContinuation { answers.append($0) }
            return .send(User(name: "Merged"))
        }
        let sent = try await stub.network.exchange(2)
        theirs("\"2\"")
        sent.respond(with: .response(412))
        while answers.isEmpty { await mainQueueTurn() }
        try await stub.load(User(name: "Newer").json(etag: "\"3\""))
        answers[0].resume()
        #expect(try await header("If-Match", ofRequest: 5) == "\"2\"")
        try await stub.network.exchange(5).respond(with: .response(412))
        while answers.count < 2 { await mainQueueTurn() }
        #expect(seen == ["Theirs", "Newer"])
        change.cancel()
        answers[1].resume()
    }

    @Test("After a merge, a change that was forced before does not overwrite a version that the app has not seen")
    func mergeAfterForce() async throws {
        try await stub.load()
        stub.hold(.put)
        var statuses: [Int?] = []
        let change = user.mutate(.put, body: .encoded(User(name: "Mine"))) {
            $0.name = "Mine"
        } resolve: { conflict in
            statuses.append(conflict.error.httpStatusCode)
            return switch statuses.count {
            case 1: .force
            case 2: .send(User(name: "Merged"))
            default: .giveUp
            }
        }
        for (number, status) in [(2, 412), (4, 409), (6, 412)] {
            let sent = try await stub.network.exchange(number)
            theirs("\"\(number)\"")
            sent.respond(with: .response(status))
        }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(statuses == [412, 409, 412])
    }

    @Test("If theirs cannot be loaded, the data is stale", arguments: [409, 412, 428])
    func unloadedTheirs(status: Int) async throws {
        try await stub.load()
        stub.hold(.put)
        let change = user.mutate(.put, body: .encoded(User(name: "Mine"))) {
            $0.name = "Mine"
        } resolve: { _ in
            .force
        }
        let sent = try await stub.network.exchange(2)
        stub.network.answer(.get, "/users/1", with: .response(503))
        sent.respond(with: .response(status))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(user.isStale)
        #expect(user.content == User())
    }

    @Test("Mine does not contain the edits of a replaced change that the app has cancelled during the conflict")
    func cancelledReplaced() async throws {
        try await stub.load()
        stub.hold(.put)
        var options = ChangeOptions()
        options.coalesces = true
        user.mutate(.put, body: .data(Data()), options: options) { $0.stars = 1 }
        let replaced = user.mutate(.put, body: .data(Data()), options: options) { $0.stars = 2 }
        var mine: User?
        let last = user.mutate(.put, body: .data(Data()), options: options) {
            $0.name = "Grace"
        } resolve: { conflict in
            mine = conflict.mine
            return .giveUp
        }
        try await stub.network.exchange(2).respond(with: User(stars: 1).json(etag: "\"2\""))
        stub.hold(.get)
        try await stub.network.exchange(3).respond(with: .response(412))
        let load = try await stub.network.exchange(4)
        replaced.cancel()
        load.respond(with: User(stars: 9).json(etag: "\"3\""))
        await #expect(throws: RequestError.self) { try await last.value }
        #expect(mine == User(name: "Grace", stars: 1))
    }
}
