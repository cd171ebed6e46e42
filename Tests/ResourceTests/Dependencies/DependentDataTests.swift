import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes that make other resources stale.
@MainActor @Suite(.timeLimit(.test))
struct DependentDataTests {
    private let bench = DependentService()
    private var service: Service { bench.service }

    // MARK: After a write

    @Test func `A successful write loads observed resources and makes others stale, before its caller's hooks`() async {
        await bench.load(bench.users, bench.user, bench.teams)
        bench.users.addObserver(bench.recorder)
        var seen: [Bool] = []
        await bench.users.request(.post).onCompletion { [bench] _ in
            seen = [bench.users.isLoading, bench.user.isStale, bench.user.isLoading, bench.teams.isStale]
        }.completion()
        #expect(seen == [true, true, false, false])
        #expect(bench.user.text == "Ada")
        await bench.settle()
        #expect(bench.loads(of: "/users") == 2)
        #expect(bench.loads(of: "/users/1") == 1)
        #expect(bench.loads(of: "/teams") == 1)
        #expect(bench.users.isUpToDate)
        #expect(bench.user.isStale)
        #expect(bench.user.loadIfNeeded() != nil)
    }

    @Test(arguments: [400, 401, 404, 409, 422])
    func `A refused write changes nothing`(status: Int) async {
        await bench.load(bench.users)
        bench.network.answer(.post, "/users", with: .response(status))
        await bench.users.request(.post).completion()
        #expect(bench.users.isUpToDate)
    }

    @Test(arguments: [
        StubAnswer.response(500), .response(503), .failure(.timedOut), .failure(.networkConnectionLost),
    ])
    func `If the outcome is unknown, resources become stale and are not loaded`(answer: StubAnswer) async {
        await bench.load(bench.users)
        bench.users.addObserver(bench.recorder)
        bench.network.answer(.post, "/users", with: answer)
        await bench.users.request(.post).completion()
        await bench.settle()
        #expect(bench.users.isStale)
        #expect(bench.loads(of: "/users") == 1)
    }

    @Test func `A write that is cancelled after it was sent has an unknown outcome`() async {
        await bench.load(bench.users)
        bench.network.answer(.post, "/users", with: .held)
        bench.users.request(.post).cancel()
        #expect(bench.users.isStale)
    }

    @Test func `A write that was never sent changes nothing`() async {
        await bench.load(bench.users)
        await bench.users.request(.post) { $0.url = nil }.completion()
        #expect(bench.users.isUpToDate)
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "QUERY", "REPORT"])
    func `A safe method changes nothing`(method: String) async {
        service.configure { $0.invalidates = ["users"] }
        await bench.load(bench.users)
        bench.network.handler = { _ in .response(200, headers: ["Cache-Group-Invalidation": "\"users\""]) }
        await bench.users.request(method: method).completion()
        #expect(bench.users.isUpToDate)
    }

    @Test func `Any other method is a write`() async {
        service.configure { $0.invalidates = ["users"] }
        await bench.load(bench.users)
        bench.network.handler = { _ in .response(200) }
        await bench.teams.request(method: "MKCOL").completion()
        #expect(bench.users.isStale)
    }

    @Test func `A success whose response cannot be parsed is a success`() async {
        await bench.load(bench.users)
        service.configureTransformer("/users", requestMethods: [.post]) { (entity: Entity<Data>) -> Int in
            throw CocoaError(.coderInvalidValue)
        }
        bench.users.addObserver(bench.recorder)
        bench.network.answer(.post, "/users", with: .response(200, body: Data("x".utf8)))
        #expect(await bench.users.request(.post).completion().failure != nil)
        #expect(bench.loads(of: "/users") == 2)
    }

    // MARK: Kinds of writes

    @Test func `Uploads, repeated, chained, decorated and retried requests are writes`() async throws {
        let users = bench.users
        func isStale(after request: any Request) async -> Bool {
            await bench.load(users)
            #expect(users.isUpToDate)
            await request.start().completion()
            return users.isStale
        }
        let original = users.request(.post)
        await original.completion()
        #expect(await isStale(after: original.repeated()))
        await bench.load(users)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("x".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        await users.request(.post, body: .file(file)).completion()
        #expect(users.isStale)
        await bench.load(users)
        try FileManager.default.removeItem(at: file)
        #expect(await users.request(.post, body: .file(file)).completion().failure != nil)
        #expect(!users.isStale)  // Nothing was sent.
        await bench.load(users)
        await users.request(.post).chained { _ in .passTo(Resource.hardWiredRequest(returning: .failure(.cancelled())))
        }
        .completion()
        #expect(users.isStale)
        service.configure("/users", requestMethods: [.post]) {
            $0.decorateRequests { _, request in request.chained { _ in .useThisResponse } }
        }
        await bench.load(users)
        await users.request(.post).completion()
        #expect(users.isStale)
    }

    @Test func `A write that succeeds after a retry counts once, when it has succeeded`() async throws {
        service.configure("/users", requestMethods: [.put]) { $0.retry = .standard }
        await bench.load(bench.users)
        bench.users.addObserver(bench.recorder)
        bench.network.answer(.put, "/users", with: .response(503), .response(204))
        let write = bench.users.request(.put)
        try await bench.clock.waitForTimers(1)
        #expect(bench.users.isUpToDate)
        bench.clock.advance(by: 5)
        await write.completion()
        await bench.settle()
        #expect(bench.loads(of: "/users") == 2)
    }

    @Test(arguments: [
        (StubAnswer.failure(.networkConnectionLost), true), (.response(503), true), (.response(429), false),
    ])
    func `A refusal does not show that an earlier attempt had no effect`(first: StubAnswer, isStale: Bool) async throws
    {
        service.configure("/users", requestMethods: [.put]) { $0.retry = .standard }
        await bench.load(bench.users)
        bench.users.addObserver(bench.recorder)
        bench.network.answer(.put, "/users", with: first, .response(404))
        let write = bench.users.request(.put)
        try await bench.clock.waitForTimers(1)
        bench.clock.advance(by: 5)
        await write.completion()
        await bench.settle()
        #expect(bench.network.requests.count { $0.httpMethod == "PUT" } == 2)
        #expect(bench.users.isStale == isStale)
        #expect(bench.loads(of: "/users") == 1)
    }

    @Test func `A typed resource's request is a write`() async {
        await bench.load(bench.users)
        await service.resource("/users", as: String.self).request(.post).completion()
        #expect(bench.users.isStale)
    }

    @Test func `The resource that uses the response of the write as its load is left out`() async {
        await bench.load(bench.users, bench.user)
        bench.users.addObserver(bench.recorder)
        bench.network.answer(.post, "/users", with: .text("all users"))
        await bench.users.load(using: bench.users.request(.post)).completion()
        await bench.settle()
        #expect(bench.users.text == "all users")
        #expect(bench.users.isUpToDate)
        #expect(bench.user.isStale)
        #expect(bench.loads(of: "/users") == 1)
    }

    @Test func `The response to a chain around the write is left out, too`() async {
        await bench.load(bench.users)
        bench.network.answer(.post, "/users", with: .text("all users"))
        let chain = bench.users.request(.post).chained { _ in .useThisResponse }
        await bench.users.load(using: chain).completion()
        #expect(bench.users.isUpToDate)
    }

    @Test func `The response to a repeated write is the new data of the resource that uses it`() async {
        service.configure("/users", requestMethods: [.post]) {
            $0.decorateRequests { _, request in
                request.chained { $0.failure?.httpStatusCode == 503 ? .passTo(request.repeated()) : .useThisResponse }
            }
        }
        await bench.load(bench.users)
        bench.network.answer(.post, "/users", with: .response(503), .text("all users"))
        await bench.users.load(using: bench.users.request(.post)).completion()
        #expect(bench.users.text == "all users")
        #expect(bench.users.isUpToDate)
    }

    @Test func `A resource is stale if newer data may lack the write whose response it uses`() async throws {
        await bench.load(bench.users)
        bench.network.answer(.post, "/users", with: .held)
        let write = bench.users.load(using: bench.users.request(.post))
        await bench.load(bench.users)
        try await bench.network.exchange(2).respond(with: .text("all users"))
        await write.completion()
        #expect(bench.users.isStale)
    }

    @Test func `If the load that uses the write is cancelled, its resource is stale`() async {
        await bench.load(bench.users)
        bench.network.answer(.post, "/users", with: .held)
        bench.users.load(using: bench.users.request(.post))
        bench.users.cancelLoadIfUnobserved()
        #expect(bench.users.isStale)
    }

    @Test(arguments: [StubAnswer.response(500), .failure(.networkConnectionLost)])
    func `If the outcome is unknown, the resource that uses the write is stale by HTTP, too`(answer: StubAnswer) async {
        service.configure { $0.freshness = .http }
        bench.network.answer(.get, "/users", with: .text("users", headers: ["Cache-Control": "max-age=600"]))
        await bench.load(bench.users)
        bench.network.answer(.post, "/users", with: answer)
        await bench.users.load(using: bench.users.request(.post)).completion()
        bench.clock.advance(by: 2)
        _ = try? await bench.users.get()
        #expect(bench.loads(of: "/users") == 2)
    }

    @Test func `If the resource that uses the write cannot use its response, it is loaded`() async {
        await bench.load(bench.users)
        service.configureTransformer("/users", requestMethods: [.post]) { (entity: Entity<Data>) -> Int in
            throw CocoaError(.coderInvalidValue)
        }
        bench.users.addObserver(bench.recorder)
        bench.network.answer(.post, "/users", with: .response(200, body: Data("x".utf8)))
        await bench.users.load(using: bench.users.request(.post)).completion()
        await bench.settle()
        #expect(bench.loads(of: "/users") == 2)
        #expect(bench.users.isUpToDate)
    }

    // MARK: Targets

    @Test func `Tags are computed from entities and content`() async {
        service.configure("/teams") { $0.tagContent(of: String.self) { ["content-\($0)"] } }
        service.configure("/teams") { $0.tagEntities { ["length-\($0.header(forKey: "X") ?? "")"] } }
        service.configure("/teams") { $0.tags = ["t"] }
        bench.network.answer(.get, "/teams", with: .text("a", headers: ["X": "7"]))
        #expect(bench.teams.tags == ["t"])
        for tag in ["t", "content-a", "length-7"] {
            await bench.load(bench.teams)
            #expect(bench.teams.isUpToDate)
            service.invalidate(tagged: tag)
            #expect(bench.teams.isStale, "\(tag)")
        }
        #expect(bench.teams.tags == ["t", "content-a", "length-7"])
        await bench.load(bench.teams)
        service.invalidate(tagged: ["content-b", "users"])
        #expect(bench.teams.isUpToDate)
    }

    @Test func `Resources with different rules are told apart`() async {
        let others = (0..<20).map { service.resource($0.isMultiple(of: 2) ? "/users/\($0)" : "/teams/\($0)") }
        for resource in others { resource.overrideLocalContent(with: "x") }
        service.invalidate(tagged: "users")
        #expect(others.map(\.isStale) == (0..<20).map { $0.isMultiple(of: 2) })
    }

    @Test func `Resources can be invalidated by a pattern`() async throws {
        await bench.load(bench.users, bench.user, bench.teams)
        service.invalidate(matching: "/users/*")
        #expect([bench.users, bench.user, bench.teams].map(\.isStale) == [false, true, false])
        service.invalidate(matching: bench.teams)
        #expect(bench.teams.isStale)
        service.invalidate(matching: try NSRegularExpression(pattern: "user"))
        #expect(bench.users.isStale)
    }

    @Test(arguments: [RequestMethod.put, .patch, .delete, .post])
    func `A write to an item makes the item and its collection stale, with all queries`(method: RequestMethod) async {
        service.configure("/teams/*") { $0.invalidates = [.collection] }
        bench.network.answer(method, "/teams/42", with: .response(204))
        let item = service.resource("/teams/42")
        let collection = [bench.teams, bench.teams.withParam("page", "2"), service.resource("/teams/")]
        let items = [item, item.withParam("full", "1")]
        let others = [item.child("members"), service.resource("/teams/43"), bench.users]
        for resource in collection + others + items { resource.overrideLocalContent(with: "x") }
        await item.request(method).completion()
        #expect(collection.map(\.isStale) == [true, true, true])
        #expect(others.map(\.isStale) == [false, false, false])
        #expect(items.map(\.isStale) == [true, true])
    }

    @Test(arguments: [(RequestMethod.put, true), (.delete, false)])
    func `After a write to an item, the observed item is loaded, unless it was deleted`(
        method: RequestMethod, isLoaded: Bool
    ) async throws {
        service.configure("/teams/*") { $0.invalidates = [.collection, "teams"] }
        service.configure("/teams/42") { $0.tags = ["teams"] }
        bench.network.answer(method, "/teams/42", with: .response(204))
        bench.network.answer(.get, "/teams/42", with: .text("team"), .held)
        bench.network.answer(.get, "/teams", with: .text("teams"), .held)
        let item = service.resource("/teams/42")
        await bench.load(bench.teams, item)
        let owner = NSObject()
        for resource in [item, bench.teams] { resource.addObserver(owner: owner) { _, _ in } }
        await item.request(method).completion()
        #expect(bench.teams.isLoading)
        #expect(item.isLoading == isLoaded)
        #expect(item.isStale)
    }

    @Test func `After a DELETE whose query selects items of a collection, the observed collection is loaded`() async {
        service.configure("/teams") { $0.invalidates = [.collection] }
        service.configure("/teams") { $0.tags = ["teams"] }
        bench.network.answer(.delete, "/teams?id=42", with: .response(204))
        bench.network.answer(.get, "/teams", with: .text("teams"), .held)
        bench.network.answer(.get, "/teams?id=42", with: .text("team"), .held)
        let item = bench.teams.withParam("id", "42")
        await bench.load(bench.teams, item)
        let owner = NSObject()
        for resource in [item, bench.teams] { resource.addObserver(owner: owner) { _, _ in } }
        await item.request(.delete).completion()
        #expect(bench.teams.isLoading)
        #expect(!item.isLoading)
        #expect(item.isStale)
    }

    @Test func `A rule can ask for a load of the resource that a DELETE has reset`() async {
        service.configure("/teams/*") { $0.invalidates = [.resource] }
        bench.network.answer(.delete, "/teams/42", with: .response(204))
        bench.network.answer(.get, "/teams/42", with: .text("team"), .held)
        let item = service.resource("/teams/42")
        await bench.load(item)
        let owner = NSObject()
        item.addObserver(owner: owner) { _, _ in }
        await item.request(.delete).completion()
        #expect(item.isLoading)
    }

    @Test func `A write can make its own resource stale`() async {
        service.configure("/teams/*") { $0.invalidates = [.resource, "users"] }
        bench.network.answer(.put, "/teams/42", with: .response(204))
        let resources = ["/teams/42", "/teams", "/users"].map { service.resource($0) }
        for resource in resources { resource.overrideLocalContent(with: "x") }
        await resources[0].request(.put).completion()
        #expect(resources.map(\.isStale) == [true, false, true])
    }

    @Test func `The targets of a write can be computed`() async {
        service.configure("/teams/*") {
            $0.addInvalidations { resource, entity in
                [.tag(resource.url.lastPathComponent), .tag(entity?.header(forKey: "X") ?? "unknown")]
            }
        }
        service.configure("/a") { $0.tags = ["42"] }
        service.configure("/b") { $0.tags = ["x"] }
        service.configure("/c") { $0.tags = ["unknown"] }
        let resources = ["/a", "/b", "/c"].map { service.resource($0) }
        for resource in resources { resource.overrideLocalContent(with: "x") }
        bench.network.answer(.put, "/teams/42", with: .response(204, headers: ["X": "x"]), .response(500))
        await service.resource("/teams/42").request(.put).completion()
        #expect(resources.map(\.isStale) == [true, true, false])
        await service.resource("/teams/42").request(.put).completion()
        #expect(resources.map(\.isStale) == [true, true, true])
    }

    // MARK: Groups of the server

    @Test func `Groups of the server are tags of its origin`() async {
        let other = service.resource(absoluteURL: "https://other.test/teams")
        bench.network.answer(.get, "/teams", with: .text("x", headers: ["Cache-Groups": #""g", "h""#]))
        bench.network.answer(
            .post, "/anything", with: .response(200, headers: ["Cache-Group-Invalidation": #""users", "h";x"#]))
        await bench.load(bench.teams, other, bench.users)
        #expect(bench.teams.tags == ["g", "h"])
        await service.resource("/anything").request(.post).completion()
        #expect(bench.teams.isStale)
        #expect(bench.users.isStale)
        #expect(other.isUpToDate)
        service.invalidate(tagged: "g")
        #expect(other.isStale)
    }

    @Test func `A failed write, and a field that is not a list of strings, invalidate no group`() async {
        await bench.load(bench.users)
        for (status, field) in [(404, #""users""#), (500, #""users""#), (200, "users"), (200, #""users", 1"#)] {
            bench.network.answer(
                .post, "/anything", with: .response(status, headers: ["Cache-Group-Invalidation": field]))
            await service.resource("/anything").request(.post).completion()
        }
        #expect(bench.users.isUpToDate)
    }

    // MARK: Off

    @Test func `Without tags, a write does nothing`() async {
        let stub = StubbedResource()
        stub.network.answer(.post, "/thing", with: .response(200))
        await stub.load(.text("x"))
        await stub.resource.request(.post).completion()
        #expect(stub.service.context.known(Dependencies.self) == nil)
        #expect(stub.resource.isUpToDate)
    }
}
