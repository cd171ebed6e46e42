import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The effect of `cancel()` in each phase of a request.
@MainActor @Suite(.timeLimit(.test))
struct RequestCancellationTests {
    private let stub = StubbedResource()

    @Test func `Cancelling a request in progress completes it at once with RequestCancelled`() throws {
        stub.network.answer(.get, "/thing", with: .held)
        let request = stub.resource.load()
        var responses: [ResponseInfo] = []
        request.onCompletion { responses.append($0) }
        #expect(request.state == .inProgress)
        request.cancel()
        #expect(request.state == .completed)
        #expect(responses.count == 1)
        #expect(responses.first?.response.isCancellation == true)
        #expect(responses.first?.failure?.cause is RequestError.Cause.RequestCancelled)
        #expect(responses.first?.failure?.userMessage == "Request cancelled")
        #expect(try stub.exchange(0).isCancelled)
    }

    @Test func `Cancelling a request that has not started completes it, and it never starts`() async {
        let operation = ManualOperation()
        let request = Resource.prepareRequest(using: operation)
        request.cancel()
        #expect(request.state == .completed)
        request.start()
        #expect(operation.startCount == 0)
        #expect(await request.completion().response.isCancellation)
    }

    @Test func `Cancelling a completed request has no effect`() async {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let request = stub.resource.load()
        var completions = 0
        request.onCompletion { _ in completions += 1 }
        await request.completion()
        request.cancel()
        await mainQueueTurn()
        #expect(completions == 1)
        #expect(await request.completion().text == "hello")
        #expect(stub.resource.text == "hello")
    }

    @Test func `Cancelling twice completes once, and stops the work once`() async {
        let operation = ManualOperation()
        let request = Resource.prepareRequest(using: operation).start()
        var completions = 0
        request.onCompletion { _ in completions += 1 }
        request.cancel()
        request.cancel()
        await mainQueueTurn()
        #expect(completions == 1)
        #expect(operation.cancelCount == 1)
    }

    @Test(arguments: [true, false])
    func `No network answer is heard after cancel(), whether it comes before or after it`(_ answersFirst: Bool)
        async throws
    {
        stub.network.answer(.get, "/thing", with: .held)
        let request = stub.resource.load()
        let exchange = try stub.exchange(0)
        var responses: [ResponseInfo] = []
        request.onCompletion { responses.append($0) }
        if answersFirst { exchange.respond(with: .text("late")) }
        request.cancel()
        exchange.respond(with: .text("late"))
        await settle()
        #expect(responses.map(\.response.isCancellation) == [true])
        #expect(stub.resource.latestData == nil)
    }

    @Test func `A response that is being parsed when its request is cancelled is dropped`() async throws {
        let (isParsing, mayFinish) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        stub.service.configureTransformer("/thing") { (entity: Entity<String>) -> String in
            isParsing.signal()
            mayFinish.wait()
            return entity.content
        }
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let request = stub.resource.load()
        await waitOffMain(for: isParsing)
        #expect(request.state == .inProgress)
        request.cancel()
        mayFinish.signal()
        await settle()
        #expect(stub.resource.latestData == nil)
        #expect(await request.completion().response.isCancellation)
    }

    @Test func `A request is not completed before its response has been through the pipeline`() async throws {
        let (isParsing, mayFinish) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        stub.service.configureTransformer("/thing") { (entity: Entity<String>) -> String in
            isParsing.signal()
            mayFinish.wait()
            return entity.content.uppercased()
        }
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let request = stub.resource.load()
        await waitOffMain(for: isParsing)
        #expect(try stub.exchange(0).isCompleted)
        #expect(request.state == .inProgress)
        #expect(stub.resource.isLoading)
        mayFinish.signal()
        #expect(await request.completion().text == "HELLO")
    }

    @Test func `A request that is cancelled while its provider starts it is cancelled there, too`() throws {
        let resource = stub.resource
        stub.network.handler = { _ in
            for request in resource.allRequests { request.cancel() }
            return .held
        }
        let request = resource.request(.get)
        #expect(request.state == .completed)
        #expect(try stub.exchange(0).isCancelled)
    }

    @Test func `A cancellation by the network is a cancellation, and keeps the network's error`() async {
        let info = await stub.load(.failure(.cancelled))
        #expect(info.response.isCancellation)
        let cause = info.failure?.cause as? RequestError.Cause.RequestCancelled
        #expect((cause?.networkError as? URLError)?.code == .cancelled)
        #expect(stub.resource.latestError == nil)
    }

    @Test func `A hook may cancel its own request, which has completed and stays so`() async {
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let request = stub.resource.load()
        var calls = 0
        request.onCompletion { [unowned request] _ in
            calls += 1
            request.cancel()
        }
        await request.completion()
        #expect(calls == 1)
        #expect(stub.resource.text == "hello")
    }

    @Test func `A progress hook that cancels ends the request, and the remaining hooks hear of it once`() {
        let operation = ManualOperation()
        let request = stub.clock.whileCurrent { Resource.prepareRequest(using: operation).start() }
        var calls: [String] = []
        request.onProgress { [unowned request] progress in
            calls.append("first \(progress)")
            request.cancel()
        }
        request.onProgress { calls.append("second \($0)") }
        request.onCompletion { calls.append("completed \($0.response.isCancellation)") }
        operation.progress = 0.5
        stub.clock.advance(by: 1)
        #expect(calls == ["first 0.5", "first 1.0", "second 1.0", "completed true"])
    }

    /// Waits until the responses that another thread processes have reached the main actor.
    private func settle() async {
        await stub.service.resource("/other").request(.get).completion()
        await mainQueueTurn()
    }

    private func waitOffMain(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
