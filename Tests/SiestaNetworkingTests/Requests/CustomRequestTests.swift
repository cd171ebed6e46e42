import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Requests whose work the app does, and requests without work.
@MainActor @Suite(.timeLimit(.test))
struct CustomRequestTests {
    private let operation = ManualOperation()

    @Test func `A prepared request does not start its work before start(), and then once`() {
        let request = Resource.prepareRequest(using: operation)
        #expect(request.state == .notStarted)
        #expect(operation.startCount == 0)
        request.start()
        request.start()
        #expect(operation.startCount == 1)
        #expect(request.state == .inProgress)
    }

    @Test func `The work's response completes the request, and the first one counts`() async {
        let request = Resource.prepareRequest(using: operation).start()
        var texts: [String?] = []
        request.onCompletion { texts.append($0.text) }
        operation.complete(with: .text("first"))
        operation.complete(with: .text("second"))
        await mainQueueTurn()
        #expect(texts == ["first"])
        #expect(request.state == .completed)
        #expect(await request.completion().text == "first")
    }

    @Test func `Work may complete inside its start`() async {
        operation.onStart = { $0.broadcastResponse(.text("at once")) }
        let request = Resource.prepareRequest(using: operation).start()
        #expect(request.state == .completed)
        #expect(await request.completion().text == "at once")
    }

    @Test
    func `A response is going to be ignored once the request has completed or was cancelled, not before`() throws {
        let request = Resource.prepareRequest(using: operation).start()
        let handler = try #require(operation.handler)
        #expect(!handler.willIgnore(.text("any")))
        request.cancel()
        #expect(handler.willIgnore(.text("any")))

        let other = ManualOperation()
        Resource.prepareRequest(using: other).start()
        other.complete(with: .text("done"))
        #expect(try #require(other.handler).willIgnore(.text("any")))
    }

    @Test func `Cancelling a running request cancels its work`() {
        let request = Resource.prepareRequest(using: operation).start()
        request.cancel()
        #expect(operation.cancelCount == 1)
    }

    @Test func `Work that answers its own cancellation is not heard`() async {
        let operation = AnsweringOperation()
        let request = Resource.prepareRequest(using: operation).start()
        request.cancel()
        #expect(await request.completion().response.isCancellation)
    }

    @Test func `repeated() asks the work to repeat itself`() {
        let request = Resource.prepareRequest(using: operation)
        let repeated = request.repeated().start()
        #expect(operation.startCount == 0)
        #expect(operation.repetitions.map(\.startCount) == [1])
        #expect(repeated !== request)
    }

    @Test
    func `Work that says nothing else has no progress, reports it every 0.05 seconds, and is named by its type`() {
        struct Minimal: RequestDelegate {
            func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {}
            func cancelUnderlyingOperation() {}
            func repeated() -> any RequestDelegate { self }
        }
        let minimal = Minimal()
        #expect(minimal.computeProgress() == 0)
        #expect(minimal.progressReportingInterval == 0.05)
        #expect(minimal.requestDescription.contains("Minimal"))
    }

    @Test func `A custom request can be the load of a resource`() async {
        let stub = StubbedResource()
        let recorder = ObserverRecorder()
        stub.resource.addObserver(recorder)
        let request = stub.resource.load(using: Resource.prepareRequest(using: operation))
        #expect(request.state == .inProgress)
        #expect(stub.resource.isLoading)
        operation.complete(with: .text("custom"))
        #expect(stub.resource.text == "custom")
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `A failed request has completed with its error, and stays so`() async throws {
        let request = Resource.failedRequest(
            returning: RequestError(userMessage: "no", cause: CocoaError(.fileNoSuchFile)))
        #expect(request.state == .completed)
        #expect(request.progress == 1)
        request.start()
        request.cancel()
        let error = try #require(await request.completion().failure)
        #expect(error.userMessage == "no")
        #expect(error.cause is CocoaError)
    }

    @Test(arguments: [true, false])
    func `A hard-wired request has completed with its response, which is new`(_ isSuccess: Bool) async {
        let error = RequestError(userMessage: "no", cause: CocoaError(.fileNoSuchFile))
        let response = isSuccess ? ResponseInfo.text("yes").response : .failure(error)
        let request = Resource.hardWiredRequest(returning: response)
        #expect(request.state == .completed)
        let info = await request.completion()
        #expect(info.text == (isSuccess ? "yes" : nil))
        #expect(info.failure?.userMessage == (isSuccess ? nil : "no"))
        #expect(info.isNew)
    }

    @Test func `A hard-wired request given to load(using:) updates the resource, but not inside that call`() async {
        let stub = StubbedResource()
        let request = stub.resource.load(
            using: Resource.hardWiredRequest(returning: ResponseInfo.text("fixed").response))
        #expect(stub.resource.latestData == nil)
        #expect(stub.resource.isLoading)
        await request.completion()
        #expect(stub.resource.text == "fixed")
        #expect(!stub.resource.isLoading)
    }

    @Test func `Nothing holds on to a request that has completed`() async {
        weak var weakRequest: (any Request)?
        let stub = StubbedResource()
        stub.network.answer(.get, "/thing", with: .text("hello"))
        do {
            let request = stub.resource.load()
            weakRequest = request
            await request.completion()
        }
        await mainQueueTurn()
        #expect(weakRequest == nil)
    }
}

/// Work that reports a response when it is cancelled.
@MainActor
private final class AnsweringOperation: RequestDelegate {
    private var handler: (any RequestCompletionHandler)?

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        handler = completionHandler
    }

    func cancelUnderlyingOperation() {
        handler?.broadcastResponse(.text("too late"))
    }

    func repeated() -> any RequestDelegate { self }
}
