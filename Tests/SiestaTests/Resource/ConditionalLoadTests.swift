import Foundation
import Siesta
import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads that ask whether what is here is current, and answers that say so (RFC 9110 §13).
@MainActor @Suite(.timeLimit(.minutes(5)))
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

    @Test("A load asks with the etag, else with the date, else unconditionally", arguments: conditions)
    func sendsCondition(_ condition: Condition) async throws {
        await stub.load(.text("hello", headers: condition.headers))
        await stub.load(.text("again"))
        let request = try stub.lastRequest
        #expect(request.value(forHTTPHeaderField: "If-None-Match") == condition.ifNoneMatch)
        #expect(request.value(forHTTPHeaderField: "If-Modified-Since") == condition.ifModifiedSince)
    }

    @Test("An entity put in place by hand lends its etag, too")
    func sendsConditionOfOverride() async throws {
        resource.overrideLocalData(with: Entity(content: "mine", contentType: "text/plain", headers: ["ETag": "abc"]))
        let info = await stub.load(.notModified)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == "abc")
        #expect(!info.isNew)
        #expect(content == "mine")
    }

    @Test("New content with the old headers keeps the etag; new data without one ends it")
    func forgetsEtag() async throws {
        await stub.load(.text("hello", headers: ["ETag": "abc"]))
        resource.overrideLocalContent(with: "changed")
        await stub.load(.text("again"))
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == "abc")
        await stub.load(.text("again"))
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    @Test("A failure does not end the etag, a wipe does")
    func keepsEtag() async throws {
        await stub.load(.text("hello", headers: ["ETag": "abc"]))
        await stub.load(.response(500, headers: ["ETag": "error"]))
        await stub.load(.response(500))
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == "abc")
        resource.wipe()
        await stub.load(.text("hello"))
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    @Test("request() asks unconditionally, whatever the method", arguments: RequestMethod.allCases)
    func sendsNoConditionWithRequests(_ method: RequestMethod) async throws {
        await stub.load(.text("hello", headers: ["ETag": "abc", "Last-Modified": Self.date]))
        _ = resource.request(method)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-Modified-Since") == nil)
    }

    @Test("The caller's own condition is obeyed: 304 confirms the data that is here")
    func acceptsOwnCondition() async {
        await stub.load(.text("hello"))
        stub.network.answer(.get, "/thing", with: .notModified)
        let info = await resource.request(.get) { $0.setValue("mine", forHTTPHeaderField: "If-None-Match") }
            .completion()
        #expect(!info.isNew)
        #expect(info.failure == nil)
    }

    @Test("A configured mutation may take the condition away")
    func letsConfigurationDecide() async throws {
        stub.service.configure { $0.mutateRequests { $0.setValue(nil, forHTTPHeaderField: "If-None-Match") } }
        await stub.load(.text("hello", headers: ["ETag": "abc"]))
        await stub.load(.text("again"))
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    // MARK: What a 304 meets when it arrives

    @Test("Data that vanished while the server was asked: one unconditional request follows")
    func asksAgainAfterLoss() async throws {
        // A wipe cancels the load itself; a repeated one is not the resource's, and goes on.
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

    @Test("Data that was overridden while the server was asked: one unconditional request follows")
    func asksAgainAfterOverride() async throws {
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

    @Test(
        "The unconditional request is the last: a 304 to it fails if nothing is here, else confirms",
        arguments: [true, false])
    func asksAgainOnce(_ hasData: Bool) async throws {
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
        #expect((info.failure?.cause is RequestError.Cause.NoLocalDataFor304) == !hasData)
        resource.wipe()
    }

    @Test("The unconditional request can be cancelled like the first")
    func cancelsSecondQuestion() async throws {
        try await loadTwiceHolding(etag: "abc")
        resource.overrideLocalData(with: Entity(content: "mine", contentType: "text/plain"))
        try stub.exchange(1).respond(with: .notModified)
        await mainQueueTurn()
        resource.loadRequests.first?.cancel()
        #expect(try stub.exchange(2).isCancelled)
        #expect(!resource.isLoading)
        #expect(content == "mine")
    }

    @Test("Content that was changed under the same etag counts as what the server confirmed")
    func acceptsChangedContent() async throws {
        try await loadTwiceHolding(etag: "abc")
        resource.overrideLocalContent(with: "changed")
        try stub.exchange(1).respond(with: .notModified)
        await mainQueueTurn()
        #expect(content == "changed")
        #expect(recorder.events.last == .notModified)
        #expect(stub.network.requests.count == 2)
    }

    @Test("Another load's data that arrived meanwhile stands, and no further request is made")
    func acceptsNewerData() async throws {
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

    @Test("304 to an unconditional request without local data fails, and is not asked again")
    func failsWithoutData() async {
        stub.network.answer(.get, "/thing", with: .notModified, .response(500))
        let info = await resource.load().completion()
        #expect(info.failure?.cause is RequestError.Cause.NoLocalDataFor304)
        #expect(info.failure?.httpStatusCode == 304)
        #expect(stub.network.requests.count == 1)
    }

    /// Loads data with an etag, and loads again without an answer yet.
    private func loadTwiceHolding(etag: String) async throws {
        await stub.load(.text("hello", headers: ["ETag": etag]))
        resource.addObserver(recorder)
        stub.network.answer(.get, "/thing", with: .held)
        resource.load()
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "If-None-Match") == etag)
    }
}
