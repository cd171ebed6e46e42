import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Waiting for requests, and the effect of cancelling the waiting task.
@MainActor @Suite(.timeLimit(.test))
struct RequestAwaitingTests {
    private let stub = StubbedResource()

    // MARK: Outcomes

    @Test func `The value is what the request brought`() async throws {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let entity = try await stub.resource.load().value
        #expect(entity.content as? String == "hello")
        #expect(stub.resource.latestData?.content as? String == "hello")
    }

    @Test func `A failure is thrown as a RequestError`() async {
        stub.network.answer(.get, "/thing", with: .response(500))
        do throws(RequestError) {
            _ = try await stub.resource.load().value
            Issue.record("no error")
        } catch {
            #expect(error.httpStatusCode == 500)
        }
    }

    @Test func `The response tells whether it is new`() async {
        await stub.load(.text("old", headers: ["ETag": "\"1\""]))
        stub.network.answer(.get, "/thing", with: .notModified)
        let response = await stub.resource.load().response
        #expect(!response.isNew)
        #expect(response.text == "old")
    }

    @Test func `Content of another type is an error that names both types`() async throws {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        #expect(try await stub.resource.load().value.content(as: String.self) == "hello")
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let error = await #expect(throws: RequestError.self) {
            try await stub.resource.load().value.content(as: Int.self)
        }
        #expect(error?.code == .wrongContentType)
        let reason = try #require(error?.cause as? RequestError.Failure).reason
        #expect(reason.contains("type Int"))
        #expect(reason.contains("made String"))
    }

    @Test func `A request that completed long ago has its value at once`() async throws {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let request = stub.resource.load()
        _ = await request.completion()
        #expect(try await request.value.content as? String == "hello")
        let failed = Resource.failedRequest(returning: RequestError(userMessage: "no", cause: CancellationError()))
        await #expect(throws: RequestError.self) { _ = try await failed.value }
    }

    @Test func `Waiting starts a request that has not been started`() async throws {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let repeated = stub.resource.load().repeated()
        #expect(repeated.state == .notStarted)
        #expect(try await repeated.value.content as? String == "hello")
    }

    @Test func `Hooks that were attached before have run when the wait ends`() async throws {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        var isHooked = false
        let request = stub.resource.load().onSuccess { _ in isHooked = true }
        _ = try await request.value
        #expect(isHooked)
    }

    @Test func `A request of the app's own kind can be waited for`() async throws {
        let answer = Entity<Any>(content: "x", contentType: "a/b")
        let request = ForeignRequest(Resource.hardWiredRequest(returning: .success(answer)))
        #expect(try await request.value.content as? String == "x")
    }

    // MARK: Cancelling the wait

    @Test func `Cancelling the only one who waits cancels the request`() async throws {
        let wait = try await startWaiting()
        wait.task.cancel()
        #expect(await wait.task.value.isCancellation)
        #expect(wait.request.isCompleted)
        #expect(try stub.exchange(0).isCancelled)
        #expect(!stub.resource.isLoading)
    }

    /// Others who may be interested in the result.
    enum Interest: CaseIterable {
        case observer, hook, waiter, events, states
    }

    @Test func `A hook for progress does not keep a request running whose task is cancelled`() async throws {
        let wait = try await startWaiting()
        wait.request.onProgress { _ in }
        wait.task.cancel()
        #expect(await wait.task.value.isCancellation)
        #expect(wait.request.isCompleted)
    }

    @Test(arguments: Interest.allCases)
    func `The request goes on if somebody else is interested`(_ interest: Interest) async throws {
        let wait = try await startWaiting()
        let recorder = ObserverRecorder()
        var others: [Task<Void, Never>] = []
        switch interest {
        case .observer: stub.resource.addObserver(recorder)
        case .hook: wait.request.onSuccess { _ in }
        case .waiter: others.append(Task { _ = try? await wait.request.value })
        case .events: others.append(Task { for await _ in stub.resource.events {} })
        case .states: others.append(Task { for await _ in stub.resource.states {} })
        }
        await mainQueueTurn()
        await mainQueueTurn()
        wait.task.cancel()
        #expect(await wait.task.value.isCancellation)
        #expect(!wait.request.isCompleted)
        try stub.exchange(0).respond(with: .text("late"))
        #expect(await wait.request.completion().text == "late")
        for other in others { other.cancel() }
        withExtendedLifetime(recorder) {}
    }

    @Test func `Once the last of several who wait has gone, the request is cancelled`() async throws {
        let wait = try await startWaiting()
        let second = Task { Outcome(await wait.request.response) }
        await mainQueueTurn()
        wait.task.cancel()
        _ = await wait.task.value
        #expect(!wait.request.isCompleted)
        second.cancel()
        #expect(await second.value.isCancellation)
        #expect(wait.request.isCompleted)
    }

    @Test func `Hooks of decorators do not count as interest`() async throws {
        var endings = 0
        stub.service.configure { $0.decorateRequests { _, request in request.onCompletion { _ in endings += 1 } } }
        let wait = try await startWaiting()
        wait.task.cancel()
        _ = await wait.task.value
        #expect(wait.request.isCompleted)
        #expect(endings == 1)
    }

    @Test(arguments: [true, false])
    func `A cancelled wait for a chain cancels the request that it wraps, if nobody else wants that`(
        _ isWrappedWanted: Bool
    ) async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let wrapped = stub.resource.load()
        if isWrappedWanted { wrapped.onSuccess { _ in } }
        let chain = wrapped.chained { _ in .useThisResponse }
        let task = Task { Outcome(await chain.response) }
        await mainQueueTurn()
        task.cancel()
        #expect(await task.value.isCancellation)
        #expect(chain.isCompleted)
        #expect(wrapped.isCompleted == !isWrappedWanted)
    }

    @Test func `A request that a chain works with goes on when a task stops waiting for it`() async throws {
        let wait = try await startWaiting()
        let chain = wait.request.chained { _ in .useThisResponse }
        wait.task.cancel()
        _ = await wait.task.value
        #expect(!wait.request.isCompleted)
        try stub.exchange(0).respond(with: .text("x"))
        #expect(await chain.completion().text == "x")
    }

    @Test(arguments: [true, false])
    func `A decorator may return a custom request that a task waits for, and either task may stop waiting`(
        _ isFirstCancelled: Bool
    ) async {
        let operation = ManualOperation()
        let shared = Resource.prepareRequest(using: operation)
        stub.service.configure { $0.decorateRequests { _, _ in shared } }
        let resource = stub.resource
        let first = Task.immediate { Outcome(await shared.response) }
        let second = Task.immediate { Outcome(await resource.request(.get).response) }
        let (stopping, waiting) = isFirstCancelled ? (first, second) : (second, first)
        stopping.cancel()
        #expect(await stopping.value.isCancellation)
        #expect(!shared.isCompleted)
        operation.complete(with: .text("x"))
        #expect(await waiting.value.text == "x")
    }

    @Test func `A decorator may return a load that a task waits for, and another task may stop waiting for it`()
        async throws
    {
        var decorated = 0
        stub.service.configure {
            $0.decorateRequests { resource, request in
                decorated += 1
                return resource.loadRequests.first ?? request
            }
        }
        stub.network.answer(.get, "/thing", with: .held)
        let resource = stub.resource.typed(as: String.self)
        let first = Task.immediate { try await resource.get(.always) }
        let load = try #require(stub.resource.loadRequests.first)
        let second = Task.immediate { try await resource.get(.always) }
        #expect(decorated == 2)
        second.cancel()
        let error = await #expect(throws: RequestError.self) { try await second.value }
        #expect(error?.isCancellation == true)
        #expect(!load.isCompleted)
        try stub.exchange(0).respond(with: .text("x"))
        #expect(try await first.value == "x")
        #expect(stub.network.requests.count == 1)
    }

    @Test func `A task that is cancelled already neither starts a request nor waits`() async {
        let request = stub.resource.load().repeated()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await request.response.response.isCancellation
        }
        #expect(await task.value)
        #expect(request.state == .notStarted)
    }

    @Test func `cancelLoadIfUnobserved() leaves alone what a task waits for`() async throws {
        let wait = try await startWaiting()
        stub.resource.cancelLoadIfUnobserved()
        #expect(!wait.request.isCompleted)
        try stub.exchange(0).respond(with: .text("x"))
        #expect(await wait.task.value.text == "x")
    }

    // MARK: Fresh data

    @Test
    func `fresh() loads what is missing, and then does without the network until that is outdated`() async throws {
        stub.network.answer(.get, "/thing", with: .text("one"))
        #expect(try await stub.resource.get().content as? String == "one")
        #expect(try await stub.resource.get().content as? String == "one")
        #expect(stub.network.requests.count == 1)
        stub.clock.advance(by: 31)
        stub.network.answer(.get, "/thing", with: .text("two"))
        #expect(try await stub.resource.get().content as? String == "two")
    }

    @Test func `fresh() joins the load in progress`() async throws {
        let wait = try await startWaiting()
        let fresh = Task { try await stub.resource.get().content as? String }
        await mainQueueTurn()
        try stub.exchange(0).respond(with: .text("x"))
        #expect(try await fresh.value == "x")
        _ = await wait.task.value
        #expect(stub.network.requests.count == 1)
    }

    @Test func `fresh() throws a recent failure again, without a new request`() async {
        stub.network.answer(.get, "/thing", with: .response(503))
        await #expect(throws: RequestError.self) { _ = try await stub.resource.get() }
        await #expect(throws: RequestError.self) { _ = try await stub.resource.get() }
        #expect(stub.network.requests.count == 1)
    }

    private func startWaiting() async throws -> (request: any Request, task: Task<Outcome, Never>) {
        stub.network.answer(.get, "/thing", with: .held)
        let request = stub.resource.load()
        let task = Task { Outcome(await request.response) }
        await mainQueueTurn()
        return (request, task)
    }
}

/// Returns a description of the response that a task has received.
private struct Outcome: Sendable {
    let isCancellation: Bool
    let text: String?

    init(_ response: ResponseInfo) {
        isCancellation = response.response.isCancellation
        text = response.text
    }
}

/// A request that does not use the library's implementation.
private final class ForeignRequest: Request {
    private let wrapped: any Request

    init(_ wrapped: any Request) {
        self.wrapped = wrapped
    }

    func onCompletion(_ callback: @escaping (ResponseInfo) -> Void) -> any Request { wrapped.onCompletion(callback) }
    func onSuccess(_ callback: @escaping (Entity<Any>) -> Void) -> any Request { wrapped.onSuccess(callback) }
    func onNewData(_ callback: @escaping (Entity<Any>) -> Void) -> any Request { wrapped.onNewData(callback) }
    func onNotModified(_ callback: @escaping () -> Void) -> any Request { wrapped.onNotModified(callback) }
    func onFailure(_ callback: @escaping (RequestError) -> Void) -> any Request { wrapped.onFailure(callback) }
    func onProgress(_ callback: @escaping (Double) -> Void) -> any Request { wrapped.onProgress(callback) }
    func start() -> any Request { wrapped.start() }
    var state: RequestState { wrapped.state }
    var progress: Double { wrapped.progress }
    func cancel() { wrapped.cancel() }
    func repeated() -> any Request { wrapped.repeated() }
}
