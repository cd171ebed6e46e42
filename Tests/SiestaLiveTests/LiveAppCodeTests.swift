import Isolation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaLive

/// Errors and closures of the app that call the library back, or that the library may call too late.
@MainActor @Suite(.timeLimit(.test))
struct LiveAppCodeTests {
    private let owner = Owner()
    private let live = LiveService()

    /// An error that calls back when it is released.
    private final class TalkativeError: Error {
        private let onRelease: @MainActor @Sendable () -> Void

        init(onRelease: @escaping @MainActor @Sendable () -> Void) { self.onRelease = onRelease }

        deinit {
            if MainQueue.isCurrent { MainActor.assumeIsolated(onRelease) }
        }
    }

    @Test func `The release of an error may add an observer`() async throws {
        let (order, guest) = (live.order(7), Owner())
        var (iterations, isReleased) = (0, false)
        live.answer(7, "new", version: 1)
        live.service.configure("/orders/7") {
            $0.live = .sequence { _ in
                iterations += 1
                let (updates, continuation) = AsyncThrowingStream.makeStream(of: LiveUpdate.self)
                if iterations == 1 {
                    let error = TalkativeError {
                        isReleased = true
                        order.addObserver(owner: guest) { _, _ in }
                    }
                    continuation.finish(throwing: error)
                }
                return updates
            }
            $0.live?.pollingInterval = 1e9
        }
        order.addObserver(owner: owner) { _, _ in }
        await order.load().completion()
        try await Poll.until { order.live.description == "polling" }
        try await live.reconnect()
        try await Poll.until { isReleased && order.live.isLive }
        #expect(iterations == 2)
    }

    @Test func `A sequence is not made after its resource was left`() async throws {
        let status = NetworkStatus()
        live.service.networkStatus = status
        status.isConnected = false
        var iterations = 0
        live.service.configure("/orders/7") {
            $0.live = .sequence { _ in
                iterations += 1
                return AsyncStream<LiveUpdate> { _ in }
            }
            $0.live?.lingerTime = 0
        }
        let order = live.order(7)
        order.addObserver(owner: owner) { _, _ in }
        // Its task waits for the network.
        _ = try await Poll.untilUnchanged { iterations }
        order.removeObservers(ownedBy: owner)
        live.clock.advance(by: 0)
        try #require(order.live.description == "off")
        status.isConnected = true
        let count = try await Poll.untilUnchanged { iterations }
        #expect(count == 0)
    }
}
