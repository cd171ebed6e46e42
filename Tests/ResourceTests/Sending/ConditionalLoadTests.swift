import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads with a condition, and the responses that confirm the current data (RFC 9110 §13).
@MainActor @Suite(.timeLimit(.test))
struct ConditionalLoadTests {
    private nonisolated static let date = "Wed, 21 Oct 2026 07:28:00 GMT"

    private let stub = StubbedResource(standardTransformers: [])
    private let recorder = ObserverRecorder()
    private var resource: Resource { stub.resource }
    private var content: String? {
        (resource.latestData?.content as? Data).map { String(decoding: $0, as: UTF8.self) } ?? resource.latestData?
            .content as? String
    }

    struct Condition: CustomTestStringConvertible {
        let headers: [String: String]
        var ifNoneMatch: String?
        var ifModifiedSince: String?

        var testDescription: String { headers.description }
    }

    nonisolated static let conditions = [
        Condition(headers: [:]),
        Condition(headers: ["ETag": "\"abc\""], ifNoneMatch: "\"abc\""),
        Condition(headers: ["etag": "W/\"abc\""], ifNoneMatch: "W/\"abc\""),
        Condition(headers: ["ETAG": "unquoted"], ifNoneMatch: "unquoted"),
        Condition(headers: ["Last-Modified": date], ifModifiedSince: date),
        Condition(headers: ["ETag": "abc", "Last-Modified": date], ifNoneMatch: "abc"),
    ]

    @Test(arguments: conditions)
    func `A load asks with the etag, else with the date, else unconditionally`(_ condition: Condition) async throws {
        await stub.load(.text("hello", headers: condition.headers))
        await stub.load(.text("again"))
        let request = try stub.lastRequest
        #expect(request.value(forHTTPHeaderField: "If-None-Match") == condition.ifNoneMatch)
        #expect(request.value(forHTTPHeaderField: "If-Modified-Since") == condition.ifModifiedSince)
    }

    @Test
    func `A request with a condition of its own that becomes a load is sent again if a 304 is not about the data`()
        async throws
    {
        await stub.load(.text("second", headers: ["ETag": "\"2\""]))
        stub.network.answer(.get, "/thing", with: .notModified, .text("third", headers: ["ETag": "\"3\""]))
        let request = resource.request(.get) { $0.setValue("\"1\"", forHTTPHeaderField: "If-None-Match") }
        #expect(await resource.load(using: request).completion().failure == nil)
        #expect(content == "third")
        #expect(resource.snapshot.source == .network)
        #expect(stub.network.requests.count == 3)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    /// The ways to change content locally.
    enum LocalChange: CaseIterable {
        case content, typedContent, data, dataWithETag

        @MainActor func make(on resource: Resource) {
            let typed = resource.typed(as: String.self)
            switch self {
            case .content: resource.overrideLocalContent(with: "mine")
            case .typedContent: typed.content = "mine"
            case .data: resource.overrideLocalData(with: Entity(content: "mine", contentType: "text/plain"))
            case .dataWithETag:
                let headers = ["ETag": "abc", "Last-Modified": ConditionalLoadTests.date]
                resource.overrideLocalData(
                    with: Entity(content: "mine", contentType: "text/plain", headers: headers))
            }
        }
    }

    @Test(arguments: LocalChange.allCases)
    func `A load sends no condition while the content is local, whatever its headers say, and does again afterwards`(
        _ change: LocalChange
    ) async throws {
        await stub.load(.text("hello", headers: ["ETag": "abc", "Last-Modified": Self.date]))
        change.make(on: resource)
        await stub.load(.text("again", headers: ["ETag": "def"]))
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-Modified-Since") == nil)
        #expect(content == "again")
        await stub.load(.notModified)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == "def")
        #expect(resource.snapshot.source == .revalidated)
    }

    @Test(arguments: LocalChange.allCases)
    func `A 304 never confirms local content: the server is asked again`(_ change: LocalChange) async throws {
        try await loadTwiceHolding(etag: "abc")
        change.make(on: resource)
        try stub.exchange(1).respond(with: .notModified)
        await mainQueueTurn()
        #expect(resource.isLoading)
        #expect(resource.snapshot.source == .local)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
        try stub.exchange(2).respond(with: .text("anew", headers: ["ETag": "abc"]))
        await mainQueueTurn()
        #expect(content == "anew")
        #expect(resource.snapshot.source == .network)
        #expect(stub.network.requests.count == 3)
    }

    @Test func `A 304 to a load without a condition does not confirm local content either`() async throws {
        resource.overrideLocalContent(with: "mine")
        stub.network.answer(.get, "/thing", with: .notModified, .text("theirs"))
        let info = await resource.load().completion()
        #expect(info.isNew)
        #expect(content == "theirs")
        #expect(stub.network.requests.count == 2)
    }

    @Test(arguments: ["If-None-Match", "if-none-match", "If-Modified-Since"], [true, false])
    func `Conditions that the app has set are taken away when the server is asked again`(
        _ header: String, isMutation: Bool
    ) async throws {
        stub.service.configure {
            if isMutation {
                $0.mutateRequests { $0.setValue("mine", forHTTPHeaderField: header) }
            } else {
                $0.headers[header] = "mine"
            }
        }
        resource.overrideLocalContent(with: "mine")
        stub.network.answer(.get, "/thing", with: .notModified, .text("theirs"))
        await resource.load().completion()
        #expect(stub.network.requests.count == 2)
        #expect(stub.network.requests[0].value(forHTTPHeaderField: header) == "mine")
        #expect(stub.network.requests[1].value(forHTTPHeaderField: header) == nil)
        #expect(content == "theirs")
    }

    @Test func `A request with the caller's condition that becomes a load does not confirm local content`() async {
        await stub.load(.text("hello", headers: ["ETag": "abc"]))
        resource.overrideLocalContent(with: "mine")
        stub.network.answer(.get, "/thing", with: .notModified, .text("theirs"))
        let request = resource.request(.get) { $0.setValue("abc", forHTTPHeaderField: "If-None-Match") }
        await resource.load(using: request).completion()
        #expect(content == "theirs")
        #expect(stub.network.requests.count == 3)
    }

    @Test(arguments: [true, false])
    func `A 304 to a POST is never a reason to send it again`(_ isLoad: Bool) async {
        resource.overrideLocalContent(with: "mine")
        stub.network.answer(.post, "/thing", with: .notModified)
        let request = resource.request(.post) { $0.setValue("abc", forHTTPHeaderField: "If-None-Match") }
        let info = await (isLoad ? resource.load(using: request) : request).completion()
        #expect(info.failure?.cause is RequestError.Cause.NoLocalDataFor304)
        #expect(stub.network.requests.count == 1)
        #expect(resource.snapshot.source == .local)
    }

    @Test func `A 304 about another resource confirms nothing here`() async {
        await stub.load(.text("hello", headers: ["ETag": "abc"]))
        let other = stub.service.resource("/other")
        stub.network.answer(.get, "/other", with: .text("other", headers: ["ETag": "xyz"]), .notModified)
        await other.load().completion()
        let timestamp = resource.timestamp
        stub.clock.advance(by: 100)
        await resource.load(using: other.load()).completion()
        #expect(content == "hello")
        #expect(resource.timestamp == timestamp)
        #expect(!resource.isUpToDate)
    }

    @Test(arguments: [true, false])
    func `A 304 to a request that asked about no version, and not for the resource, confirms nothing`(isPost: Bool)
        async
    {
        await stub.load(.text("hello"))
        let timestamp = resource.timestamp
        stub.clock.advance(by: 100)
        stub.network.answer(.post, "/thing", with: .notModified)
        stub.network.answer(.get, "/other", with: .notModified)
        let request =
            isPost
            ? resource.request(.post) : resource.request(.get) { $0.url = URL(string: "/other", relativeTo: $0.url) }
        let info = await resource.load(using: request).completion()
        #expect(info.failure == nil)
        #expect(content == "hello")
        #expect(resource.timestamp == timestamp)
        #expect(!resource.isUpToDate)
    }

    @Test
    func `A 304 to a request that asked about no version does not confirm what a cache has brought meanwhile`() async {
        let cache = InMemoryCache()
        cache.entities[resource.url.absoluteString] = Entity(content: "cached", contentType: "text/plain")
        stub.clock.advance(by: 100)
        let resume = cache.holdReads()
        stub.service.configure { $0.pipeline[.parsing].cacheUsing(cache) }
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        resume()
        await resource.cacheIsRead()
        #expect(content == "cached")
        stub.network.lastExchange?.respond(with: .notModified)
        await load.completion()
        #expect(content == "cached")
        #expect(!resource.isUpToDate)
    }

    @Test func `A failure does not end the etag, a wipe does`() async throws {
        await stub.load(.text("hello", headers: ["ETag": "abc"]))
        await stub.load(.response(500, headers: ["ETag": "error"]))
        await stub.load(.response(500))
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == "abc")
        resource.wipe()
        await stub.load(.text("hello"))
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    @Test(arguments: RequestMethod.allCases)
    func `request() asks unconditionally, whatever the method`(_ method: RequestMethod) async throws {
        await stub.load(.text("hello", headers: ["ETag": "abc", "Last-Modified": Self.date]))
        _ = resource.request(method)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-Modified-Since") == nil)
    }

    @Test func `The caller's own condition is obeyed: 304 confirms the data that is here`() async {
        await stub.load(.text("hello"))
        stub.network.answer(.get, "/thing", with: .notModified)
        let info = await resource.request(.get) { $0.setValue("mine", forHTTPHeaderField: "If-None-Match") }
            .completion()
        #expect(!info.isNew)
        #expect(info.failure == nil)
    }

    @Test func `A configured mutation may take the condition away`() async throws {
        stub.service.configure { $0.mutateRequests { $0.setValue(nil, forHTTPHeaderField: "If-None-Match") } }
        await stub.load(.text("hello", headers: ["ETag": "abc"]))
        await stub.load(.text("again"))
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    // MARK: The state when a 304 arrives

    @Test func `Data that vanished while the server was asked: one unconditional request follows`() async throws {
        // A wipe cancels a load. A repeated request is not in the resource's list, and continues.
        await stub.load(.text("hello", headers: ["ETag": "abc"]))
        let load = resource.load()
        stub.network.answer(.get, "/thing", with: .held)
        let repeated = load.repeated().start()
        await load.completion()
        let asked = try stub.exchange(2)
        #expect(asked.request.value(forHTTPHeaderField: "If-None-Match") == "abc")
        resource.wipe()
        asked.respond(with: .notModified)
        await mainQueueTurn()
        #expect(stub.network.requests.count == 4)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(repeated.state == .inProgress)
        try stub.exchange(3).respond(with: .text("anew"))
        let info = await repeated.completion()
        #expect(info.isNew)
        #expect(stub.network.requests.count == 4)
    }

    @Test func `Data that was overridden while the server was asked: one unconditional request follows`() async throws {
        try await loadTwiceHolding(etag: "abc")
        resource.overrideLocalData(with: Entity(content: "mine", contentType: "text/plain"))
        try stub.exchange(1).respond(with: .notModified)
        await mainQueueTurn()
        #expect(resource.isLoading)
        #expect(content == "mine")
        #expect(stub.network.requests.count == 3)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
        try stub.exchange(2).respond(with: .text("anew"))
        await mainQueueTurn()
        #expect(content == "anew")
        #expect(recorder.events == [.observerAdded, .requested, .newData(.localOverride), .newData(.network)])
    }

    @Test(arguments: [true, false])
    func `The unconditional request is the last: a 304 to it fails, whether data is here or not`(_ hasData: Bool)
        async throws
    {
        await stub.load(.text("hello", headers: ["ETag": "abc"]))
        stub.network.answer(.get, "/thing", with: .held)
        let repeated = resource.load().repeated().start()
        if hasData {
            resource.overrideLocalData(with: Entity(content: "mine", contentType: "text/plain"))
        } else {
            resource.wipe()
        }
        try stub.exchange(2).respond(with: .notModified)
        await mainQueueTurn()
        try stub.exchange(3).respond(with: .notModified)
        let info = await repeated.completion()
        #expect(stub.network.requests.count == 4)
        #expect(info.failure?.cause is RequestError.Cause.NoLocalDataFor304)
        resource.wipe()
    }

    @Test func `The unconditional request can be cancelled like the first`() async throws {
        try await loadTwiceHolding(etag: "abc")
        resource.overrideLocalData(with: Entity(content: "mine", contentType: "text/plain"))
        try stub.exchange(1).respond(with: .notModified)
        await mainQueueTurn()
        resource.loadRequests.first?.cancel()
        #expect(try stub.exchange(2).isCancelled)
        #expect(!resource.isLoading)
        #expect(content == "mine")
    }

    @Test
    func `A newer load's 304 about one version does not confirm another that an older load has brought`() async throws {
        await stub.load(.text("one", headers: ["ETag": "1"]))
        stub.network.answer(.get, "/thing", with: .held)
        resource.load()
        resource.load()
        try stub.exchange(1).respond(with: .text("two", headers: ["ETag": "2"]))
        await mainQueueTurn()
        #expect(content == "two")
        try stub.exchange(2).respond(with: .notModified)
        await mainQueueTurn()
        #expect(stub.network.requests.count == 4)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
        try stub.exchange(3).respond(with: .text("one", headers: ["ETag": "1"]))
        await mainQueueTurn()
        #expect(content == "one")
        #expect(!resource.isLoading)
    }

    @Test func `A newer load's 304 confirms what an older load has brought if the validators agree`() async throws {
        await stub.load(.text("one", headers: ["ETag": "1"]))
        stub.network.answer(.get, "/thing", with: .held)
        resource.load()
        resource.load()
        try stub.exchange(1).respond(with: .text("one again", headers: ["ETag": "1"]))
        await mainQueueTurn()
        try stub.exchange(2).respond(with: .notModified)
        await mainQueueTurn()
        #expect(content == "one again")
        #expect(resource.snapshot.source == .revalidated)
        #expect(stub.network.requests.count == 3)
    }

    @Test func `The answer to a request that was sent again does not count any more, however late it comes again`()
        async throws
    {
        let provider = ForgetfulProvider()
        let service = Service(baseURL: "https://api.test", standardTransformers: [.text], networking: provider)
        let resource = service.resource("/thing")
        resource.overrideLocalContent(with: "mine")
        let load = resource.load()
        provider.respond(to: 0, status: 304)
        await mainQueueTurn()
        #expect(provider.completions.count == 2)
        provider.respond(to: 0, status: 304)
        provider.respond(to: 0, status: 200)
        await mainQueueTurn()
        #expect(load.state == .inProgress)
        #expect(provider.completions.count == 2)
        provider.respond(to: 1, status: 500)
        #expect(await load.completion().failure?.httpStatusCode == 500)
        #expect(resource.typedContent() == "mine")
    }

    /// A provider that may complete a request more than once, which is against the rules.
    private final class ForgetfulProvider: NetworkingProvider, RequestNetworking {
        private(set) var completions: [RequestNetworkingCompletionCallback] = []

        func startRequest(
            _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            completions.append(completion)
            return self
        }

        func respond(to index: Int, status: Int) {
            let url = URL(string: "https://api.test/thing")
            let response = url.flatMap {
                HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: [:])
            }
            guard completions.indices.contains(index) else { return }
            completions[index](response, Data("late".utf8), nil)
        }

        func cancel() {}

        var transferMetrics: RequestTransferMetrics {
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
        }
    }

    @Test func `Another load's data that arrived meanwhile stands, and no further request is made`() async throws {
        try await loadTwiceHolding(etag: "abc")
        resource.load()
        try stub.exchange(2).respond(with: .text("newer", headers: ["ETag": "def"]))
        await mainQueueTurn()
        try stub.exchange(1).respond(with: .notModified)
        await mainQueueTurn()
        #expect(content == "newer")
        #expect(recorder.events.suffix(2) == [.newData(.network), .notModified])
        #expect(stub.network.requests.count == 3)
    }

    @Test func `304 to an unconditional request without local data fails, and is not asked again`() async {
        stub.network.answer(.get, "/thing", with: .notModified, .response(500))
        let info = await resource.load().completion()
        #expect(info.failure?.cause is RequestError.Cause.NoLocalDataFor304)
        #expect(info.failure?.httpStatusCode == 304)
        #expect(stub.network.requests.count == 1)
    }

    /// Loads data with an etag, and starts a second load without a response.
    private func loadTwiceHolding(etag: String) async throws {
        await stub.load(.text("hello", headers: ["ETag": etag]))
        resource.addObserver(recorder)
        stub.network.answer(.get, "/thing", with: .held)
        resource.load()
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == etag)
    }
}
