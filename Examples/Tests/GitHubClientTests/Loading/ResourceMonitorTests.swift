import GitHubFixture
import Siesta
import SiestaTesting
import SiestaUI
import TestKit
import Testing

@testable import GitHubClient

@Suite("What a screen knows of its data", .timeLimit(.test))
@MainActor
struct ResourceMonitorTests {
    private let clock = TestClock()
    private let fixture: Fixture
    private let monitor: ResourceMonitor

    init() throws {
        fixture = try clock.whileCurrent { try Fixture() }
        monitor = ResourceMonitor(clock: clock.clock)
        (monitor.status.loadingDelay, monitor.status.minimumLoadingTime) = (0, 0)
    }

    /// Waits until the first attempt has failed. The timers of the status come before.
    private func retryWaits() async throws {
        for await state in repository.states where state.retry != nil { return }
    }

    private var repository: Resource { fixture.api.repository(Fixture.id).resource }

    @Test("is loading first, and then from the network")
    func network() async throws {
        fixture.network.answer(.get, "/repos/ada/engine", with: .held)
        monitor.watch([repository])
        #expect(monitor.isLoading)
        #expect(monitor.freshness.age == nil)
        clock.advance(by: 2)
        #expect(monitor.status.display.cover == .loading)
        #expect(monitor.progress.isActive)
        let request = try #require(repository.loadIfNeeded())
        fixture.network.lastExchange?.respond(with: .json(Fixture.repository("engine")))
        await request.completion()
        clock.advance(by: 5)
        #expect(monitor.freshness.origins == [.network: 1])
        #expect(monitor.freshness.duration == 2)
        #expect(monitor.freshness.age == 5)
    }

    @Test("is from memory while fresh, and confirmed by the server when stale")
    func memoryAndConfirmation() async {
        fixture.network.answer(
            .get, "/repos/ada/engine", with: .json(Fixture.repository("engine"), headers: ["ETag": "\"1\""]),
            .notModified)
        await repository.load().completion()
        monitor.watch([repository])
        #expect(monitor.freshness.origins == [.memory: 1])
        monitor.watch([])
        clock.advance(by: 3_600)
        monitor.watch([repository])
        await repository.loadIfNeeded()?.completion()
        #expect(monitor.freshness.origins == [.notModified: 1])
        #expect(monitor.freshness.age == 0)
    }

    @Test("keeps the age of the data when a load fails")
    func failure() async {
        fixture.network.answer(
            .get, "/repos/ada/engine", with: .json(Fixture.repository("engine")), .json("{}", status: 501))
        monitor.watch([repository])
        await repository.loadIfNeeded()?.completion()
        clock.advance(by: 60)
        await repository.load().completion()
        #expect(monitor.message?.line == "Could not load · Not implemented")
        #expect(monitor.freshness.hasFailed)
        #expect(monitor.freshness.age == 60)
    }

    @Test("counts down to the next attempt, and recovers")
    func retry() async throws {
        clock.jitter = 1
        fixture.network.answer(
            .get, "/repos/ada/engine", with: .json("{}", status: 503), .json(Fixture.repository("engine")))
        monitor.watch([repository])
        let request = try #require(repository.loadIfNeeded())
        try await retryWaits()
        clock.advance(by: 0.25)
        #expect(monitor.message?.line == "Trying again · Service unavailable · in 1 s (1 of 3)")
        #expect(monitor.isWaiting)
        #expect(!monitor.freshness.hasFailed)
        clock.advance(by: 0.75)
        await request.completion()
        #expect(monitor.message == nil)
        #expect(!monitor.isWaiting)
        #expect(monitor.freshness.origins == [.network: 1])
    }

    /// The answer at the rate limit, which is used up for a number of seconds.
    private func limited(_ seconds: Int) -> StubAnswer {
        let headers = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(seconds)"]
        return .json(#"{"message": "Slow down"}"#, status: 403, headers: headers)
    }

    @Test("counts down to the end of a rate limit, and recovers")
    func rateLimit() async throws {
        fixture.network.answer(
            .get, "/repos/ada/engine", with: limited(30), .json(Fixture.repository("engine")))
        monitor.watch([repository])
        let request = try #require(repository.loadIfNeeded())
        try await retryWaits()
        clock.advance(by: 10)
        #expect(monitor.message?.line == "Trying again · The rate limit is used up until 0:00 · in 20 s (1 of 3)")
        clock.advance(by: 20)
        await request.completion()
        #expect(monitor.freshness.origins == [.network: 1])
    }

    @Test("counts down to the end of a long rate limit, during which requests are refused")
    func refusal() async {
        fixture.network.answer(.get, "/repos/ada/engine", with: limited(600))
        await repository.load().completion()
        clock.advance(by: 100)
        monitor.watch([repository])
        await repository.load().completion()
        clock.advance(by: 100)
        #expect(monitor.message?.line == "Could not load · The server is busy or not available now · in 7 min")
        clock.advance(by: 400)
        #expect(monitor.message?.countdown == "")
        #expect(fixture.network.requests.count == 1)
    }

    @Test("hears no more of what it does not watch")
    func stops() async {
        fixture.network.answer(.get, "/repos/ada/engine", with: .json(Fixture.repository("engine")))
        var events: [ResourceEvent] = []
        monitor.onEvent = { events.append($1) }
        monitor.watch([repository])
        await repository.loadIfNeeded()?.completion()
        monitor.watch([])
        await repository.load().completion()
        #expect(events == [.observerAdded, .requested, .newData(.network)])
    }
}
