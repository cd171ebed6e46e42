import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The hooks that a request calls, and their times and order.
@MainActor @Suite(.timeLimit(.test))
struct RequestHookTests {
    enum Outcome: CaseIterable {
        case newData, notModified, httpError, networkError, cancellation

        var expectedCalls: [String] {
            switch self {
            case .newData: ["completion", "newData", "progress", "success"]
            case .notModified: ["completion", "notModified", "progress", "success"]
            case .httpError, .networkError, .cancellation: ["completion", "failure", "progress"]
            }
        }
    }

    enum Moment: CaseIterable {
        case beforeStart, inFlight, afterCompletion
    }

    private let stub = StubbedResource()

    @Test(arguments: Outcome.allCases, Moment.allCases)
    func `Each outcome calls the hooks it is about, once, whenever they were attached`(
        _ outcome: Outcome, _ moment: Moment
    ) async throws {
        let log = CallLog()
        let request = try await request(for: outcome)
        if moment == .beforeStart { log.attach(to: request) }
        request.start()
        if moment == .inFlight { log.attach(to: request) }
        finish(request, with: outcome)
        await request.completion()
        if moment == .afterCompletion { log.attach(to: request) }
        await mainQueueTurn()
        #expect(log.calls.sorted() == outcome.expectedCalls)
        await mainQueueTurn()
        #expect(log.calls.count == outcome.expectedCalls.count)
    }

    @Test func `The hooks of an outcome run in the order attached, those attached late after the others`() async {
        var calls: [Int] = []
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let request = stub.resource.load()
        request.onCompletion { _ in calls.append(1) }
            .onSuccess { _ in calls.append(2) }
            .onNewData { _ in calls.append(3) }
            .onSuccess { _ in calls.append(4) }
            .onCompletion { _ in calls.append(5) }
        await request.completion()
        request.onCompletion { _ in calls.append(6) }.onSuccess { _ in calls.append(7) }
        await mainQueueTurn()
        #expect(calls == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func `A hook never runs inside the call that attaches it, even on a completed request`() async {
        let request = Resource.failedRequest(
            returning: RequestError(userMessage: "no", cause: CocoaError(.fileNoSuchFile)))
        var calls = 0
        request.onCompletion { _ in calls += 1 }
        request.onFailure { _ in calls += 1 }
        request.onProgress { _ in calls += 1 }
        #expect(calls == 0)
        await mainQueueTurn()
        #expect(calls == 3)
    }

    @Test func `A hook attached from within a hook runs later, exactly once`() async {
        var calls: [String] = []
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let request = stub.resource.load()
        request.onCompletion { [unowned request] _ in
            request.onCompletion { _ in calls.append("inner") }
            calls.append("outer")
        }
        request.onCompletion { _ in calls.append("other") }
        await request.completion()
        await mainQueueTurn()
        #expect(calls == ["outer", "other", "inner"])
    }

    @Test(arguments: [1, 2])
    func `Hooks run on the main actor, also when the network answers elsewhere, or twice`(_ answerCount: Int) async {
        let network = BackgroundNetwork(answerCount: answerCount)
        let request = Service(baseURL: "https://api.test", networking: network).resource("/thing").load()
        var calls = 0
        request.onProgress { _ in MainActor.assertIsolated() }
        request.onCompletion { _ in
            MainActor.assertIsolated()
            calls += 1
        }
        await request.completion()
        await mainQueueTurn()
        #expect(calls == 1)
    }

    @Test func `A request is completed, with its response, when its hooks run`() async {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let request = stub.resource.load()
        var state: RequestState?
        request.onCompletion { [unowned request] _ in state = request.state }
        await request.completion()
        #expect(state == .completed)
        #expect(request.isCompleted)
    }

    @Test func `The resource has its new state when a caller's hook on load() runs`() async {
        var seen: [String] = []
        let resource = stub.resource
        stub.network.answer(.get, "/thing", with: .text("hello"), .response(500))
        await resource.load().onNewData { _ in seen.append("\(resource.text) \(resource.isLoading)") }.completion()
        await resource.load().onFailure { _ in seen.append("\(resource.latestError?.httpStatusCode ?? 0)") }
            .completion()
        #expect(seen == ["hello false", "500"])
    }

    @Test func `Hooks return the request they were attached to`() {
        let request = Resource.prepareRequest(using: ManualOperation())
        #expect(request.onCompletion { _ in } === request)
        #expect(request.onSuccess { _ in } === request)
        #expect(request.onNewData { _ in } === request)
        #expect(request.onNotModified {} === request)
        #expect(request.onFailure { _ in } === request)
        #expect(request.onProgress { _ in } === request)
        #expect(request.start() === request)
    }

    @Test func `Nothing that a hook holds on to outlives the request's completion`() async {
        weak var weakOwner: NSObject?
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let request = stub.resource.load()
        do {
            let owner = NSObject()
            weakOwner = owner
            request.onCompletion { _ in _ = owner }.onProgress { _ in _ = owner }
        }
        #expect(weakOwner != nil)
        await request.completion()
        await mainQueueTurn()
        #expect(weakOwner == nil)
    }

    private func request(for outcome: Outcome) async throws -> any Request {
        let operation = ManualOperation()
        operation.onStart = { handler in
            switch outcome {
            case .newData: handler.broadcastResponse(.text("new"))
            case .notModified: handler.broadcastResponse(.text("old", isNew: false))
            case .httpError:
                handler.broadcastResponse(
                    ResponseInfo(response: .failure(RequestError(response: nil, content: nil, cause: nil))))
            case .networkError:
                handler.broadcastResponse(
                    ResponseInfo(
                        response: .failure(RequestError(userMessage: "", cause: CocoaError(.fileNoSuchFile)))))
            case .cancellation: break
            }
        }
        operation.isDeferred = true
        return Resource.prepareRequest(using: operation)
    }

    private func finish(_ request: any Request, with outcome: Outcome) {
        if outcome == .cancellation { request.cancel() }
    }
}

/// A network that responds on other threads.
private struct BackgroundNetwork: NetworkingProvider {
    struct Handle: RequestNetworking {
        let transferMetrics = RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)

        func cancel() {}
    }

    let answerCount: Int

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        DispatchQueue.global().async {
            for _ in 0..<answerCount { completion(nil, Data("hello".utf8), nil) }
        }
        return Handle()
    }
}

/// Records the calls of a request's hooks.
@MainActor
private final class CallLog {
    var calls: [String] = []

    func attach(to request: any Request) {
        request.onCompletion { _ in self.calls.append("completion") }
            .onSuccess { _ in self.calls.append("success") }
            .onNewData { _ in self.calls.append("newData") }
            .onNotModified { self.calls.append("notModified") }
            .onFailure { _ in self.calls.append("failure") }
            .onProgress { _ in self.calls.append("progress") }
    }
}
