import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The effect of `load(using:)` with any request.
@MainActor @Suite(.timeLimit(.test))
struct LoadUsingTests {
    private let stub = StubbedResource()
    private let recorder = ObserverRecorder()
    private var resource: Resource { stub.resource }

    @Test func `The answer to any request becomes the resource's data`() async {
        resource.addObserver(recorder)
        stub.network.answer(.post, "/thing", with: .text("posted"))
        let request = resource.request(.post)
        let load = resource.load(using: request)
        #expect(load === request)
        #expect(resource.isLoading)
        await load.completion()
        #expect(resource.text == "posted")
        #expect(!resource.isLoading)
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `The failure of any request becomes the resource's error`() async {
        resource.addObserver(recorder)
        stub.network.answer(.put, "/thing", with: .response(409))
        await resource.load(using: resource.request(.put)).completion()
        #expect(resource.latestError?.httpStatusCode == 409)
        #expect(recorder.events == [.observerAdded, .requested, .error])
    }

    @Test func `Another resource's request updates this resource, and leaves that one alone`() async {
        let other = stub.service.resource("/other")
        stub.network.answer(.get, "/other", with: .held)
        let request = other.request(.get)
        resource.load(using: request)
        #expect(resource.loadRequests.count == 1)
        #expect(other.loadRequests.isEmpty)
        #expect(other.allRequests.count == 1)
        stub.network.lastExchange?.respond(with: .text("other's"))
        await request.completion()
        #expect(resource.text == "other's")
        #expect(other.latestData == nil)
        #expect(!resource.isLoading)
        #expect(!other.isRequesting)
    }

    @Test func `One load can be shared by two resources`() async {
        let other = stub.service.resource("/other")
        stub.network.answer(.get, "/other", with: .text("shared"))
        await resource.load(using: other.load()).completion()
        #expect(resource.text == "shared")
        #expect(other.text == "shared")
    }

    @Test func `A request that has not started is started`() {
        let operation = ManualOperation()
        let request = resource.load(using: Resource.prepareRequest(using: operation))
        #expect(operation.startCount == 1)
        #expect(request.state == .inProgress)
        request.cancel()
    }

    @Test func `Observers are told requested before the request starts`() {
        var order: [String] = []
        let owner = NSObject()
        resource.addObserver(owner: owner) { _, event in order.append("\(event)") }
        let operation = ManualOperation {
            order.append("start")
            $0.broadcastResponse(.text("at once"))
        }
        resource.load(using: Resource.prepareRequest(using: operation))
        #expect(order == ["observerAdded", "requested", "start", "newData(network)"])
        #expect(resource.text == "at once")
        withExtendedLifetime(owner) {}
    }

    @Test func `A request that is this resource's load already is not attached twice`() async {
        resource.addObserver(recorder)
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let load = resource.load()
        #expect(resource.load(using: load) === load)
        #expect(resource.loadRequests.count == 1)
        await load.completion()
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `A request that only confirms touches the data`() async {
        await stub.load(.text("hello"))
        stub.clock.advance(by: 100)
        let operation = ManualOperation { $0.broadcastResponse(.text("ignored", isNew: false)) }
        resource.addObserver(recorder)
        resource.load(using: Resource.prepareRequest(using: operation))
        #expect(recorder.events == [.observerAdded, .requested, .notModified])
        #expect(resource.text == "hello")
        #expect(resource.isUpToDate)
    }

    @Test func `Cancelling the request leaves the resource as it was`() {
        resource.addObserver(recorder)
        stub.network.answer(.post, "/thing", with: .held)
        resource.load(using: resource.request(.post)).cancel()
        #expect(recorder.events == [.observerAdded, .requested, .requestCancelled])
        #expect(!resource.isLoading)
        #expect(resource.latestError == nil)
    }

    @Test func `wipe() cancels a request that was attached, also another resource's`() {
        let other = stub.service.resource("/other")
        stub.network.answer(.get, "/other", with: .held)
        let request = other.request(.get)
        resource.load(using: request)
        resource.wipe()
        #expect(request.state == .completed)
        #expect(!resource.isLoading)
        #expect(!other.isRequesting)
    }

    @Test func `A completed request that is wiped before it is heard ends as cancelled, and brings nothing`() async {
        resource.addObserver(recorder)
        resource.load(using: Resource.hardWiredRequest(returning: ResponseInfo.text("known").response))
        resource.wipe()
        await mainQueueTurn()
        #expect(resource.latestData == nil)
        #expect(!resource.isLoading)
        #expect(recorder.events == [.observerAdded, .requested, .newData(.wipe), .requestCancelled])
    }

    @Test func `A failure is the resource's error, also if a chain has made it of a 304`() async {
        await stub.load(.text("hello", headers: ["ETag": "\"1\""]))
        stub.clock.advance(by: 100)
        stub.network.answer(.get, "/thing", with: .response(304))
        stub.service.configure {
            $0.decorateRequests { _, request in
                request.chained { info in
                    var info = info
                    let error = RequestError(userMessage: "Update the app", cause: CocoaError(.userCancelled))
                    info.response = .failure(error)
                    return .useResponse(info)
                }
            }
        }
        resource.addObserver(recorder)
        await resource.load().completion()
        #expect(recorder.events == [.observerAdded, .requested, .error])
        #expect(resource.latestError?.userMessage == "Update the app")
        #expect(resource.text == "hello")
        #expect(resource.loadIfNeeded() == nil)  // The retry time has begun.
    }
}
