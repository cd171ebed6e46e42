import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaLive

/// What the state says about the next attempt to connect while the device is offline or the app is in the background.
@MainActor @Suite(.timeLimit(.test))
struct LiveDeviceTests {
    private let owner = Owner()
    private let live = LiveService()
    private let status = NetworkStatus()
    private let activity = AppActivity()

    init() {
        live.service.networkStatus = status
        live.service.appActivity = activity
    }

    private func nextAttempt(of order: Resource) -> Date? {
        if case .failed(_, let next) = order.live { next } else { nil }
    }

    /// Changes the network, and waits until the library has noticed it.
    private func setConnected(_ isConnected: Bool) async {
        status.isConnected = isConnected
        for _ in 0..<5 { await mainQueueTurn() }
    }

    @Test(arguments: [true, false])
    func `A state has the time of the next attempt while there is a network`(isLostOffline: Bool) async throws {
        let order = try await live.observe(1, by: owner)
        if isLostOffline { await setConnected(false) }
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { order.live.description == "failed" }
        if !isLostOffline {
            #expect(nextAttempt(of: order) != nil)
            await setConnected(false)
        }
        #expect(nextAttempt(of: order) == nil)
        await setConnected(true)
        let next = try #require(nextAttempt(of: order))
        #expect(next.timeIntervalSinceReferenceDate > live.clock.wallTime)
        #expect(live.streamCount == 1)
    }

    @Test(arguments: [true, false])
    func `While the next connection is being opened, the state says so`(afterBackground: Bool) async throws {
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/events", with: .held)
        if afterBackground { activity.isActive = false } else { live.stream?.fail(.networkConnectionLost) }
        try await Poll.until { order.live.description == "failed" }
        if afterBackground { activity.isActive = true } else { try await live.reconnect() }
        try await Poll.until { live.streamCount == 2 }
        #expect(order.live.description == "connecting")
    }
}
