import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Requests that are appended by `chained(whenCompleted:)`.
@MainActor @Suite(.timeLimit(.test))
struct RequestChainTests {
    private let first = ManualOperation()
    private let second = ManualOperation()

    @Test func `useThisResponse completes the chain with the wrapped request's response`() async {
        let chain = prepare(first).chained { _ in .useThisResponse }.start()
        first.complete(with: .text("first", isNew: false))
        let info = await chain.completion()
        #expect(info.text == "first")
        #expect(!info.isNew)
    }

    @Test func `useResponse completes the chain with the closure's response`() async {
        let chain = prepare(first).chained { info in .useResponse(.text((info.text ?? "") + "!")) }.start()
        first.complete(with: .text("first"))
        #expect(await chain.completion().text == "first!")
    }

    @Test func `passTo starts the other request, and completes the chain with its response`() async {
        let next = prepare(second)
        let chain = prepare(first).chained { _ in .passTo(next) }.start()
        #expect(next.state == .notStarted)
        first.complete(with: .text("first"))
        #expect(second.startCount == 1)
        #expect(chain.state == .inProgress)
        second.complete(with: .text("second"))
        #expect(await chain.completion().text == "second")
    }

    @Test func `passTo takes a request that runs or has completed already`() async {
        let known = Resource.hardWiredRequest(returning: ResponseInfo.text("known").response)
        let chain = prepare(first).chained { _ in .passTo(known) }.start()
        first.complete(with: .text("first"))
        #expect(await chain.completion().text == "known")
    }

    @Test func `The description of a chain names its request, and that of a row of chains is short`() {
        let request = prepare(first)
        let chain = request.chained { _ in .useThisResponse }
        #expect("\(chain)" == "Chain[\(request)]")
        let row = (0..<1_000).reduce(chain) { row, _ in row.chained { _ in .useThisResponse } }
        #expect("\(row)".utf8.count < 100)
    }

    @Test func `The closure gets failures, too`() async {
        var causes: [any Error] = []
        let failed = Resource.failedRequest(
            returning: RequestError(userMessage: "", cause: CocoaError(.fileNoSuchFile)))
        let chain = failed.chained { info in
            causes += [info.failure?.cause].compactMap { $0 }
            return .useResponse(.text("fallback"))
        }
        #expect(await chain.completion().text == "fallback")
        #expect(causes.map { $0 is CocoaError } == [true])
    }

    @Test func `The hooks of the wrapped request and of the chain each run once`() async {
        var calls: [String] = []
        let wrapped = prepare(first).onCompletion { calls.append("wrapped \($0.text ?? "")") }
        let chain = wrapped.chained { _ in .useResponse(.text("chain")) }
        chain.onCompletion { calls.append("chain \($0.text ?? "")") }
        chain.start()
        first.complete(with: .text("first"))
        await chain.completion()
        #expect(calls == ["wrapped first", "chain chain"])
    }

    @Test func `A chain starts at once iff the wrapped request has started`() async {
        let unstarted = prepare(first)
        let chain = unstarted.chained { _ in .useThisResponse }
        #expect(chain.state == .notStarted)
        #expect(first.startCount == 0)
        chain.start()
        #expect(unstarted.state == .inProgress)
        #expect(first.startCount == 1)

        let started = prepare(second).start()
        #expect(started.chained { _ in .useThisResponse }.state == .inProgress)
        second.complete(with: .text("done"))
        let late = started.chained { _ in .useThisResponse }
        #expect(late.state == .inProgress)
        #expect(await late.completion().text == "done")
    }

    @Test func `Cancelling the chain cancels the wrapped request while that runs, and never calls the closure`() async {
        var calls = 0
        let wrapped = prepare(first).start()
        let chain = wrapped.chained { _ in
            calls += 1
            return .useThisResponse
        }
        chain.cancel()
        #expect(wrapped.state == .completed)
        #expect(first.cancelCount == 1)
        await mainQueueTurn()
        #expect(calls == 0)
        #expect(await chain.completion().response.isCancellation)
    }

    @Test func `Cancelling the chain cancels the request that it was passed to while that runs`() async {
        let next = prepare(second)
        let chain = prepare(first).chained { _ in .passTo(next) }.start()
        first.complete(with: .text("first"))
        chain.cancel()
        #expect(second.cancelCount == 1)
        #expect(await next.completion().response.isCancellation)
        #expect(await chain.completion().response.isCancellation)
    }

    @Test func `Cancelling the wrapped request passes the cancellation to the closure`() async {
        let wrapped = prepare(first).start()
        var cancellations: [Bool] = []
        let chain = wrapped.chained { info in
            cancellations.append(info.response.isCancellation)
            return .useResponse(.text("instead"))
        }
        wrapped.cancel()
        #expect(cancellations == [true])
        #expect(await chain.completion().text == "instead")
    }

    @Test func `Cancelling the request that the chain was passed to cancels the chain`() async {
        let next = prepare(second)
        let chain = prepare(first).chained { _ in .passTo(next) }.start()
        first.complete(with: .text("first"))
        next.cancel()
        #expect(await chain.completion().response.isCancellation)
    }

    @Test func `A chain that was cancelled before it started never starts the wrapped request`() {
        let chain = prepare(first).chained { _ in .useThisResponse }
        chain.cancel()
        chain.start()
        #expect(first.startCount == 0)
        #expect(chain.state == .completed)
    }

    @Test func `repeated() repeats the wrapped request and reruns the chain's logic`() async throws {
        var calls = 0
        first.onStart = { $0.broadcastResponse(.text("wrapped")) }
        let chain = prepare(first).chained { info in
            calls += 1
            return .useResponse(.text("\(info.text ?? "") \(calls)"))
        }
        #expect(await chain.start().completion().text == "wrapped 1")
        let repeated = chain.repeated()
        #expect(repeated.state == .notStarted)
        #expect(first.repetitions.map(\.startCount) == [0])
        #expect(await repeated.start().completion().text == "wrapped 2")
        #expect(first.repetitions.map(\.startCount) == [1])
        #expect(first.startCount == 1)
    }

    @Test func `Chains of chains pass the response along, and cancel all the way down`() async {
        let chain = prepare(first)
            .chained { info in .useResponse(.text((info.text ?? "") + "b")) }
            .chained { info in .useResponse(.text((info.text ?? "") + "c")) }
        chain.start()
        first.complete(with: .text("a"))
        #expect(await chain.completion().text == "abc")

        let cancelled = prepare(second).chained { _ in .useThisResponse }.chained { _ in .useThisResponse }.start()
        cancelled.cancel()
        #expect(second.cancelCount == 1)
    }

    @Test func `A chain given to load(using:) updates the resource with the chain's response`() async {
        let stub = StubbedResource()
        stub.network.answer(.get, "/thing", with: .text("hello"))
        let chain = stub.resource.request(.get).chained { info in .useResponse(.text((info.text ?? "") + "!")) }
        await stub.resource.load(using: chain).completion()
        #expect(stub.resource.text == "hello!")
    }

    @Test func `A chain shows the progress of the request it follows`() {
        let next = prepare(second)
        let chain = prepare(first).chained { _ in .passTo(next) }.start()
        first.progress = 0.25
        #expect(chain.progress == 0.25)
        first.complete(with: .text("first"))
        #expect(chain.progress == 0.25)
        second.complete(with: .text("second"))
        #expect(chain.progress == 1)
    }

    private func prepare(_ operation: ManualOperation) -> any Request {
        Resource.prepareRequest(using: operation)
    }
}
