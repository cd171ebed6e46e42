import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Data that is the result of an edit: the server has confirmed the change, and has not sent the content.
@MainActor
@Suite(.timeLimit(.test))
struct ComputedDataTests {
    /// The name that another client has written between the load and the change.
    private static let theirs = User(name: "Ada", stars: 9)

    /// The response to a change that names a version, and has no content of the resource.
    struct Answer: Sendable, CustomTestStringConvertible {
        let status: Int
        let version: [String: String]
        let body: String

        var testDescription: String { "\(status) \(version) \(body)" }

        init(_ status: Int, _ version: [String: String], _ body: String = "") {
            (self.status, self.version, self.body) = (status, version, body)
        }

        var stub: StubAnswer { .response(status, headers: version, body: Data(body.utf8)) }
    }

    nonisolated private static let date = "Thu, 01 Jan 2026 00:00:03 GMT"
    nonisolated private static let answers = [
        Answer(204, ["ETag": "\"3\""]), Answer(204, ["ETag": "W/\"3\""]), Answer(204, ["Last-Modified": date]),
        Answer(204, ["ETag": "\"3\"", "Last-Modified": date]),
        Answer(200, ["ETag": "\"3\"", "Content-Type": "application/json"], #"{"status": "ok"}"#),
        Answer(200, ["ETag": "\"3\"", "Content-Type": "text/html"], "<p>Saved"), Answer(201, ["ETag": "\"3\""]),
        Answer(202, ["ETag": "\"3\""]),
    ]

    /// Makes the network answer loads as a server that has the content of another client, and the last version.
    private func serve(_ stub: StubbedUser, _ version: [String: String]) {
        let body = Self.theirs.text
        stub.network.handler = { request in
            guard request.httpMethod == "GET" || request.httpMethod == "HEAD" else { return nil }
            let asked = request.value(forHTTPHeaderField: "If-None-Match")
            let date = request.value(forHTTPHeaderField: "If-Modified-Since")
            if asked != nil ? asked == version["ETag"] : date != nil && date == version["Last-Modified"] {
                return .response(304, headers: version)
            }
            let headers = version.merging(["Content-Type": "application/json"]) { $1 }
            return .response(200, headers: headers, body: request.httpMethod == "HEAD" ? Data() : Data(body.utf8))
        }
    }

    private func expectTheirs(_ stub: StubbedUser, after load: any Request) async {
        _ = await load.response
        let last = stub.network.requests.last
        #expect(last?.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(last?.value(forHTTPHeaderField: "If-Modified-Since") == nil)
        #expect(stub.user.content == Self.theirs)
    }

    @Test(arguments: [RequestMethod.patch, .put, .post], answers)
    func `A version in the response to a change is no condition of a load`(
        method: RequestMethod, answer: Answer
    ) async throws {
        for settlement in [ChangeOptions.Settlement.response, .edit] {
            let stub = StubbedUser()
            try await stub.load()
            stub.network.answer(method, "/users/1", with: answer.stub)
            var options = ChangeOptions()
            options.settlement = settlement
            let change = stub.user.mutate(method, body: .encoded(["name": "Grace"]), options: options) {
                $0.name = "Grace"
            }
            #expect(try await change.value?.name == "Grace")
            serve(stub, answer.version)
            await expectTheirs(stub, after: stub.user.resource.load())
        }
    }

    @Test func `The body of a 202 describes the work of the server, and is not the new content`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        let job = StubAnswer.json(User(name: "job", stars: 9).text, status: 202, headers: ["ETag": "\"job\""])
        stub.network.answer(.patch, "/users/1", with: job)
        _ = try await stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        #expect(stub.user.content == User(name: "Grace"))
        #expect(stub.user.isStale)
        #expect(stub.user.resource.latestData?.etag != "\"job\"")
    }

    @Test(arguments: [FreshnessRule.fixed, .http])
    func `A HEAD response with the version of a computed result does not confirm it`(
        freshness: FreshnessRule
    ) async throws {
        let stub = StubbedUser { $0.configure { $0.freshness = freshness } }
        try await stub.load(User().json(etag: "\"1\""))
        stub.network.answer(.patch, "/users/1", with: .response(204, headers: ["ETag": "\"3\""]))
        _ = try await stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        serve(stub, ["ETag": "\"3\"", "Cache-Control": "max-age=1000"])
        _ = await stub.user.resource.request(.head).response
        #expect(stub.user.isStale)
        let load = try #require(stub.user.loadIfNeeded())
        await expectTheirs(stub, after: load)
    }

    @Test(arguments: [
        (["ETag": "\"3\""], "If-Match", "\"3\""), (["Last-Modified": date], "If-Unmodified-Since", date),
        (["ETag": "W/\"3\"", "Last-Modified": date], "If-Unmodified-Since", date),
    ])
    func `A version in the response to a change is the condition of the next change`(
        version: [String: String], name: String, value: String
    ) async throws {
        let stub = StubbedUser {
            $0.configure("/users/*", requestMethods: [.patch]) { $0.precondition = .unchanged }
        }
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(204, headers: version), .response(204))
        stub.network.answer(.get, "/users/1", with: User(name: "Grace").json)
        _ = try await stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        _ = try await stub.user.mutate(.patch, body: .encoded(["stars": 1])) { $0.stars = 1 }.value
        let writes = stub.network.requests.filter { $0.httpMethod == "PATCH" }
        #expect(writes[1].value(forHTTPHeaderField: name) == value)
    }

    @Test(arguments: [ChangeDetection.always, .bytes, .equatable])
    func `A computed result is compared with no response`(detection: ChangeDetection) async throws {
        let stub = StubbedUser { $0.configure { $0.changeDetection = detection } }
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(204, headers: ["ETag": "\"3\""]))
        _ = try await stub.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        try await stub.load(Self.theirs.json(etag: "\"3\""))
        #expect(stub.user.content == Self.theirs)
    }

    @Test func `Other resources of a change have no version`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(
            .get, "/users", with: .json("[\(User().text)]", headers: ["ETag": "\"7\"", "Last-Modified": Self.date]))
        try await stub.list.get(.always)
        stub.network.answer(.patch, "/users/1", with: .response(204, headers: ["ETag": "\"7\""]))
        let edit = stub.list.edit { $0[0].name = "Grace" }
        _ = try await stub.user.mutate(.patch, body: .encoded(["name": "Grace"]), also: [edit]) { $0.name = "Grace" }
            .value
        stub.network.answer(.get, "/users", with: .json("[\(Self.theirs.text)]", headers: ["ETag": "\"7\""]))
        try await stub.list.get(.always)
        #expect(stub.network.requests.last?.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(stub.list.content == [Self.theirs])
    }

    @Test func `The version of a created resource is not the version of the resource to which it was posted`()
        async throws
    {
        let stub = StubbedUser { $0.configure { $0.precondition = .unchanged } }
        stub.network.answer(
            .get, "/users", with: .json("[]", headers: ["ETag": "\"1\""]),
            .json("[\(Self.theirs.text)]", headers: ["ETag": "\"2\""]))
        try await stub.list.get(.always)
        stub.network.answer(.post, "/users", with: .response(201, headers: ["ETag": "\"7\""]))
        _ = try await stub.list.mutate(.post, body: .encoded(User())) { $0.append(User()) }.value
        #expect(stub.list.content == [Self.theirs])
        _ = try await stub.list.mutate(.post, body: .encoded(User())) { $0.append(User()) }.value
        let writes = stub.network.requests.filter { $0.httpMethod == "POST" }
        #expect(writes.map { $0.value(forHTTPHeaderField: "If-Match") } == ["\"1\"", "\"2\""])
    }

    // MARK: Caches

    private func restarted(_ cache: InMemoryCache, _ stage: PipelineStageKey) -> StubbedUser {
        StubbedUser { service in
            service.configure("/users/*", requestMethods: [.patch]) { $0.precondition = .unchanged }
            service.configure { $0.pipeline[stage].cacheUsing(cache) }
        }
    }

    /// Waits until the cache has a number of writes.
    private func isWritten(_ cache: InMemoryCache, _ count: Int) async throws {
        try await Poll.until { cache.operations.count { if case .write = $0 { true } else { false } } == count }
    }

    @Test(arguments: [PipelineStageKey.rawData, .model], answers)
    func `After a relaunch from a cache, a computed result is stale, and confirmed by no response`(
        stage: PipelineStageKey, answer: Answer
    ) async throws {
        let cache = InMemoryCache()
        let first = restarted(cache, stage)
        try await first.load()
        try await isWritten(cache, 1)
        first.network.answer(.put, "/users/1", with: answer.stub)
        _ = try await first.user.mutate(.put, body: .encoded(User(name: "Grace"))) { $0.name = "Grace" }.value
        if stage == .model { try await isWritten(cache, 2) } else { try await Poll.until { cache.entities.isEmpty } }
        let second = restarted(cache, stage)
        serve(second, answer.version)
        _ = (try? await second.user.resource.get(.cached))
        if stage == .model {
            #expect(second.user.content?.name == "Grace")
            #expect(second.user.isStale)
            await expectTheirs(second, after: second.user.resource.load())
        } else {
            // A cache of an early stage cannot store the result, and has no older version either.
            #expect(second.user.content == nil)
            _ = await second.user.resource.load().response
            #expect(second.user.content == Self.theirs)
        }
    }

    @Test(arguments: [PipelineStageKey.rawData, .model])
    func `After a relaunch from a cache, the result of a change that overlapped a load is stale`(
        stage: PipelineStageKey
    ) async throws {
        let cache = InMemoryCache()
        let first = restarted(cache, stage)
        try await first.load()
        for method in [RequestMethod.get, .put] { first.hold(method) }
        let change = first.user.mutate(.put, body: .encoded(User(name: "Grace"))) { $0.name = "Grace" }
        first.user.resource.load()
        _ = try await first.network.exchange(3)
        try await first.network.exchange(2).respond(with: User(name: "Grace").json(etag: "\"3\""))
        _ = try await change.value
        #expect(first.user.isStale)
        try await isWritten(cache, 2)
        let second = restarted(cache, stage)
        #expect((try? await second.user.get(.cached)) == User(name: "Grace"))
        #expect(second.user.isStale)
    }

    @Test func `After a relaunch from a cache, the version of a computed result is the condition of a change`()
        async throws
    {
        let cache = InMemoryCache()
        let first = restarted(cache, .model)
        try await first.load()
        first.network.answer(.patch, "/users/1", with: .response(204, headers: ["ETag": "\"3\""]))
        _ = try await first.user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        try await isWritten(cache, 2)
        let second = restarted(cache, .model)
        _ = (try? await second.user.resource.get(.cached))
        #expect(second.user.resource.latestData?.etag == "\"3\"")
        second.network.answer(.patch, "/users/1", with: User(name: "Joan").json(etag: "\"4\""))
        _ = try await second.user.mutate(.patch, body: .encoded(["name": "Joan"])) { $0.name = "Joan" }.value
        #expect(second.network.requests.first?.value(forHTTPHeaderField: "If-Match") == "\"3\"")
    }

    // MARK: Other data without the content of its version

    @Test(arguments: [(RequestMethod.put, 204), (.put, 205), (.head, 200)])
    func `The version of a load without content is no condition`(method: RequestMethod, status: Int) async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(method, "/users/1", with: .response(status, headers: ["ETag": "\"3\""]))
        _ = await stub.user.resource.load(using: stub.user.resource.request(method)).response
        serve(stub, ["ETag": "\"3\""])
        await expectTheirs(stub, after: stub.user.resource.load())
    }

    // MARK: Age

    private var edit: ChangeOptions {
        var options = ChangeOptions()
        options.settlement = .edit
        return options
    }

    @Test func `A result that is computed of stale data is stale, also after a failed load`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.user.resource.invalidate()
        stub.network.answer(.get, "/users/1", with: .response(500))
        await #expect(throws: RequestError.self) { try await stub.user.get(.always) }
        stub.network.answer(.patch, "/users/1", with: .response(204))
        _ = try await stub.user.mutate(.patch, body: .data(Data()), options: edit) { $0.stars = 5 }.value
        #expect(stub.user.content == User(stars: 5))
        #expect(stub.user.isStale)
    }

    @Test func `Data that is older than a change does not replace its computed result`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.clock.advance(by: 10)
        stub.network.answer(.patch, "/users/1", with: .response(204))
        _ = try await stub.user.mutate(.patch, body: .data(Data()), options: edit) { $0.stars = 5 }.value
        stub.service.seed(Self.theirs, for: stub.user, timestamp: stub.clock.wallTime - 5)
        #expect(stub.user.content == User(stars: 5))
        stub.clock.advance(by: 1)
        stub.service.seed(Self.theirs, for: stub.user)
        #expect(stub.user.content == Self.theirs)
    }

    @Test func `A computed result is as old as the data of which it was computed`() async throws {
        let stub = StubbedUser { $0.configure { $0.expirationTime = 30 } }
        try await stub.load()
        stub.clock.advance(by: 20)
        stub.network.answer(.patch, "/users/1", with: .response(204))
        _ = try await stub.user.mutate(.patch, body: .data(Data()), options: edit) { $0.stars = 5 }.value
        #expect(stub.user.isUpToDate)
        stub.clock.advance(by: 11)
        #expect(stub.user.isStale)
    }
}
