import Foundation
import Isolation
import Observation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Resources whose freshness follows HTTP.
@MainActor @Suite(.timeLimit(.test))
struct HTTPFreshnessTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }
    private var requests: Int { stub.network.requests.count }

    init() {
        stub.service.configure { $0.freshness = .http }
    }

    private func answer(_ cacheControl: String? = nil, _ headers: [String: String] = [:], text: String = "x") {
        var headers = headers
        if let cacheControl { headers["Cache-Control"] = cacheControl }
        stub.network.answer(.get, "/thing", with: .text(text, headers: headers))
    }

    /// Loads the resource with a response, and lets time pass.
    private func load(_ cacheControl: String? = nil, _ headers: [String: String] = [:], then time: TimeInterval = 0)
        async
    {
        answer(cacheControl, headers)
        _ = await resource.load().completion()
        stub.clock.advance(by: time)
    }

    // MARK: Lifetimes

    @Test(arguments: [
        ("max-age=60", [:], 59.0, true), ("max-age=60", [:], 60, false), ("max-age=60", ["Age": "20"], 39, true),
        ("max-age=60", ["Age": "20"], 40, false), ("no-cache, max-age=60", [:], 0, false),
        ("no-store, max-age=60", [:], 0, false), ("max-age=0", [:], 0, false), ("s-maxage=60", [:], 29, true),
        ("private, max-age=60", [:], 59, true), ("max-age=5", [:], 6, false), ("max-age=60", ["Vary": "*"], 0, false),
    ])
    func `The lifetime of a response decides`(
        _ control: String, _ headers: [String: String], _ time: TimeInterval, _ isFresh: Bool
    ) async {
        await load(control, headers, then: time)
        #expect(resource.isUpToDate == isFresh)
        #expect(resource.snapshot.isStale == !isFresh || headers["Vary"] != nil)
        #expect((resource.loadIfNeeded() == nil) == isFresh)
    }

    @Test func `Without a lifetime, the fallback decides`() async {
        await load(then: 29)
        #expect(resource.isUpToDate)
        stub.clock.advance(by: 1)
        #expect(!resource.isUpToDate)
        stub.service.configure { $0.freshness = .http(fallback: 100) }
        await load(then: 99)
        #expect(resource.isUpToDate)
    }

    @Test(arguments: ["no-cache", "max-age=5", "max-stale=5"])
    func `Local data that a stream keeps current is judged although the requests have directives`(_ field: String) {
        stub.service.configure { $0.headers["Cache-Control"] = field }
        resource.overrideLocalContent(with: "mine")
        let now = resource.context.now
        resource.change { $0.setGuarantee(true, at: now) }
        #expect(resource.isUpToDate)
        #expect(resource.loadIfNeeded() == nil)
    }

    @Test(arguments: [
        (FetchPolicy.ifOlder(than: 20), "mine"), (.ifOlder(than: 5), "new"), (.ifOlder(than: 0), "new"),
        (.directives(minFresh: 10), "mine"), (.directives(minFresh: 60), "new"),
    ])
    func `The limits of the caller also apply to local data`(_ policy: FetchPolicy, _ text: String) async throws {
        answer("max-age=60", text: "new")
        resource.overrideLocalContent(with: "mine")
        stub.clock.advance(by: 10)
        #expect(try await resource.get(policy).content as? String == text)
    }

    @Test(arguments: ["thing", "%74hing"])
    func `The Content-Location of a POST may spell the URL in another way`(_ location: String) async {
        let headers = ["Cache-Control": "max-age=60", "Content-Location": location]
        stub.network.answer(.post, "/thing", with: .text("x", headers: headers))
        _ = await resource.load(using: resource.request(.post)).completion()
        #expect(resource.isUpToDate)
    }

    @Test func `Other resources keep the expiration time`() async {
        stub.service.configure { $0.freshness = .fixed }
        await load("no-store", then: 29)
        #expect(resource.isUpToDate)
    }

    @Test func `A 304 renews the lifetime and the headers`() async {
        await load("max-age=10", ["ETag": "\"1\"", "X": "old"], then: 11)
        stub.network.answer(
            .get, "/thing",
            with: .response(304, headers: ["Cache-Control": "max-age=100", "ETag": "\"1\"", "X": "new"]))
        _ = await resource.loadIfNeeded()?.completion()
        stub.clock.advance(by: 99)
        #expect(resource.isUpToDate)
        #expect(resource.latestData?.header(forKey: "X") == "new")
        #expect(resource.latestData?.statusCode == 200)
        stub.clock.advance(by: 1)
        #expect(!resource.isUpToDate)
    }

    @Test(arguments: [RequestMethod.get, .head])
    func `A confirmation without Date and Age counts from its arrival`(method: RequestMethod) async {
        // The clock shows this time at the start of a test.
        let old = ["Date": "Sat, 09 May 2026 06:13:20 GMT", "Age": "50", "ETag": "\"1\""]
        await load("max-age=60", old, then: 100)
        let status = method == .head ? 200 : 304
        stub.network.answer(
            method, "/thing", with: .response(status, headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""]))
        await (method == .head ? resource.request(.head) : resource.load()).completion()
        stub.clock.advance(by: 59)
        #expect(resource.isUpToDate)
        stub.clock.advance(by: 1)
        #expect(!resource.isUpToDate)
    }

    @Test func `A 304 for another version is asked again without a condition`() async throws {
        await load("max-age=10", ["ETag": "\"1\""], then: 11)
        stub.network.answer(
            .get, "/thing", with: .response(304, headers: ["ETag": "\"2\""]), .text("new", headers: ["ETag": "\"2\""]))
        #expect(try await resource.get().content as? String == "new")
        #expect(requests == 3)
    }

    // MARK: Stale data

    @Test func `While the data may be revalidated in the background, fresh() returns at once`() async throws {
        await load("max-age=10, stale-while-revalidate=20", then: 15)
        answer("max-age=10", text: "new")
        let entity = try await resource.get()
        #expect(entity.content as? String == "x")
        #expect(entity.header(forKey: "Age") == "15")
        #expect(resource.freshness.phase == .staleWhileRevalidate)
        #expect(resource.isLoading)
        _ = try await resource.get()
        _ = await resource.loadRequests.first?.completion()
        #expect(requests == 2)
        #expect(try await resource.get().content as? String == "new")
    }

    @Test func `After the window, fresh() waits`() async throws {
        await load("max-age=10, stale-while-revalidate=20", then: 31)
        answer("max-age=10", text: "new")
        #expect(try await resource.get().content as? String == "new")
    }

    @Test(arguments: [
        ("max-age=10, stale-if-error=20", StubAnswer.response(503), 29.0, true),
        ("max-age=10, stale-if-error=20", .response(503), 31, false),
        ("max-age=10, stale-if-error=20", .response(404), 15, false), ("max-age=10", .response(503), 15, false),
        ("max-age=10", .failure(.cannotConnectToHost), 15, true),
        ("max-age=10, must-revalidate", .failure(.cannotConnectToHost), 15, false),
        ("no-cache", .failure(.cannotConnectToHost), 15, false),
        ("max-age=10, must-revalidate, stale-if-error=100", .response(503), 15, false),
    ])
    func `After an error, stale data is a success if the server allows it`(
        _ control: String, _ failure: StubAnswer, _ time: TimeInterval, _ isUsable: Bool
    ) async throws {
        await load(control, then: time)
        stub.network.answer(.get, "/thing", with: failure)
        for _ in 1...2 {
            let entity = try? await resource.get()
            #expect((entity != nil) == isUsable)
            #expect(resource.latestError != nil)
            #expect(resource.snapshot.data != nil)
            #expect(resource.snapshot.error != nil)
        }
        #expect(requests == 2)
    }

    // MARK: Errors

    @Test func `An error with a lifetime holds loads back`() async {
        stub.network.answer(.get, "/thing", with: .response(404, headers: ["Cache-Control": "max-age=100"]))
        _ = await resource.load().completion()
        stub.clock.advance(by: 99)
        #expect(resource.loadIfNeeded() == nil)
        await #expect(throws: RequestError.self) { _ = try await resource.get() }
        stub.clock.advance(by: 1)
        #expect(resource.loadIfNeeded() != nil)
    }

    @Test func `An error without a lifetime holds loads back for the retry time`() async {
        stub.network.answer(.get, "/thing", with: .response(404))
        _ = await resource.load().completion()
        stub.clock.advance(by: 1)
        #expect(resource.loadIfNeeded() == nil)
        stub.clock.advance(by: 0.1)
        #expect(resource.loadIfNeeded() != nil)
    }

    // MARK: Requests

    @Test func `A directive of the caller accepts stale data, or refuses data that is fresh for a short time only`()
        async throws
    {
        await load("max-age=10", then: 15)
        #expect(try await resource.get(.directives(maxStale: 6)).content as? String == "x")
        #expect(requests == 1)
        answer("max-age=10", text: "new")
        #expect(try await resource.get(.directives(maxStale: 3)).content as? String == "new")
        #expect(try await resource.get(.directives(minFresh: 20)).content as? String == "new")
        #expect(requests == 3)
    }

    @Test func `Without the network, a missing response is a 504 of our own`() async throws {
        let error = await #expect(throws: RequestError.self) {
            _ = try await resource.get(.directives(onlyIfCached: true))
        }
        #expect(error?.httpStatusCode == 504)
        #expect(error?.code == .notStored)
        #expect(requests == 0)
        #expect(resource.latestError == nil)
        await load("max-age=10")
        #expect(try await resource.get(.directives(onlyIfCached: true)).content as? String == "x")
    }

    @Test(arguments: [("no-cache", true), ("max-age=5", true), ("max-age=50", false), ("max-stale=50", false)])
    func `Directives in configured headers count`(_ directive: String, _ isLoad: Bool) async {
        stub.service.configure { $0.headers["Cache-Control"] = directive }
        await load("max-age=60", then: 10)
        #expect(!resource.isUpToDate == isLoad)
    }

    @Test func `Data for other request headers is not used`() async {
        var language = "de"
        stub.service.configure { $0.headers["Accept-Language"] = language }
        await load("max-age=60", ["Vary": "Accept-Language, X"])
        #expect(resource.isUpToDate)
        language = "en"
        stub.service.invalidateConfiguration()
        #expect(!resource.isUpToDate)
        await load("max-age=60", ["Vary": "Accept-Language, X"])
        #expect(resource.isUpToDate)
    }

    @Test func `The cache of an app has no data for other request headers`() async throws {
        var language = "de"
        let cache = InMemoryCache()
        stub.service.configure {
            $0.headers["Accept-Language"] = language
            $0.pipeline[.rawData].cacheUsing(cache)
        }
        await load("max-age=60", ["Vary": "Accept-Language"])
        try await Poll.until { !cache.entities.isEmpty }
        language = "en"
        stub.service.invalidateConfiguration()
        answer("max-age=60", ["Vary": "Accept-Language"], text: "y")
        let entity = try await resource.get()
        #expect(entity.text == "y")
        #expect(requests == 2)
    }

    @Test(arguments: [
        ("bytes=1-2", "bc", "bytes 1-2/5"), ("bytes=3-", "de", "bytes 3-4/5"), ("bytes=-1", "e", "bytes 4-4/5"),
    ])
    func `A range of fresh complete data needs no request`(_ range: String, _ text: String, _ field: String)
        async throws
    {
        stub.service.configure { $0.pipeline.clear() }
        stub.network.answer(
            .get, "/thing", with: .response(200, headers: ["Cache-Control": "max-age=60"], body: Data("abcde".utf8)))
        _ = await resource.load().completion()
        let part = try await resource.request(.get) { $0.setValue(range, forHTTPHeaderField: "Range") }.value
        #expect(part.content as? Data == Data(text.utf8))
        #expect(part.status == 206)
        #expect(part.entityForTypedContentAccessors?.statusCode == 206)
        #expect(part.header(forKey: "Content-Range") == field)
        #expect(requests == 1)
        #expect(resource.latestData?.content as? Data == Data("abcde".utf8))
    }

    @Test func `A range of content that a transformer has changed, with its type, is asked for`() async throws {
        struct Reversing: ResponseTransformer {
            func process(_ response: Response) -> Response {
                guard case .success(var entity) = response, let data = entity.content as? Data else { return response }
                entity.content = Data(data.reversed())
                entity.headers["content-type"] = "application/octet-stream"
                return .success(entity)
            }
        }
        stub.service.configure { $0.pipeline[.decoding].add(Reversing(), contentTypes: ["application/reversed"]) }
        let headers = ["Content-Type": "application/reversed", "Cache-Control": "max-age=60"]
        stub.network.answer(.get, "/thing", with: .response(200, headers: headers, body: Data("abcde".utf8)))
        _ = await resource.load().completion()
        #expect(resource.isUpToDate)
        await resource.request(.get) { $0.setValue("bytes=1-2", forHTTPHeaderField: "Range") }.completion()
        #expect(requests == 2)
    }

    @Test func `Mutations that ask for the freshness on which they depend cause no endless loop`() async {
        let resource = resource
        stub.service.configure {
            $0.mutateRequests { request in
                request.setValue(resource.isUpToDate ? "a" : "b", forHTTPHeaderField: "X")
            }
        }
        await load("max-age=60", ["Vary": "X"])
        _ = resource.isUpToDate
        _ = resource.loadIfNeeded()
    }

    @Test func `Headers that forbid the network make a load fail`() async {
        stub.service.configure { $0.headers["Cache-Control"] = "only-if-cached" }
        _ = await resource.loadIfNeeded()?.completion()
        #expect(resource.latestError?.httpStatusCode == 504)
        #expect(requests == 0)
        await load("max-age=60")
        #expect(resource.loadIfNeeded() == nil)
    }

    @Test(arguments: [StubAnswer.failure(.cannotConnectToHost), .response(503), .response(404)])
    func `A failed load does not make invalidated data fresh again`(_ failure: StubAnswer) async {
        await load("max-age=60, stale-if-error=60")
        resource.invalidate()
        stub.network.answer(.get, "/thing", with: failure)
        for _ in 1...2 {
            await #expect(throws: RequestError.self) { _ = try await resource.get() }
            stub.clock.advance(by: 2)
        }
        #expect(requests == 3)
        #expect(resource.freshness.phase == .stale)
    }

    @Test func `A newer error of the server ends the freshness of data`() async {
        await load("max-age=60")
        stub.network.answer(.get, "/thing", with: .response(404))
        _ = await resource.load().completion()
        stub.clock.advance(by: 2)
        await #expect(throws: RequestError.self) { _ = try await resource.get() }
        #expect(requests == 3)
    }

    // MARK: Writes

    @Test func `A write makes its target stale, and the places that the response names`() async {
        let other = stub.service.resource("/other"), far = stub.service.resource(absoluteURL: "https://far.test/other")
        for resource in [resource, other, far] {
            stub.network.answer(.get, resource.url.path, with: .text("x", headers: ["Cache-Control": "max-age=60"]))
            _ = await resource.load().completion()
        }
        stub.network.answer(.post, "/thing", with: .response(500), .response(201, headers: ["Location": "/other"]))
        _ = await resource.request(.post).completion()
        #expect(resource.isUpToDate)
        #expect(other.isUpToDate)
        _ = await resource.request(.post).completion()
        #expect(!resource.isUpToDate)
        #expect(!other.isUpToDate)
        #expect(far.isUpToDate)
    }

    @Test func `The places that the response to a write names may have characters that a URL cannot contain`() async {
        let other = stub.service.resource(absoluteURL: "https://api.test/a%2Fb%7Cc")
        stub.network.answer(.get, "/a%2Fb%7Cc", with: .text("x", headers: ["Cache-Control": "max-age=60"]))
        _ = await other.load().completion()
        #expect(other.isUpToDate)
        stub.network.answer(.post, "/thing", with: .response(201, headers: ["Location": "/a%2Fb|c"]))
        _ = await resource.request(.post).completion()
        #expect(!other.isUpToDate)
    }

    @Test func `A HEAD response updates the same version, and makes another version stale`() async {
        await load("max-age=10", ["ETag": "\"1\"", "X": "old"], then: 11)
        stub.network.answer(
            .head, "/thing",
            with: .response(200, headers: ["Cache-Control": "max-age=10", "ETag": "\"1\"", "X": "new"]))
        _ = await resource.request(.head).completion()
        #expect(resource.isUpToDate)
        #expect(resource.latestData?.header(forKey: "X") == "new")
        stub.network.answer(.head, "/thing", with: .response(200, headers: ["ETag": "\"2\""]))
        _ = await resource.request(.head).completion()
        #expect(!resource.isUpToDate)
    }

    @Test func `Clear-Site-Data makes the data of its origin stale`() async {
        await load("max-age=60")
        stub.network.answer(.get, "/logout", with: .text("bye", headers: ["Clear-Site-Data": "\"cache\", \"cookies\""]))
        _ = await stub.service.resource("/logout").load().completion()
        #expect(!resource.isUpToDate)
        #expect(resource.latestData != nil)
    }

    @Test func `Clear-Site-Data ends the read of a cache, which may find what was stored before`() async throws {
        let cache = InMemoryCache()
        stub.service.configure("/thing") { $0.pipeline[.cleanup].cacheUsing(cache) }
        cache.entities[resource.url.absoluteString] = Entity(
            content: "old", headers: ["Cache-Control": "max-age=60"], timestamp: stub.clock.wallTime)
        let endRead = cache.holdReads()
        answer("max-age=60", text: "new")
        stub.network.answer(.get, "/logout", with: .text("bye", headers: ["Clear-Site-Data": "\"cache\""]))
        let load = resource.loadIfNeeded()
        _ = await stub.service.resource("/logout").load().completion()
        endRead()
        let info = await load?.completion()
        #expect(info?.text == "new")
        #expect(resource.text == "new")
    }

    // MARK: Freshness

    @Test func `A HEAD response does not confirm data with which code of the app replaces the data`() async {
        await load("max-age=10", ["ETag": "\"1\""], then: 11)
        stub.network.answer(
            .head, "/thing", with: .response(200, headers: ["Cache-Control": "max-age=10", "ETag": "\"1\""]))
        let isTold = Locked(false)
        withObservationTracking {
            _ = resource.latestData
        } onChange: { [resource] in
            guard !isTold.withLock({ exchange(&$0, with: true) }) else { return }
            MainActor.assumeIsolated { resource.overrideLocalContent(with: "mine") }
        }
        _ = await resource.request(.head).completion()
        #expect(resource.text == "mine")
        #expect(resource.snapshot.source == .local)
    }

    @Test func `The freshness names its reason and its end`() async {
        #expect(resource.freshness.phase == .none)
        await load("max-age=60, stale-while-revalidate=30, stale-if-error=90", ["Age": "10"], then: 5)
        let (now, freshness) = (stub.clock.wallTime, resource.freshness)
        #expect(freshness.phase == .fresh)
        #expect(freshness.reason == .header("Cache-Control: max-age=60"))
        #expect(freshness.freshUntil?.timeIntervalSinceReferenceDate == now + 45)
        #expect(freshness.staleWhileRevalidateUntil?.timeIntervalSinceReferenceDate == now + 75)
        #expect(freshness.staleIfErrorUntil?.timeIntervalSinceReferenceDate == now + 135)
        #expect(resource.snapshot.freshness == freshness)
        stub.clock.advance(by: 45)
        #expect(resource.freshness.phase == .staleWhileRevalidate)
        stub.clock.advance(by: 31)
        #expect(resource.freshness.phase == .staleIfError)
        stub.clock.advance(by: 60)
        #expect(resource.freshness.phase == .stale)
        resource.invalidate()
        #expect(resource.freshness.reason == .invalidated)
    }

    @Test func `Under the fixed rule, the expiration time is the reason`() async {
        stub.service.configure { $0.freshness = .fixed }
        await load("max-age=500", then: 10)
        #expect(resource.freshness.phase == .fresh)
        #expect(resource.freshness.reason == .configuration)
        #expect(resource.freshness.until?.timeIntervalSinceReferenceDate == stub.clock.wallTime + 20)
    }

    @Test func `Clear-Site-Data also removes the entries from a cache of the app`() async {
        let cache = InMemoryCache()
        stub.service.configure("/thing") { $0.pipeline[.cleanup].cacheUsing(cache) }
        await load("max-age=60")
        await resource.cachesAreWritten()
        #expect(cache.entities.count == 1)
        stub.network.answer(.get, "/logout", with: .text("bye", headers: ["Clear-Site-Data": "\"cache\""]))
        _ = await stub.service.resource("/logout").load().completion()
        await resource.cachesAreWritten()
        #expect(cache.entities.isEmpty)
    }

    @Test func `Time alone does not end the use of stale data after an error if the response sets no limit`() async {
        await load("max-age=10", then: 11)
        #expect(resource.freshness.phase == .staleIfError)
        #expect(resource.freshness.staleIfErrorUntil == .distantFuture)
        #expect(resource.freshness.until == nil)
        await load("max-age=10, stale-if-error=20", then: 11)
        #expect(resource.freshness.until?.timeIntervalSinceReferenceDate == stub.clock.wallTime + 19)
    }
}
