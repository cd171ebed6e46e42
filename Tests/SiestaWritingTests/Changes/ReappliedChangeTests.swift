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

/// Conflicts of changes whose bodies contain only what changes.
@MainActor
@Suite(.timeLimit(.test))
struct ReappliedChangeTests {
    private let stub = StubbedUser {
        $0.configure("/users/*", requestMethods: [.patch]) { $0.precondition = .unchanged }
    }

    /// Makes a change that gives the user a name and one more star.
    private func change(
        _ name: String, _ asked: @escaping (ChangeConflict<User>) -> Void = { _ in }
    ) -> Change<User> {
        stub.user.mutate(.patch, body: .encoded(["name": name])) {
            $0.name = name
            $0.stars += 1
        } resolve: { conflict in
            asked(conflict)
            return .reapply
        }
    }

    private func theirs(_ stars: Int, _ etag: String) {
        stub.network.answer(.get, "/users/1", with: User(name: "Theirs", stars: stars).json(etag: etag))
    }

    private func condition(ofRequest number: Int) async throws -> String? {
        try await stub.network.exchange(number).request.value(forHTTPHeaderField: "If-Match")
    }

    @Test func `The edit is made over theirs, and the same body is sent with their version`() async throws {
        try await stub.load()
        stub.hold(.patch)
        let change = change("Mine")
        theirs(3, "\"2\"")
        try await stub.network.exchange(2).respond(with: .response(412))
        let second = try await stub.network.exchange(4)
        #expect(second.request.value(forHTTPHeaderField: "If-Match") == "\"2\"")
        #expect(second.request.httpBody == Data(#"{"name":"Mine"}"#.utf8))
        #expect(stub.user.content == User(name: "Mine", stars: 4))
        second.respond(with: User(name: "Mine", stars: 4).json(etag: "\"3\""))
        #expect(try await change.value == User(name: "Mine", stars: 4))
        #expect(!stub.user.resource.isOptimistic)
    }

    @Test func `A second conflict is asked with the first theirs as its base`() async throws {
        try await stub.load()
        stub.hold(.patch)
        var conflicts: [ChangeConflict<User>] = []
        let change = change("Mine") { conflicts.append($0) }
        theirs(3, "\"2\"")
        try await stub.network.exchange(2).respond(with: .response(412))
        let second = try await stub.network.exchange(4)
        theirs(7, "\"3\"")
        second.respond(with: .response(412))
        #expect(try await condition(ofRequest: 6) == "\"3\"")
        #expect(conflicts.map(\.base) == [User(), User(name: "Theirs", stars: 3)])
        #expect(conflicts.map(\.mine) == [User(name: "Mine", stars: 1), User(name: "Mine", stars: 4)])
        #expect(conflicts.map(\.theirs) == [3, 7].map { User(name: "Theirs", stars: $0) })
        #expect(stub.user.content == User(name: "Mine", stars: 8))
        try await stub.network.exchange(6).respond(with: User(name: "Mine", stars: 8).json(etag: "\"4\""))
        #expect(try await change.value?.stars == 8)
    }

    @Test func `A server that refuses each time ends the change`() async throws {
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(412))
        theirs(3, "\"2\"")
        var count = 0
        let change = change("Mine") { _ in count += 1 }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(count == 16)
        #expect(stub.user.content == User(name: "Theirs", stars: 3))
    }

    @Test(arguments: [(412, nil), (409, nil), (428, "*")] as [(Int, String?)])
    func `Without a version that a condition can name, there is none, or one that only existence fulfils`(
        status: Int, condition: String?
    ) async throws {
        try await stub.load()
        stub.hold(.patch)
        let change = change("Mine")
        theirs(3, "W/\"2\"")
        try await stub.network.exchange(2).respond(with: .response(status))
        #expect(try await self.condition(ofRequest: 4) == condition)
        change.cancel()
    }

    @Test func `A resource that no longer exists cannot be edited`() async throws {
        try await stub.load()
        stub.hold(.patch)
        let change = change("Mine")
        stub.network.answer(.get, "/users/1", with: .response(404))
        try await stub.network.exchange(2).respond(with: .response(412))
        let error = await #expect(throws: RequestError.self) { try await change.value }
        #expect(error?.httpStatusCode == 412)
        #expect(stub.user.content == User())
        #expect(stub.network.requests.count == 3)
    }

    @Test func `A change behind it has a conflict, too, and both are made over theirs`() async throws {
        try await stub.load()
        stub.hold(.patch)
        let first = change("Mine")
        var bases: [User?] = []
        let second = stub.user.mutate(.patch, body: .encoded(["stars": 9])) {
            $0.stars = 9
        } resolve: { conflict in
            bases.append(conflict.base)
            return .reapply
        }
        theirs(3, "\"2\"")
        try await stub.network.exchange(2).respond(with: .response(412))
        try await stub.network.exchange(4).respond(with: User(name: "Mine", stars: 4).json(etag: "\"3\""))
        _ = try await first.value
        #expect(try await condition(ofRequest: 5) == "\"1\"")
        stub.network.answer(.get, "/users/1", with: User(name: "Mine", stars: 4).json(etag: "\"3\""))
        try await stub.network.exchange(5).respond(with: .response(412))
        #expect(try await condition(ofRequest: 7) == "\"3\"")
        #expect(bases == [User(name: "Mine", stars: 1)])
        try await stub.network.exchange(7).respond(with: User(name: "Mine", stars: 9).json(etag: "\"4\""))
        #expect(try await second.value == User(name: "Mine", stars: 9))
    }
}
