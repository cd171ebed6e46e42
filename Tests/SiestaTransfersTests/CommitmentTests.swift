import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaTransfers

/// Work that either takes effect or is cancelled, and requests that do such work.
@MainActor @Suite(.timeLimit(.test))
struct CommitmentTests {
    private struct Failure: Error {}

    @Test func `What was cancelled first has no effect`() throws {
        let commitment = Commitment()
        #expect(commitment.cancel())
        #expect(!commitment.commit { Issue.record("has an effect") })
        #expect(commitment.cancel())
    }

    @Test func `What has had its effect cannot be cancelled, and has none again`() throws {
        let commitment = Commitment()
        #expect(commitment.commit {})
        #expect(!commitment.cancel())
        #expect(!commitment.commit { Issue.record("has an effect again") })
    }

    @Test func `Work that fails decides nothing`() throws {
        let commitment = Commitment()
        #expect(throws: Failure.self) { try commitment.commit { () throws(Failure) in throw Failure() } }
        #expect(commitment.cancel())
    }

    @Test func `Of many threads that cancel and commit at once, one decides`() async {
        for _ in 0..<500 {
            let commitment = Commitment()
            async let done = Task.detached { commitment.commit {} }.value
            async let cancelled = Task.detached { commitment.cancel() }.value
            let outcome = await (done, cancelled)
            #expect(outcome.0 != outcome.1)
        }
    }

    // MARK: Requests

    /// Work that the test completes.
    private final class Work: LibraryRequestDelegate {
        let commitment = Commitment()
        private(set) var handler: (any RequestCompletionHandler)?
        private(set) var isStopped = false

        func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
            handler = completionHandler
        }

        func cancelEffect(ifUnwanted: Bool) -> Bool { commitment.cancel() }
        func cancelUnderlyingOperation() { isStopped = true }
        func repeated() -> any RequestDelegate { Work() }

        func succeed() {
            handler?.broadcastResponse(ResponseInfo(response: .success(Entity<Any>(content: "done", headers: [:]))))
        }
    }

    private func request(_ work: Work) -> any Request { Resource.prepareRequest(using: work) }

    @Test func `A request whose work has had its effect cannot be cancelled`() async {
        let work = Work()
        let request = request(work).start()
        #expect(work.commitment.commit {})
        request.cancel()
        #expect(request.state == .inProgress)
        #expect(!work.isStopped)
        work.succeed()
        #expect(await request.completion().failure == nil)
    }

    @Test func `A request that was cancelled keeps its work from having an effect`() async {
        let work = Work()
        let request = request(work).start()
        request.cancel()
        #expect(!work.commitment.commit {})
        #expect(work.isStopped)
        #expect(await request.completion().failure?.cause is RequestError.Cause.RequestCancelled)
    }

    @Test func `A chain whose request has had its effect cannot be cancelled, and sends nothing more`() async {
        for passes in [false, true] {
            let (work, next) = (Work(), Work())
            let other = request(next)
            let chain = request(work).start().chained { _ in passes ? .passTo(other) : .useThisResponse }
            #expect(work.commitment.commit {})
            chain.cancel()
            #expect(chain.state == .inProgress)
            work.succeed()
            let failure = await chain.completion().failure
            #expect((failure?.cause is RequestError.Cause.RequestCancelled) == passes)
            #expect(other.state == .notStarted)
        }
    }

    @Test func `A chain that nobody wants leaves alone the effect of a request that others want`() async {
        let work = Work()
        let request = request(work).start()
        let waiting = Task { await request.response.failure == nil }
        let chain = request.chained { _ in .useThisResponse }
        let unwanted = Task { await chain.response.failure == nil }
        await mainQueueTurn()  // both tasks wait
        unwanted.cancel()
        #expect(await !unwanted.value)
        #expect(work.commitment.commit {})
        work.succeed()
        #expect(await waiting.value)
    }

    @Test func `A task that is cancelled when the work has had its effect waits for the response`() async {
        let work = Work()
        let request = request(work).start()
        let waiting = Task { await request.response.failure == nil }
        await mainQueueTurn()  // the task waits
        #expect(work.commitment.commit {})
        waiting.cancel()
        await mainQueueTurn()  // the request has learned of the cancellation
        work.succeed()
        #expect(await waiting.value)
    }
}
