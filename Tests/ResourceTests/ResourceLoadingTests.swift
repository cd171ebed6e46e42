import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The request of `load()`, and the effect of its result on the resource.
@MainActor @Suite(.timeLimit(.test))
struct ResourceLoadingTests {
    private let stub = StubbedResource()
    private let recorder = ObserverRecorder()

    @Test func `A resource begins empty: no data, no error, no requests, timestamp 0, not up to date`() {
        let resource = stub.resource
        #expect(resource.latestData == nil)
        #expect(resource.latestError == nil)
        #expect(!resource.isLoading)
        #expect(!resource.isRequesting)
        #expect(resource.loadRequests.isEmpty)
        #expect(resource.allRequests.isEmpty)
        #expect(resource.timestamp == 0)
        #expect(!resource.isUpToDate)
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `load() sends a GET to the resource's URL, without a body`() async throws {
        await stub.load(.text("hello"))
        let request = try stub.lastRequest
        #expect(request.httpMethod == "GET")
        #expect(request.url == stub.resource.url)
        #expect(request.url?.absoluteString == "https://api.test/thing")
        #expect(request.httpBody == nil)
    }

    @Test func `load() is in progress, and in both lists of requests, from the call until the answer`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let resource = stub.resource
        let load = resource.load()
        #expect(load.state == .inProgress)
        #expect(resource.isLoading)
        #expect(resource.isRequesting)
        #expect(resource.loadRequests.map(ObjectIdentifier.init) == [ObjectIdentifier(load)])
        #expect(resource.allRequests.map(ObjectIdentifier.init) == [ObjectIdentifier(load)])
        try stub.exchange(0).respond(with: .text("hello"))
        #expect(load.state == .inProgress)
        await load.completion()
        #expect(!resource.isLoading)
        #expect(!resource.isRequesting)
        #expect(resource.allRequests.isEmpty)
    }

    @Test func `Each load() is a new request, and the lists have them in order of start`() {
        stub.network.handler = { _ in .held }
        let resource = stub.resource
        let first = resource.load()
        let post = resource.request(.post)
        let second = resource.load()
        #expect(resource.loadRequests.map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
        #expect(resource.allRequests.map(ObjectIdentifier.init) == [first, post, second].map(ObjectIdentifier.init))
        first.cancel()
        #expect(resource.loadRequests.map(ObjectIdentifier.init) == [ObjectIdentifier(second)])
        #expect(resource.isLoading)
        resource.wipe()
    }

    @Test func `New data: latestData is set, latestError nil, and observers are told newData(network)`() async {
        await stub.load(.response(500))
        stub.resource.addObserver(recorder)
        let info = await stub.load(.text("hello", headers: ["X-Custom": "yes", "ETag": "tag"]))
        #expect(info.isNew)
        #expect(stub.resource.text == "hello")
        #expect(stub.resource.latestData?.header(forKey: "x-custom") == "yes")
        #expect(stub.resource.latestData?.etag == "tag")
        #expect(stub.resource.latestData?.charset == "utf-8")
        #expect(stub.resource.latestError == nil)
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `Observers find the load in progress at requested, and ended at its result`() async {
        stub.resource.addObserver(recorder)
        await stub.load(.text("hello"))
        await stub.load(.response(404))
        #expect(recorder.records.map(\.isLoading) == [false, true, false, true, false])
        #expect(recorder.records.map { $0.data?.content as? String } == [nil, nil, "hello", "hello", "hello"])
        #expect(recorder.records.map { $0.error?.httpStatusCode } == [nil, nil, nil, nil, 404])
    }

    @Test func `304: the entity is kept and touched, latestError is nil, and observers are told notModified`() async {
        await stub.load(.text("hello", headers: ["ETag": "tag"]))
        await stub.load(.response(500))
        stub.resource.addObserver(recorder)
        stub.clock.advance(by: 100)
        let info = await stub.load(.notModified)
        #expect(!info.isNew)
        #expect(info.text == "hello")
        #expect(stub.resource.text == "hello")
        #expect(stub.resource.latestData?.etag == "tag")
        #expect(stub.resource.latestData?.timestamp == stub.clock.wallTime)
        #expect(stub.resource.latestError == nil)
        #expect(stub.resource.isUpToDate)
        #expect(recorder.events == [.observerAdded, .requested, .notModified])
    }

    @Test func `304 without local data is a failure with the cause NoLocalDataFor304`() async throws {
        stub.resource.addObserver(recorder)
        stub.network.answer(.get, "/thing", with: .notModified, .response(500))
        let info = await stub.resource.load().completion()
        #expect(info.failure?.cause is RequestError.Cause.NoLocalDataFor304)
        #expect(info.failure?.userMessage == "No data available")
        #expect(stub.resource.latestError?.cause is RequestError.Cause.NoLocalDataFor304)
        #expect(recorder.events == [.observerAdded, .requested, .error])
        #expect(stub.network.requests.count == 1)
    }

    @Test(arguments: [400, 401, 403, 404, 410, 418, 500, 503, 599])
    func `A failure sets latestError and keeps latestData`(_ status: Int) async {
        await stub.load(.text("hello"))
        stub.resource.addObserver(recorder)
        let info = await stub.load(.text("sorry", status: status))
        #expect(stub.resource.text == "hello")
        #expect(stub.resource.latestError?.httpStatusCode == status)
        #expect(stub.resource.latestError?.entity?.content as? String == "sorry")
        #expect(info.failure?.httpStatusCode == status)
        #expect(recorder.events == [.observerAdded, .requested, .error])
    }

    @Test func `A failure of the network sets latestError, which has the network's error as its cause`() async {
        stub.resource.addObserver(recorder)
        await stub.load(.failure(.timedOut))
        let error = stub.resource.latestError
        #expect((error?.cause as? URLError)?.code == .timedOut)
        #expect(error?.httpStatusCode == nil)
        #expect(error?.entity == nil)
        #expect(error?.userMessage == "The server took too long to respond.")
        #expect(recorder.events == [.observerAdded, .requested, .error])
    }

    @Test func `A failure names the request that failed`() async {
        await stub.load(.response(404))
        #expect(stub.resource.latestError?.requestURL == stub.resource.url)
        #expect(stub.resource.latestError?.requestMethod == "GET")
    }

    @Test func `A cancelled load changes nothing, and observers are told requestCancelled`() async {
        await stub.load(.text("hello"))
        await stub.load(.response(500))
        let timestamp = stub.resource.timestamp
        stub.clock.advance(by: 5)
        stub.resource.addObserver(recorder)
        stub.network.answer(.get, "/thing", with: .held)
        stub.resource.load().cancel()
        #expect(recorder.events == [.observerAdded, .requested, .requestCancelled])
        #expect(stub.resource.text == "hello")
        #expect(stub.resource.latestError?.httpStatusCode == 500)
        #expect(stub.resource.timestamp == timestamp)
        #expect(!stub.resource.isLoading)
    }

    @Test(arguments: [200, 201, 203, 204, 299])
    func `Every successful status brings new data`(_ status: Int) async {
        let info = await stub.load(.text(status == 204 ? "" : "hello", status: status))
        #expect(info.failure == nil)
        #expect(info.isNew)
    }

    @Test func `A response without a body is zero-length data`() async {
        await stub.load(.response(204))
        #expect(stub.resource.latestData?.content as? Data == Data())
        #expect(stub.resource.latestData?.contentType == "application/octet-stream")
    }

    @Test
    func `The timestamp is that of the later one of data and error, and survives a failure of the other kind`() async {
        await stub.load(.text("hello"))
        let dataTime = stub.clock.wallTime
        #expect(stub.resource.timestamp == dataTime)
        #expect(stub.resource.latestData?.timestamp == dataTime)
        stub.clock.advance(by: 7)
        await stub.load(.response(500))
        #expect(stub.resource.timestamp == dataTime + 7)
        #expect(stub.resource.latestData?.timestamp == dataTime)
        #expect(stub.resource.latestError?.timestamp == dataTime + 7)
    }

    @Test(arguments: LocalFailure.allCases)
    func `Every error that the library makes carries the time of the service's clock`(_ failure: LocalFailure)
        async throws
    {
        stub.clock.setWallTime(5_000_000)
        let resource = stub.resource
        stub.network.answer(.get, "/thing", with: .held)
        let request =
            switch failure {
            case .invalidURL: stub.service.resource(absoluteURL: "").load()
            case .unsendable: resource.request(.post, json: [Date()])
            case .invalidMethod: resource.request(method: "")
            default: resource.load()
            }
        switch failure {
        case .cancellation: request.cancel()
        case .networkCancellation: try stub.exchange(0).respond(with: .failure(.cancelled))
        case .noLocalData: try stub.exchange(0).respond(with: .notModified)
        case .networkError: try stub.exchange(0).respond(with: .failure(.timedOut))
        case .invalidURL, .unsendable, .invalidMethod: break
        }
        #expect(await request.completion().failure?.timestamp == 5_000_000)
    }

    enum LocalFailure: CaseIterable {
        case invalidURL, unsendable, invalidMethod, cancellation, networkCancellation, noLocalData, networkError
    }

    @Test
    func `The description shows what the resource has and does: L for loading, D for data, E for an error`() async {
        #expect(stub.resource.description == "Resource(…/thing)[]")
        await stub.load(.text("hello"))
        #expect(stub.resource.description == "Resource(…/thing)[D]")
        await stub.load(.response(500))
        #expect(stub.resource.description == "Resource(…/thing)[DE]")
        stub.network.answer(.get, "/thing", with: .held)
        stub.resource.load()
        #expect(stub.resource.description == "Resource(…/thing)[LDE]")
        stub.resource.wipe()
        #expect(stub.resource.description == "Resource(…/thing)[]")
    }

    @Test func `Two loads that succeed one after the other show the second's data`() async {
        await stub.load(.text("first", headers: ["X-One": "1"]))
        await stub.load(.text("second"))
        #expect(stub.resource.text == "second")
        #expect(stub.resource.latestData?.header(forKey: "X-One") == nil)
    }

    @Test func `A running load keeps its resource, and no longer than it runs`() async throws {
        weak var weakResource: Resource?
        let (events, ended) = AsyncStream.makeStream(of: Never.self)
        stub.network.handler = { _ in .held }
        do {
            let resource = stub.service.resource("/kept")
            weakResource = resource
            resource.load().onCompletion { _ in ended.finish() }
        }
        stub.service.flushUnusedResources()
        #expect(weakResource != nil)
        try stub.exchange(0).respond(with: .text("hello"))
        for await _ in events {}
        await mainQueueTurn()
        #expect(weakResource?.isLoading == false)
        #expect(weakResource?.text == "hello")
        try await Poll.until {  // The thread of the network may release the request after the load has completed.
            stub.service.flushUnusedResources()
            return weakResource == nil
        }
    }

    @Test func `A load goes on, and its hooks run, after the caller has dropped request, resource and service`()
        async throws
    {
        let network = StubNetwork()
        network.answer(.get, "/thing", with: .held)
        var text: String?
        do {
            let service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
            service.resource("/thing").load().onSuccess {
                text = ($0.content as? Data).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        try #require(network.lastExchange).respond(with: .text("hello"))
        await mainQueueTurn()
        #expect(text == "hello")
    }
}
