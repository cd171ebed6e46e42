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

@MainActor
@Suite(.timeLimit(.test))
struct ConflictTests {
    private let stub = StubbedUser { $0.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged } }

    private func change(
        _ name: String, resolve: TypedResource<User>.ConflictResolver? = nil
    ) -> Change<User> {
        stub.user.mutate(.put, body: .encoded(User(name: name)), edit: { $0.name = name }, resolve: resolve)
    }

    private func header(_ name: String, ofRequest number: Int) async throws -> String? {
        try await stub.network.exchange(number).request.value(forHTTPHeaderField: name)
    }

    @Test("The condition names the version on which the edit was based, although a load has replaced it")
    func basis() async throws {
        try await stub.load()
        stub.hold(.put)
        let first = change("A")
        let second = change("B")
        try await stub.load(User(stars: 9).json(etag: "\"9\""))
        #expect(try await header("If-Match", ofRequest: 2) == "\"1\"")
        try await stub.network.exchange(2).respond(with: User(name: "A").json(etag: "\"2\""))
        _ = try await first.value
        #expect(try await header("If-Match", ofRequest: 4) == "\"2\"")
        second.cancel()
    }

    @Test(
        "A change is based on the result of the one before it, although its version has arrived twice",
        arguments: [true, false])
    func sameVersion(isLoad: Bool) async throws {
        try await stub.load()
        stub.hold(.put)
        let first = change("A")
        if isLoad { try await stub.load() } else { stub.user.resource.overrideLocalContent(with: User(stars: 5)) }
        let second = change("B")
        try await stub.network.exchange(2).respond(with: User(name: "A").json(etag: "\"2\""))
        _ = try await first.value
        #expect(try await header("If-Match", ofRequest: isLoad ? 4 : 3) == "\"2\"")
        second.cancel()
    }

    @Test(
        arguments: [
            (["ETag": "W/\"1\"", "Last-Modified": "Tue, 24 Nov 2026 10:00:00 GMT"], "Tue, 24 Nov 2026 10:00:00 GMT"),
            (["Last-Modified": "Tue, 24 Nov 2026 10:00:00 GMT"], "Tue, 24 Nov 2026 10:00:00 GMT"),
            (["ETag": "W/\"1\""], nil), ([:], nil),
        ] as [([String: String], String?)])
    func `Without a strong entity tag, the date is the condition`(headers: [String: String], condition: String?)
        async throws
    {
        try await stub.load(.json(User().text, headers: headers))
        stub.hold(.put)
        let change = change("A")
        #expect(try await header("If-Match", ofRequest: 2) == nil)
        #expect(try await header("If-Unmodified-Since", ofRequest: 2) == condition)
        change.cancel()
    }

    @Test("A change that only creates has the condition that nothing exists (RFC 9110 §13.1.2)")
    func create() async throws {
        stub.hold(.put)
        var options = ChangeOptions()
        options.precondition = .absent
        let change = stub.user.mutate(
            .put, body: .data(Data("{}".utf8), contentType: "application/json"), also: [stub.user.replace(by: User())],
            options: options)
        #expect(stub.user.content == User())
        #expect(try await header("If-None-Match", ofRequest: 1) == "*")
        try await stub.network.exchange(1).respond(with: .response(412))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(stub.user.content == nil)
    }

    @Test("On a conflict, the resolver receives mine, base and theirs, and its merge is sent", arguments: [409, 412])
    func merge(status: Int) async throws {
        try await stub.load()
        stub.hold(.put)
        var conflicts: [ChangeConflict<User>] = []
        let change = change("Mine") { conflict in
            conflicts.append(conflict)
            return .send(User(name: conflict.mine?.name ?? "", stars: conflict.theirs?.stars ?? 0))
        }
        try await stub.network.exchange(2).respond(with: .response(status))
        stub.network.answer(.get, "/users/1", with: User(name: "Theirs", stars: 3).json(etag: "\"2\""))
        let second = try await stub.network.exchange(4)
        #expect(conflicts.map(\.mine) == [User(name: "Mine")])
        #expect(conflicts.map(\.base) == [User()])
        #expect(conflicts.map(\.theirs) == [User(name: "Theirs", stars: 3)])
        #expect(conflicts.map(\.error.httpStatusCode) == [status])
        #expect(second.request.value(forHTTPHeaderField: "If-Match") == "\"2\"")
        #expect(
            try JSONDecoder().decode(User.self, from: second.request.httpBody ?? Data())
                == User(name: "Mine", stars: 3))
        #expect(stub.user.content == User(name: "Mine", stars: 3))
        second.respond(with: User(name: "Mine", stars: 3).json(etag: "\"3\""))
        _ = try await change.value
        #expect(!stub.user.resource.isOptimistic)
    }

    @Test("A merge is sent as JSON by the configured encoder, whatever the first body was", arguments: 0..<3)
    func mergeOfOtherBody(kind: Int) async throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        stub.service.configure { $0.jsonEncoder = encoder }
        try await stub.load()
        stub.hold(.put)
        let bodies: [RequestBody?] = [nil, .form(["name": "Mine"]), .text("Mine")]
        let change = stub.user.mutate(.put, body: bodies[kind], edit: { $0.name = "Mine" }) { _ in
            .send(User(name: "Merged"))
        }
        try await stub.network.exchange(2).respond(with: .response(412))
        stub.network.answer(.get, "/users/1", with: User(name: "Theirs").json(etag: "\"2\""))
        let second = try await stub.network.exchange(4).request
        #expect(second.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(try JSONDecoder().decode(User.self, from: second.httpBody ?? Data()).name == "Merged")
        change.cancel()
    }

    @Test("A change that gives up fails, and shows theirs")
    func giveUp() async throws {
        try await stub.load()
        stub.hold(.put)
        let change = change("Mine") { _ in .giveUp }
        try await stub.network.exchange(2).respond(with: .response(412))
        stub.network.answer(.get, "/users/1", with: User(name: "Theirs").json(etag: "\"2\""))
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(stub.user.content?.name == "Theirs")
    }

    @Test(
        arguments: [(412, "\"2\"", nil), (428, "\"2\"", "\"2\""), (428, "W/\"2\"", "*")] as [(Int, String, String?)])
    func `A forced change has no condition, or the server's version if the server requires one`(
        status: Int, etag: String, condition: String?
    ) async throws {
        try await stub.load()
        stub.hold(.put)
        let change = change("Mine") { _ in .force }
        stub.network.answer(.get, "/users/1", with: User(name: "Theirs").json(etag: etag))
        try await stub.network.exchange(2).respond(with: .response(status))
        #expect(try await header("If-Match", ofRequest: 4) == condition)
        change.cancel()
    }

    @Test func `A server that requires a condition receives the newest version, and the app is asked once`()
        async throws
    {
        try await stub.load()
        stub.hold(.put)
        var count = 0
        let change = change("Mine") { _ in
            count += 1
            return .force
        }
        for (number, status) in [(2, 412), (4, 428), (6, 412)] {
            let sent = try await stub.network.exchange(number)
            let theirs = User(name: "Theirs", stars: number).json(etag: "\"\(number)\"")
            stub.network.answer(.get, "/users/1", with: theirs)
            sent.respond(with: .response(status))
        }
        #expect(try await header("If-Match", ofRequest: 4) == nil)
        #expect(try await header("If-Match", ofRequest: 6) == "\"4\"")
        #expect(try await header("If-Match", ofRequest: 8) == "\"6\"")
        try await stub.network.exchange(8).respond(with: User(name: "Mine").json(etag: "\"7\""))
        #expect(try await change.value?.name == "Mine")
        #expect(count == 1)
    }

    @Test("After a forced change, the next change does not overwrite theirs without being asked")
    func changeAfterForce() async throws {
        try await stub.load()
        stub.hold(.put)
        var conflicts: [ChangeConflict<User>] = []
        let first = change("Mine") { _ in .force }
        let second = change("Mine 2") { conflict in
            conflicts.append(conflict)
            return .giveUp
        }
        let sent = try await stub.network.exchange(2)
        stub.network.answer(.get, "/users/1", with: User(name: "Theirs", stars: 3).json(etag: "\"2\""))
        sent.respond(with: .response(412))
        try await stub.network.exchange(4).respond(with: User(name: "Mine", stars: 3).json(etag: "\"3\""))
        _ = try await first.value
        #expect(try await header("If-Match", ofRequest: 5) == "\"1\"")
        stub.network.answer(.get, "/users/1", with: User(name: "Mine", stars: 3).json(etag: "\"3\""))
        try await stub.network.exchange(5).respond(with: .response(412))
        await #expect(throws: RequestError.self) { try await second.value }
        #expect(conflicts.map(\.base?.name) == ["Mine"])
        #expect(conflicts.map(\.mine?.name) == ["Mine 2"])
        #expect(conflicts.map(\.theirs) == [User(name: "Mine", stars: 3)])
    }

    @Test("A conflict that nobody resolves makes the data stale", arguments: [409, 412])
    func unresolved(status: Int) async throws {
        try await stub.load()
        stub.network.answer(.put, "/users/1", with: .response(status))
        await #expect(throws: RequestError.self) { try await change("Mine").value }
        #expect(stub.user.isStale)
    }

    @Test("Without the version in the response, the data is loaded, so that the next change has a condition")
    func unknownVersion() async throws {
        try await stub.load()
        stub.network.answer(.put, "/users/1", with: User(name: "A").json)
        stub.network.answer(.get, "/users/1", with: User(name: "A").json(etag: "\"2\""))
        _ = try await change("A").value
        stub.hold(.put)
        let next = change("B")
        #expect(try await header("If-Match", ofRequest: 4) == "\"2\"")
        next.cancel()
    }

    @Test("A server that refuses each time ends the change")
    func endless() async throws {
        try await stub.load()
        stub.network.answer(.put, "/users/1", with: .response(412))
        var count = 0
        let change = change("Mine") { _ in
            count += 1
            return .send(User(name: "Mine"))
        }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(count == 16)
    }
}
