import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The effects of configured decorators on requests before they start.
@MainActor @Suite(.timeLimit(.test))
struct RequestDecorationTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }

    @Test func `A decorator gets the resource and the request, which has not started`() async {
        var seen: [(Resource, RequestState)] = []
        decorate { resource, request in
            seen.append((resource, request.state))
            return request
        }
        stub.network.answer(.get, "/thing", with: .text("hello"))
        await resource.request(.get).completion()
        await resource.load().completion()
        #expect(seen.map(\.0) == [resource, resource])
        #expect(seen.map(\.1) == [.notStarted, .notStarted])
    }

    @Test
    func `Decorators run in order, each on the result of the one before; the last result is what the caller gets`()
        async
    {
        for step in ["a", "b", "c"] {
            decorate { _, request in
                request.chained { info in .useResponse(.text((info.text ?? "") + step)) }
            }
        }
        stub.network.answer(.get, "/thing", with: .text("-"))
        #expect(await resource.request(.get).completion().text == "-abc")
    }

    @Test func `Hooks that a decorator attaches run before the caller's`() async {
        var calls: [String] = []
        decorate { _, request in request.onCompletion { _ in calls.append("decorator") } }
        stub.network.answer(.get, "/thing", with: .text("hello"))
        await resource.load().onCompletion { _ in calls.append("caller") }.completion()
        #expect(calls == ["decorator", "caller"])
    }

    @Test func `A decorator's result is what starts, and what is in allRequests and loadRequests`() {
        let replacement = Resource.prepareRequest(using: ManualOperation())
        decorate { _, _ in replacement }
        let load = resource.load()
        #expect(load === replacement)
        #expect(load.state == .inProgress)
        #expect(resource.loadRequests.first === replacement)
        #expect(resource.allRequests.first === replacement)
        load.cancel()
        #expect(!resource.isRequesting)
    }

    @Test func `A replaced request never starts by itself`() async {
        var replaced: (any Request)?
        decorate { _, request in
            replaced = request
            return Resource.hardWiredRequest(returning: ResponseInfo.text("instead").response)
        }
        await resource.load().completion()
        #expect(resource.text == "instead")
        #expect(replaced?.state == .notStarted)
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `A chained request starts the request it wraps, once`() async {
        decorate { _, request in request.chained { _ in .useThisResponse } }
        stub.network.answer(.get, "/thing", with: .text("hello"))
        await resource.load().completion()
        #expect(stub.network.requests.count == 1)
        #expect(resource.text == "hello")
    }

    @Test func `Only what a chain passes on reaches the resource: a retry after logging in`() async {
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        decorate { resource, request in
            request.chained { info in
                guard info.failure?.httpStatusCode == 401 else { return .useThisResponse }
                let logIn = resource.service.resource("/session").request(.post)
                return .passTo(logIn.chained { $0.failure == nil ? .passTo(request.repeated()) : .useThisResponse })
            }
        }
        stub.network.answer(.get, "/thing", with: .response(401), .text("secret"))
        stub.network.answer(.post, "/session", with: .response(200))
        await resource.load().completion()
        #expect(resource.text == "secret")
        #expect(resource.latestError == nil)
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
        #expect(stub.network.requests.map { $0.httpMethod } == ["GET", "POST", "GET"])
        #expect(!resource.isRequesting)
    }

    @Test func `A decorator may cancel: nothing is sent, and the caller's hooks hear of it`() async {
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        decorate { _, request in
            request.cancel()
            return request
        }
        let load = resource.load()
        #expect(load.state == .completed)
        #expect(await load.completion().response.isCancellation)
        #expect(stub.network.requests.isEmpty)
        #expect(!resource.isRequesting)
        #expect(!resource.isLoading)
        #expect(recorder.events == [.observerAdded, .requested, .requestCancelled])
    }

    @Test func `A decorator may start the request itself, and it is sent once`() {
        decorate { _, request in request.start() }
        _ = resource.request(.get)
        #expect(stub.network.requests.count == 1)
    }

    @Test func `A decorator may make other requests of the same resource`() async {
        decorate { resource, request in
            if stub.network.requests.isEmpty, resource.url.path == "/thing" {
                _ = resource.child("log").request(.post)
            }
            return request
        }
        stub.network.handler = { _ in .text("hello") }
        await resource.load().completion()
        #expect(stub.network.requests.map { $0.url?.path } == ["/thing/log", "/thing"])
    }

    @Test func `Decorators are configured by method, and apply to the resources that match`() {
        var decorated: [String] = []
        stub.service.configure("/thing", requestMethods: [.post]) {
            $0.decorateRequests { resource, request in
                decorated.append(resource.url.path)
                return request
            }
        }
        _ = resource.request(.get)
        _ = resource.request(.post)
        _ = stub.service.resource("/other").request(.post)
        #expect(decorated == ["/thing"])
    }

    @Test func `A request is built once, however many decorators ask nothing of it`() {
        var mutations = 0
        decorate { _, request in request }
        _ = resource.request(.get) { _ in mutations += 1 }
        #expect(mutations == 1)
    }

    private func decorate(with decorator: @escaping (Resource, any Request) -> any Request) {
        stub.service.configure { $0.decorateRequests(with: decorator) }
    }
}
