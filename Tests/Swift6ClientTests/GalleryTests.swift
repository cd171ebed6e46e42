import Foundation
import Siesta
import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An app in Swift 6 language mode.
@MainActor @Suite(.timeLimit(.minutes(30)))
struct GalleryTests {
    private let network = StubNetwork()
    private let api: GalleryAPI

    init() {
        api = GalleryAPI(networking: network)
        network.answer(.get, "/pictures/1", with: .json(#"{"id": 1, "name": "Dawn"}"#, headers: ["ETag": "\"1\""]))
    }

    @Test func `A view model on the main actor shows what its resource has`() async {
        let model = PictureModel(api.picture(1))
        await api.picture(1).load().completion()
        #expect(model.picture == Picture(id: 1, name: "Dawn"))
        #expect(model.message == nil)
        #expect(model.history == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `An entity of Sendable content goes to another actor and to a detached task`() async throws {
        let model = PictureModel(api.picture(1))
        #expect(await model.rate() == nil)
        await api.picture(1).load().completion()
        #expect(await model.rate() == 4)
        let entity: Entity<Picture> = try #require(api.picture(1).latestData?.withContentRetyped())
        let etag = await Task.detached { entity.etag }.value
        #expect(etag == "\"1\"")
    }

    @Test func `An error is Sendable, and can be thrown across actors`() async throws {
        network.answer(.get, "/pictures/2", with: .response(404))
        let picture = api.picture(2)
        await picture.load().completion()
        let error = try #require(picture.latestError)
        let thrown = await #expect(throws: RequestError.self) {
            try await Task.detached { throw error }.value
        }
        #expect(thrown?.httpStatusCode == 404)
    }

    @Test func `Transformers run off the main actor and capture what is Sendable`() async {
        let log = TransformationLog()
        let api = GalleryAPI(networking: network, log: log)
        await api.picture(1).load().completion()
        #expect(log.all == ["application/json"])
    }

    @Test func `A method of the service decorates its requests, and renews a token`() async {
        network.answer(.post, "/session", with: .text("fresh"))
        network.answer(
            .get, "/pictures/1", with: .response(401), .json(#"{"id": 1, "name": "Dusk"}"#))
        await api.picture(1).load().completion()
        #expect(api.picture(1).picture?.name == "Dusk")
        #expect(network.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer fresh")
    }

    @Test func `A cache that any thread may use brings data into a new service`() async {
        let cache = PictureCache()
        let written = GalleryAPI(networking: network, cache: cache)
        await written.picture(1).load().completion()
        let reader = GalleryAPI(networking: StubNetwork(), cache: cache)
        defer { withExtendedLifetime((written, reader)) {} }
        await written.picture(1).lastCacheWork(in: cache)
        let recorder = ObserverRecorder()
        reader.picture(1).addObserver(recorder)
        await recorder.next(.newData(.cache))
        #expect(reader.picture(1).picture?.name == "Dawn")
        #expect(recorder.events == [.observerAdded, .newData(.cache)])
    }

    @Test func `Events arrive in an asynchronous stream through a value that observes`() async {
        let resource = api.picture(1)
        let (stream, continuation) = AsyncStream.makeStream(of: ResourceEvent.self)
        let owner = Counter()
        resource.addObserver(Relay(continuation: continuation), owner: owner)
        resource.load()
        var events: [ResourceEvent] = []
        for await event in stream {
            events.append(event)
            if case .newData = event { resource.removeObservers(ownedBy: owner) }
        }
        #expect(events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `An observer whose isolation is inferred keeps state, and closures on the main actor capture it`() {
        let resource = api.picture(1)
        let counter = Counter()
        var seen = 0
        resource.addObserver(counter).addObserver(owner: counter) { _, _ in seen += counter.count }
        resource.overrideLocalContent(with: Picture(id: 1, name: "Noon"))
        resource.removeObservers(ownedBy: counter)
        #expect(counter.count == 2)
        #expect(counter.stopped == 1)
        #expect(seen == 3)
    }

    @Test func `A provider need not be isolated, and answers on any thread`() async {
        let service = Service(baseURL: "https://echo.test", networking: EchoNetwork())
        service.configure("**") { $0.pipeline[.cleanup].add(Exclaiming()) }
        await service.resource("/x").load().completion()
        #expect(service.resource("/x").text == "GET!")
    }

    @Test func `A provider may live on the main actor`() async {
        let network = ScriptedNetwork()
        network.script = [(200, "one"), (500, "two")]
        let service = Service(baseURL: "https://script.test", networking: network)
        await service.resource("/x").load().completion()
        await service.resource("/x").load().completion()
        #expect(service.resource("/x").text == "one")
        #expect(service.resource("/x").latestError?.text == "two")
        #expect(network.requests.count == 2)
    }

    @Test func `A delegate computes in a task, and a request of the app's own wraps it`() async {
        let service = Service(baseURL: "https://echo.test", networking: EchoNetwork())
        let request = Resource.prepareRequest(using: Computation { 42 })
        await service.resource("/answer").load(using: Quiet(request)).completion()
        #expect(service.resource("/answer").typedContent() == 42)
        #expect(request.repeated().state == .notStarted)
    }

    @Test func `Resources and services are Sendable and hashable anywhere`() async {
        let resources = [api.picture(1), api.picture(2), api.picture(1)]
        let count = await Task.detached { [api] in Set(resources).count + Set([api as Service]).count }.value
        #expect(count == 3)
        let description = await Task.detached { resources[0].description }.value
        #expect(description == "Resource(https://gallery.test/pictures/1)")
    }

    @Test func `A task that is not isolated reaches a resource with await`() async {
        let name = await Task.detached { [api] in
            let resource = await api.picture(1)
            await withCheckedContinuation { loaded in
                Task { @MainActor in resource.load().onCompletion { _ in loaded.resume() } }
            }
            return await MainActor.run { resource.picture?.name }
        }.value
        #expect(name == "Dawn")
    }

    @Test func `Log messages go to a Sendable closure`() {
        let log = TransformationLog()
        let before = SiestaLog.messageHandler
        defer { SiestaLog.messageHandler = before }
        SiestaLog.messageHandler = { _, message in log.append(message) }
        SiestaLog.messageHandler(.network, "hello")
        #expect(log.all.contains("hello"))
    }
}

extension Resource {
    /// Waits until `cache` contains the writes of the last load.
    fileprivate func lastCacheWork(in cache: PictureCache) async {
        let recorder = ObserverRecorder()
        wipe()
        addObserver(recorder)
        if latestData == nil { await recorder.next(.newData(.cache)) }
    }
}
