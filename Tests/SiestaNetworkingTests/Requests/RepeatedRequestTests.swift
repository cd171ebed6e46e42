import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The steps that `repeated()` performs again, and those that it does not.
@MainActor @Suite(.timeLimit(.test))
struct RepeatedRequestTests {
    private let stub = StubbedResource()

    @Test func `A repeated request is new, and does not start by itself`() async {
        stub.network.answer(.post, "/thing", with: .text("hello"))
        let original = stub.resource.request(.post)
        await original.completion()
        let repeated = original.repeated()
        #expect(repeated !== original)
        #expect(repeated.state == .notStarted)
        await mainQueueTurn()
        #expect(stub.network.requests.count == 1)
        #expect(await repeated.start().completion().text == "hello")
        #expect(stub.network.requests.count == 2)
    }

    @Test func `A request can be repeated before it starts, in flight, completed and cancelled`() async {
        let original = Resource.prepareRequest(using: ManualOperation { $0.broadcastResponse(.text("done")) })
        #expect(await original.repeated().start().completion().text == "done")
        stub.network.answer(.get, "/thing", with: .held, .text("again"))
        let running = stub.resource.request(.get)
        #expect(await running.repeated().start().completion().text == "again")
        running.cancel()
        #expect(await running.repeated().start().completion().text == "again")
    }

    @Test func `A repeated request sends the same method, body and caller's headers`() async throws {
        stub.network.answer(.put, "/thing", with: .response(200))
        let original = stub.resource.request(.put, text: "body") { $0.setValue("1", forHTTPHeaderField: "X-Mine") }
        await original.completion()
        await original.repeated().start().completion()
        let requests = stub.network.requests
        #expect(requests.count == 2)
        #expect(requests[0].httpMethod == requests[1].httpMethod)
        #expect(requests[0].httpBody == requests[1].httpBody)
        #expect(requests[0].allHTTPHeaderFields == requests[1].allHTTPHeaderFields)
    }

    @Test
    func `A repeated request reads headers and configuration anew, and reruns the caller's mutation`() async throws {
        var token = "first"
        var mutations = 0
        stub.service.configure { $0.headers["X-Token"] = token }
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let original = stub.resource.request(.get) { request in
            mutations += 1
            request.setValue("\(mutations)", forHTTPHeaderField: "X-Count")
        }
        await original.completion()
        token = "second"
        stub.service.invalidateConfiguration()
        let repeated = original.repeated()
        token = "third"
        stub.service.invalidateConfiguration()
        await repeated.start().completion()
        #expect(stub.network.requests.map { $0.value(forHTTPHeaderField: "X-Token") } == ["first", "third"])
        #expect(stub.network.requests.map { $0.value(forHTTPHeaderField: "X-Count") } == ["1", "2"])
    }

    @Test func `A repeated request is not decorated again`() async {
        var decorations = 0
        stub.service.configure {
            $0.decorateRequests { _, request in
                decorations += 1
                return request
            }
        }
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let original = stub.resource.request(.get)
        await original.completion()
        await original.repeated().start().completion()
        #expect(decorations == 1)
    }

    @Test func `Old hooks are not carried over`() async {
        var calls = 0
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let original = stub.resource.request(.get).onCompletion { _ in calls += 1 }
        await original.completion()
        await original.repeated().start().completion()
        #expect(calls == 1)
    }

    @Test func `A repeated load does not update the resource`() async {
        stub.network.answer(.get, "/thing", with: .text("old"), .text("new"))
        let recorder = ObserverRecorder()
        let load = stub.resource.load()
        await load.completion()
        stub.resource.addObserver(recorder)
        #expect(await load.repeated().start().completion().text == "new")
        #expect(stub.resource.text == "old")
        #expect(recorder.events == [.observerAdded])
        #expect(!stub.resource.isLoading)
    }

    @Test func `A repeated load updates the resource if it is given to load(using:)`() async {
        stub.network.answer(.get, "/thing", with: .text("old"), .text("new"))
        let load = stub.resource.load()
        await load.completion()
        await stub.resource.load(using: load.repeated()).completion()
        #expect(stub.resource.text == "new")
    }

    @Test func `A repeated load asks with the etag that the resource has then`() async {
        stub.network.answer(
            .get, "/thing", with: .text("1", headers: ["ETag": "one"]), .text("2", headers: ["ETag": "two"]),
            .notModified)
        let load = stub.resource.load()
        await load.completion()
        await stub.resource.load().completion()
        let info = await load.repeated().start().completion()
        #expect(stub.network.requests.map { $0.value(forHTTPHeaderField: "If-None-Match") } == [nil, "one", "two"])
        #expect(info.text == "2")
        #expect(!info.isNew)
    }

    @Test func `A hard-wired request repeats its response`() async {
        let repeated = Resource.hardWiredRequest(returning: ResponseInfo.text("fixed").response).repeated()
        #expect(repeated.state == .notStarted)
        #expect(await repeated.start().completion().text == "fixed")
    }

    @Test func `Cancelling a repeated request leaves the original running`() throws {
        stub.network.answer(.get, "/thing", with: .held)
        let original = stub.resource.request(.get)
        let repeated = original.repeated().start()
        repeated.cancel()
        #expect(original.state == .inProgress)
        #expect(try !stub.exchange(0).isCancelled)
        #expect(try stub.exchange(1).isCancelled)
        original.cancel()
    }
}
