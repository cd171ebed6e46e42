import CacheTorture
import Foundation
import Isolation
import Observation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Persistent caches of resources whose freshness follows HTTP: lifetimes, variants and errors after a restart.
@MainActor @Suite(.timeLimit(.test))
struct HTTPCachesTests {
    /// The value that the app sends with its requests.
    @MainActor
    private final class Session: Sendable {
        var language = "de"
    }

    private let folder: TestFolder
    private let clock = TestClock()
    private let network = StubNetwork()
    private let session = Session()

    init() throws {
        folder = try TestFolder()
    }

    /// Returns a service as after a start of the app.
    private func service(
        _ network: StubNetwork, _ configure: @escaping (inout Configuration) -> Void = { _ in }
    ) -> Service {
        let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
        let (url, session) = (folder.url, session)
        service.configure {
            $0.freshness = .http
            $0.headers["Accept-Language"] = session.language
            $0.pipeline[.rawData].cacheUsing(.file(at: url))
            configure(&$0)
        }
        return service
    }

    private func flush() async throws {
        try await PersistentCache.file(at: folder.url).storage.flush()
    }

    /// Loads the resource with a response, in a service of its own.
    private func load(_ answer: StubAnswer) async throws {
        let network = StubNetwork()
        network.answer(.get, "/x", with: answer)
        await service(network).resource("/x").load().completion()
        try await flush()
    }

    /// Returns the resource after a restart, when its caches are read.
    private func restarted(
        _ network: StubNetwork? = nil, _ configure: @escaping (inout Configuration) -> Void = { _ in }
    ) async -> Resource {
        let resource = service(network ?? StubNetwork(), configure).resource("/x")
        await resource.service.warm([resource])
        return resource
    }

    private var records: [CacheRecord] {
        get throws {
            try folder.files.map {
                try CacheRecord(encoded: Data(contentsOf: folder.url.appendingPathComponent($0)))
            }
        }
    }

    // MARK: Updated fields

    @Test(arguments: ["GET", "HEAD"])
    func `A response without content does not change the type of stored content`(_ method: String) async throws {
        let isHead = method == "HEAD"
        let type = ["ETag": "\"1\"", "Cache-Control": "max-age=60", "Content-Type": "text/html", "X": "2"]
        network.answer(.get, "/x", with: .json("{\"a\": 1}", headers: ["ETag": "\"1\"", "X": "1"]))
        let resource = service(network).resource("/x")
        await resource.load().completion()
        network.answer(isHead ? .head : .get, "/x", with: .response(isHead ? 200 : 304, headers: type))
        await (isHead ? resource.request(.head) : resource.load()).completion()
        try await flush()
        for resource in [resource, await restarted()] {
            #expect(resource.latestData?.contentType == "application/json")
            #expect(resource.latestData?.header(forKey: "X") == "2")
            #expect(resource.jsonDict["a"] as? Int == 1)
            #expect(resource.isUpToDate)
        }
    }

    // MARK: Lifetimes

    @Test func `A restart continues the lifetime`() async throws {
        try await load(.text("x", headers: ["Cache-Control": "max-age=60", "Age": "5"]))
        clock.advance(by: 10)
        let resource = await restarted()
        #expect(resource.text == "x")
        #expect(resource.latestData?.statusCode == 200)
        #expect(resource.isUpToDate)
        #expect(resource.freshness.freshUntil == Date(timeIntervalSinceReferenceDate: clock.wallTime + 45))
        clock.advance(by: 44)
        #expect(resource.isUpToDate)
        #expect(await restarted().isUpToDate)
        clock.advance(by: 1)
        #expect(!resource.isUpToDate)
        #expect(await !restarted().isUpToDate)
    }

    @Test(arguments: [-1, -3_600, -86_400 * 3_650, 56, 86_400 * 3_650] as [TimeInterval])
    func `A clock that jumps while the app is not running makes the data stale`(jump: TimeInterval) async throws {
        try await load(.text("x", headers: ["Cache-Control": "max-age=60", "Age": "5"]))
        clock.setWallTime(clock.wallTime + jump)
        let resource = await restarted()
        #expect(resource.text == "x")
        #expect(!resource.isUpToDate)
    }

    @Test func `The time between request and response counts as age`() async throws {
        let network = StubNetwork()
        let gate = StubGate()
        let answer = StubAnswer.text("x", headers: ["Cache-Control": "max-age=60", "Age": "0"])
        network.answer(.get, "/x", with: answer.after(gate))
        let load = service(network).resource("/x").load()
        _ = try await network.exchange(1)
        clock.advance(by: 20)
        gate.open()
        await load.completion()
        try await flush()
        let record = try #require(try records.first)
        #expect(record.statusCode == 200)
        #expect(try #require(record.responseTime) - #require(record.requestTime) == 20)
        clock.advance(by: 39)
        #expect(await restarted().isUpToDate)
        clock.advance(by: 1)
        #expect(await !restarted().isUpToDate)
    }

    @Test func `A confirmation continues after a restart`() async throws {
        network.answer(
            .get, "/x", with: .text("x", headers: ["Cache-Control": "max-age=10", "ETag": "\"1\"", "X": "old"]),
            .response(304, headers: ["Cache-Control": "max-age=100", "ETag": "\"1\"", "X": "new", "Age": "30"]))
        let resource = service(network).resource("/x")
        await resource.load().completion()
        clock.advance(by: 11)
        await resource.loadIfNeeded()?.completion()
        try await flush()
        clock.advance(by: 69)
        #expect(await restarted().isUpToDate)
        #expect(await restarted().latestData?.header(forKey: "X") == "new")
        clock.advance(by: 1)
        #expect(await !restarted().isUpToDate)
    }

    @Test func `Data that may be used after an error serves an app that starts without a network`() async throws {
        try await load(.text("x", headers: ["Cache-Control": "max-age=10, stale-if-error=100", "ETag": "\"1\""]))
        clock.advance(by: 50)
        for answer in [StubAnswer.failure(.notConnectedToInternet), .response(503)] {
            let network = StubNetwork()
            network.answer(.get, "/x", with: answer)
            let resource = service(network).resource("/x")
            let entity = try await resource.get()
            #expect(entity.content as? String == "x")
            #expect(entity.header(forKey: "Age") == "50")
            #expect(resource.latestError != nil)
            #expect(network.requests.count == 1)
        }
        clock.advance(by: 100)
        let network = StubNetwork()
        network.answer(.get, "/x", with: .response(503))
        await #expect(throws: RequestError.self) { _ = try await service(network).resource("/x").get() }
    }

    @Test func `Data that must be revalidated does not serve an app without a network`() async throws {
        try await load(.text("x", headers: ["Cache-Control": "max-age=10, must-revalidate", "ETag": "\"1\""]))
        clock.advance(by: 50)
        let network = StubNetwork()
        network.answer(.get, "/x", with: .failure(.notConnectedToInternet))
        await #expect(throws: RequestError.self) { _ = try await service(network).resource("/x").get() }
    }

    // MARK: Storing

    @Test func `A response that must not be stored is not stored, and removes the older one`() async throws {
        try await load(.text("x", headers: ["Cache-Control": "max-age=60"]))
        #expect(try records.count == 1)
        let options = EntityCacheOptions(respectsNoStore: false)
        let (app, cache) = (InMemoryCache(), PersistentCache(MemoryRecordStore(), options: options))
        network.answer(
            .get, "/x", with: .text("x", headers: ["Cache-Control": "max-age=60"]),
            .text("secret", headers: ["Cache-Control": "no-store"]))
        let service = service(network) {
            $0.pipeline[.parsing].cacheUsing(app)
            $0.pipeline[.model].cacheUsing(cache.coding(.codable(String.self)))
        }
        let resource = service.resource("/x")
        await resource.load().completion()
        await resource.load().completion()
        try await flush()
        try await cache.storage.flush()
        #expect(resource.text == "secret")
        #expect(try records.isEmpty)
        #expect(await cache.storage.statistics().usage?.entries == 0)
        await resource.load().completion()
        // The cache of the app has a queue of its own.
        let removal = InMemoryCache.Operation.remove(resource.url.absoluteString)
        try await Poll.until { app.entities.isEmpty && app.operations.contains(removal) }
    }

    @Test func `Headers of the connection, and those that it names, are not stored`() async throws {
        try await load(
            .text(
                "x",
                headers: [
                    "Cache-Control": "max-age=60, no-cache=\"X-Once\"", "Connection": "close, X-Hop", "X-Hop": "1",
                    "X-Once": "2", "Keep-Alive": "3", "Proxy-Authenticate": "4", "Proxy-Connection": "5", "X": "6",
                ]))
        let headers = try #require(try records.first).headers
        #expect(headers["x"] == "6")
        for name in ["connection", "x-hop", "x-once", "keep-alive", "proxy-authenticate", "proxy-connection"] {
            #expect(headers[name] == nil, "\(name)")
        }
    }

    // MARK: Variants

    @Test(arguments: ["max-age=10", "max-age=10, no-cache=\"X-Once\""])
    func `A confirmation stores no header that the server must confirm before each use`(_ first: String) async throws {
        let control = "max-age=10, no-cache=\"X-Once\""
        network.answer(
            .get, "/x", with: .text("x", headers: ["Cache-Control": first, "ETag": "\"1\"", "X-Once": "1"]),
            .response(304, headers: ["Cache-Control": control, "ETag": "\"1\"", "X-Once": "2", "X": "3"]))
        let resource = service(network).resource("/x")
        await resource.load().completion()
        try await flush()  // The confirmation must find the record in the store.
        clock.advance(by: 11)
        await resource.loadIfNeeded()?.completion()
        try await flush()
        let headers = try #require(try records.first).headers
        #expect(headers["x"] == "3")
        #expect(headers["x-once"] == nil)
    }

    @Test func `A running app finds the variant for other headers in its caches`() async throws {
        network.handler = { request in
            let language = request.value(forHTTPHeaderField: "Accept-Language") ?? ""
            return .text(
                language,
                headers: ["Vary": "Accept-Language", "Cache-Control": "max-age=60", "ETag": "\"\(language)\""])
        }
        let service = service(network)
        let resource = service.resource("/x")
        for language in ["de", "en"] {
            session.language = language
            service.invalidateConfiguration()
            await resource.loadIfNeeded()?.completion()
            #expect(resource.text == language)
            #expect(network.lastExchange?.request.value(forHTTPHeaderField: "If-None-Match") == nil)
            try await flush()
        }
        #expect(network.requests.count == 2)
        for language in ["de", "en", "de"] {
            session.language = language
            service.invalidateConfiguration()
            #expect(!resource.isUpToDate)
            await resource.loadIfNeeded()?.completion()
            #expect(resource.text == language)
            #expect(resource.isUpToDate)
        }
        session.language = "en"
        service.invalidateConfiguration()
        #expect(try await resource.get().content as? String == "en")
        #expect(network.requests.count == 2)
        session.language = "fr"
        service.invalidateConfiguration()
        #expect(try await resource.get().content as? String == "fr")
        #expect(network.requests.count == 3)
    }

    @Test func `Each variant is there after a restart`() async throws {
        for language in ["de", "en", "fr"] {
            session.language = language
            try await load(
                .text(language, headers: ["Vary": "Accept-Language", "Cache-Control": "max-age=60"]))
        }
        for language in ["de", "en", "fr"] {
            session.language = language
            let resource = await restarted()
            #expect(resource.text == language)
            #expect(resource.isUpToDate)
        }
    }

    // MARK: Errors

    @Test func `Who joins a load and wants the network in any case gets no error from the cache`() async throws {
        try await load(.response(404, headers: ["Cache-Control": "max-age=60"]))
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("back"))
        let resource = service(network).resource("/x")
        let load = resource.loadIfNeeded()
        #expect(resource.joinLoad() === load)
        await load?.completion()
        #expect(resource.text == "back")
    }

    @Test func `An error from a cache does not follow a wipe in reaction to it`() async throws {
        try await load(.response(404, headers: ["Cache-Control": "max-age=60"]))
        let (resource, isTold) = (service(StubNetwork()).resource("/x"), Locked(false))
        withObservationTracking {
            _ = resource.latestError
        } onChange: {
            guard !isTold.withLock({ exchange(&$0, with: true) }) else { return }
            MainActor.assumeIsolated { resource.wipe(includingCaches: true) }
        }
        await resource.service.warm([resource])
        #expect(resource.latestError == nil)
    }

    @Test func `An error comes back as it was, and holds back loads for the rest of its lifetime`() async throws {
        let body = Data(#"{"title": "Gone fishing"}"#.utf8)
        try await load(
            .response(
                404,
                headers: [
                    "Cache-Control": "max-age=60", "Age": "5", "Content-Type": "application/problem+json", "X": "1",
                ], body: body))
        clock.advance(by: 10)
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("back"))
        let resource = await restarted(network)
        let error = try #require(resource.latestError)
        #expect(error.httpStatusCode == 404)
        #expect(error.userMessage == "Gone fishing")
        #expect(error.entity?.header(forKey: "X") == "1")
        #expect(error.entity?.statusCode == 404)
        #expect(error.timestamp == clock.wallTime - 10)
        #expect(error.requestURL == resource.url)
        #expect(error.requestMethod == "GET")
        #expect(resource.latestData == nil)
        clock.advance(by: 44.5)
        #expect(resource.loadIfNeeded() == nil)
        clock.advance(by: 0.5)
        await resource.loadIfNeeded()?.completion()
        #expect(resource.text == "back")
        #expect(resource.latestError == nil)
    }

    @Test func `A load that waits for the caches fails with the stored error, and asks no server`() async throws {
        try await load(.response(410, headers: ["Cache-Control": "max-age=60"]))
        let network = StubNetwork()
        let resource = service(network).resource("/x")
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        let response = try #require(resource.loadIfNeeded())
        await response.completion()
        #expect(resource.latestError?.httpStatusCode == 410)
        #expect(!resource.isLoading)
        await #expect(throws: RequestError.self) { _ = try await service(network).resource("/x").get() }
        #expect(network.requests.isEmpty)
    }

    @Test func `Errors without a lifetime, stale errors, and errors from the future are ignored`() async throws {
        try await load(.response(404))
        #expect(try records.isEmpty)
        try await load(.response(404, headers: ["Cache-Control": "no-store, max-age=60"]))
        #expect(try records.isEmpty)
        try await load(.response(404, headers: ["Cache-Control": "max-age=60"]))
        #expect(try records.count == 1)
        #expect(await restarted().latestError != nil)
        #expect(await restarted { $0.freshness = .fixed }.latestError == nil)
        clock.setWallTime(clock.wallTime - 1)
        #expect(await restarted().latestError == nil)
        clock.setWallTime(clock.wallTime + 61)
        #expect(await restarted().latestError == nil)
        #expect(await PersistentCache.file(at: folder.url).entity(for: service(network).resource("/x")) == nil)
    }

    @Test func `Caches store only successes if freshness does not follow HTTP`() async throws {
        network.answer(.get, "/x", with: .response(404, headers: ["Cache-Control": "max-age=60"]))
        await service(network) { $0.freshness = .fixed }.resource("/x").load().completion()
        try await flush()
        #expect(try records.isEmpty)
    }

    @Test func `The error of a server keeps the success, and another error replaces it`() async throws {
        try await load(.text("x", headers: ["Cache-Control": "max-age=10"]))
        try await load(.response(503, headers: ["Cache-Control": "max-age=60"]))
        #expect(await restarted().text == "x")
        #expect(await restarted().latestError == nil)
        try await load(.response(404, headers: ["Cache-Control": "max-age=60"]))
        #expect(await restarted().latestData == nil)
        #expect(await restarted().latestError?.httpStatusCode == 404)
        try await load(.text("y", headers: ["Cache-Control": "max-age=10"]))
        #expect(await restarted().text == "y")
        #expect(await restarted().latestError == nil)
    }

    @Test func `An error in a cache does not replace the data in memory`() async throws {
        network.answer(
            .get, "/x", with: .text("x", headers: ["Cache-Control": "max-age=10"]),
            .response(404, headers: ["Cache-Control": "max-age=60"]))
        let resource = service(network).resource("/x")
        await resource.load().completion()
        await resource.load().completion()
        try await flush()
        #expect(resource.text == "x")
        #expect(resource.latestError?.httpStatusCode == 404)
        #expect(await restarted().latestError?.httpStatusCode == 404)
    }

    @Test func `An error passes all stages, whichever cache has it`() async throws {
        struct Message: ResponseTransformer {
            func process(_ response: Response) -> Response {
                guard case .failure(var error) = response else { return response }
                error.userMessage = "Told: " + (error.entity?.text ?? "")
                return .failure(error)
            }
        }
        let url = folder.url
        let configure: (inout Configuration) -> Void = {
            $0.pipeline[.model].add(Message())
            $0.pipeline[.model].cacheUsing(.file(at: url, of: String.self))
        }
        network.answer(
            .get, "/x", with: .text("no such thing", status: 404, headers: ["Cache-Control": "max-age=60"]))
        await service(network, configure).resource("/x").load().completion()
        try await flush()
        #expect(try records.count == 2)
        #expect(try records.allSatisfy { $0.isError && $0.content == Data("no such thing".utf8) })
        #expect(await restarted(nil, configure).latestError?.userMessage == "Told: no such thing")
    }

    // MARK: Clear-Site-Data

    @Test func `A server clears the entries of its origin`() async throws {
        for path in ["/a", "/b"] {
            network.answer(.get, path, with: .text("x", headers: ["Cache-Control": "max-age=60"]))
        }
        network.answer(
            .get, "/logout",
            with: .text("bye", headers: ["Clear-Site-Data": "\"cache\"", "Cache-Control": "max-age=60"]))
        network.answer(.get, "http://other.test/a", with: .text("y", headers: ["Cache-Control": "max-age=60"]))
        let first = service(network)
        for path in ["/a", "/b"] { await first.resource(path).load().completion() }
        await first.resource(absoluteURL: "http://other.test/a").load().completion()
        try await flush()
        #expect(try records.count == 3)
        await first.resource("/logout").load().completion()
        try await flush()
        #expect(Set(try records.map(\.address)) == ["http://other.test/a", "http://cache.test/logout"])
    }

    @Test(arguments: [true, false])
    func `A write outdates what loads with a body have stored`(isInMemory: Bool) async throws {
        network.handler = {
            $0.httpMethod == "PUT" ? .response(204) : .text("x", headers: ["Cache-Control": "max-age=60"])
        }
        let service = service(network)
        func search() -> Resource {
            service.resource("/search", loadedBy: .query, body: .data(Data("q".utf8)))
        }
        await search().load().completion()
        try await flush()
        #expect(try records.count == 1)
        let kept = isInMemory ? search() : nil
        service.flushUnusedResources()
        clock.advance(by: 1)
        await service.resource("/search").request(.put).completion()
        try await flush()
        if isInMemory { #expect(try records.isEmpty) }
        kept?.wipe()
        await service.warm([search()])
        #expect(search().isStale)
        extendLifetime(kept)
    }
}
