import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaLive

/// Sources that have failed, ended or been stopped.
@MainActor @Suite(.timeLimit(.test))
struct FailedStreamTests {
    private let owner = Owner()
    private let live = LiveService()

    /// Observes an order whose stream ends for good.
    private func failedOrder(status: Int) async throws -> Resource {
        live.network.answer(.get, "/events", with: .response(status))
        live.answer(1, "new", version: 1)
        let order = live.order(1)
        order.addObserver(owner: owner) { _, _ in }
        try await Poll.until { order.live.description == "failed" }
        return order
    }

    @Test func `After a load, a failed stream is tried again, at most once in 30 seconds`() async throws {
        let order = try await failedOrder(status: 401)
        for _ in 0..<3 { await order.load().completion() }
        live.clock.advance(by: 29)
        for _ in 0..<20 { await mainQueueTurn() }
        #expect(live.streamCount == 1)
        live.clock.advance(by: 1)
        try await Poll.until { live.streamCount == 2 && order.live.description == "failed" }
        live.clock.advance(by: 60)
        live.network.answer(.get, "/events", with: .stream())
        await order.load().completion()
        live.clock.advance(by: 0)
        try await Poll.until { order.live.isLive }
        #expect(live.streamCount == 3)
    }

    @Test func `A stream that the server has ended for good is not tried again after a load`() async throws {
        let order = try await failedOrder(status: 204)
        await order.load().completion()
        live.clock.advance(by: 60)
        for _ in 0..<20 { await mainQueueTurn() }
        #expect(live.streamCount == 1)
        #expect(order.live.description == "failed")
    }

    @Test func `A changed sequence is used at the next iteration`() async throws {
        var iterations: [String] = []
        let (updates, continuation) = AsyncStream.makeStream(of: LiveUpdate.self)
        let iterate = { (name: String) in
            iterations.append(name)
            return iterations.count == 1 ? updates : AsyncStream { _ in }
        }
        live.service.configure("/orders/7") { $0.live = .sequence { _ in iterate("first") } }
        let order = try await live.observe(7, by: owner)
        live.service.configure("/orders/7") { $0.live = .sequence { _ in iterate("second") } }
        await mainQueueTurn()
        #expect(iterations == ["first"])
        continuation.finish()
        try await Poll.until { !order.live.isLive }
        try await live.reconnect()
        try await Poll.until { order.live.isLive }
        #expect(iterations == ["first", "second"])
    }

    /// A sequence that does not end when its task is cancelled.
    private struct StubbornUpdates: AsyncSequence, Sendable {
        typealias Element = LiveUpdate

        /// Brings the one update that the test sends.
        @MainActor
        final class Feed {
            private(set) var waiting: CheckedContinuation<LiveUpdate?, Never>?
            private(set) var requestCount = 0

            func next() async -> LiveUpdate? {
                requestCount += 1
                guard requestCount == 1 else { return nil }
                return await withCheckedContinuation { waiting = $0 }
            }
        }

        final class Iterator: AsyncIteratorProtocol {
            private let updates: StubbornUpdates

            init(_ updates: StubbornUpdates) { self.updates = updates }

            deinit { updates.end.finish() }

            func next() async -> LiveUpdate? { await updates.feed.next() }
        }

        let feed: Feed
        /// Finishes at the end of the iteration.
        let end: AsyncStream<Void>.Continuation

        func makeAsyncIterator() -> Iterator { Iterator(self) }
    }

    @Test func `A stopped sequence ends with its next element even if it ignores cancellation`() async throws {
        let feed = StubbornUpdates.Feed()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        live.service.configure("/orders/7") {
            $0.live = .sequence { _ in StubbornUpdates(feed: feed, end: end) }
            $0.live?.lingerTime = 0
        }
        let order = try await live.observe(7, by: owner)
        try await Poll.until { feed.waiting != nil }
        order.removeObservers(ownedBy: owner)
        live.clock.advance(by: 0)
        #expect(order.live.description == "off")
        feed.waiting?.resume(returning: .invalidate)
        for await _ in ends {}
        #expect(feed.requestCount == 1)
    }
}
