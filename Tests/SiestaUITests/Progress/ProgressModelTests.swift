import Foundation
import Isolation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import SiestaUI
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct ProgressModelTests {
    private let clock = TestClock()
    private let network = StubNetwork()
    private let service: Service
    private let model: ProgressModel

    init() {
        (service, model) = clock.whileCurrent { [network] in
            (Service(baseURL: "https://api.test", networking: network), ProgressModel())
        }
    }

    /// Advances the clock in small steps, and returns the values that were shown.
    private func watch(_ seconds: Double) -> [Double] {
        var values: [Double] = []
        model.onChange = { [unowned model] in model.fraction.map { values.append($0) } }
        for _ in 0..<Int(seconds / 0.02) { clock.advance(by: 0.02) }
        return values
    }

    @Test func `A quick load is not shown`() async throws {
        model.follow(service.resource("/a"))
        let load = service.resource("/a").load()
        clock.advance(by: 0.2)
        load.cancel()
        await load.completion()
        #expect(watch(2).isEmpty)
        #expect(!model.isActive)
    }

    @Test func `A slow load grows smoothly, runs to the end, and disappears`() async throws {
        model.follow(service.resource("/a"))
        let load = service.resource("/a").load()
        let values = watch(5)
        #expect(model.isActive)
        #expect(values.count > 20)
        #expect(values == values.sorted())
        #expect(values.last ?? 1 < 1)
        load.cancel()
        await load.completion()
        let ending = watch(2)
        #expect(ending.last == 1)
        #expect(ending == ending.sorted())
        #expect(ending.first ?? 0 >= values.last ?? 1)
        #expect(!model.isActive)
        #expect(model.fraction == nil)
    }

    @Test func `Until there is an estimate, the progress is not known`() async throws {
        model.delay = 0
        model.follow(service.resource("/a"))
        let load = service.resource("/a").load()
        clock.advance(by: 0.001)
        #expect(model.isActive)
        #expect(model.fraction == nil)
        clock.advance(by: 1)
        #expect(model.isActive)
        #expect(model.fraction ?? 0 > 0)
        load.cancel()
    }

    @Test func `A load that begins while the bar runs to its end goes on from there`() async throws {
        model.follow(service.resource("/a"))
        let load = service.resource("/a").load()
        var values = watch(2)
        load.cancel()
        await load.completion()
        values += watch(0.06)
        #expect(model.isActive)
        #expect(values.last ?? 1 < 0.9)
        let next = service.resource("/a").load()
        values += watch(1)
        #expect(model.isActive)
        #expect(values == values.sorted())
        #expect(values.last ?? 1 < 1)
        next.cancel()
        await next.completion()
        values += watch(0.9)
        #expect(values == values.sorted())
        #expect(!model.isActive)
    }

    @Test func `A request that joins does not move the bar back`() async throws {
        let gate = StubGate()
        network.answer(.get, "/a", with: .json("{}").after(gate))
        network.answer(.get, "/b", with: .json("{}").after(gate))
        let (one, two) = (service.resource("/a").request(.get), service.resource("/b").request(.get))
        model.track(one)
        model.track(one)
        var values = watch(4)
        model.track(two)
        values += watch(1)
        one.cancel()
        await one.completion()
        values += watch(1)
        #expect(model.isActive)
        two.cancel()
        await two.completion()
        values += watch(1)
        #expect(values == values.sorted())
        #expect(!model.isActive)
    }

    @Test func `A load that waits for its next attempt keeps its place`() async throws {
        service.configure {
            $0.retry = .standard
            $0.retry.firstDelay = 4
        }
        network.answer(.get, "/a", with: .failure(.timedOut), .json("{}"))
        model.follow(service.resource("/a"))
        let load = service.resource("/a").load()
        try await clock.waitForTimers(1)
        let values = watch(1)
        #expect(model.isActive)
        clock.advance(by: 5)
        await load.completion()
        let ending = watch(2)
        #expect((values + ending) == (values + ending).sorted())
        #expect(!model.isActive)
    }

    @Test func `A resource that is no longer followed counts as complete`() async throws {
        model.follow(service.resource("/a"))
        service.resource("/a").load()
        _ = watch(1)
        #expect(model.isActive)
        model.stopFollowing(service.resource("/a"))
        _ = watch(2)
        #expect(!model.isActive)
    }

    @Test func `A model that is released has no timer that acts`() {
        weak var released: ProgressModel?
        do {
            let model = clock.whileCurrent { ProgressModel(following: service.resource("/a")) }
            released = model
            service.resource("/a").load()
        }
        #expect(released == nil)
        clock.advance(by: 2)
    }

    @Test func `A delay that is not a number counts as none, and does not flood the main queue`() throws {
        let timers = Locked<[(delay: Double, action: @MainActor () -> Void)]>([])
        let clock = SiestaClock(
            wallTime: { 0 }, monotonicTime: { 100 },
            schedule: { delay, action in timers.withLock { $0.append((delay, action)) } })
        let model = SiestaClock.$current.withValue(clock) { ProgressModel() }
        model.delay = .nan
        let load = service.resource("/a").load()
        model.track(load)
        try #require(timers.withLock { $0.popLast() }).action()
        #expect(model.isActive)
        #expect(try #require(timers.withLock { $0.last }).delay > 0)
        load.cancel()
    }
}

extension ProgressModelTests {
    @Test func `A request that is never started does not keep the bar`() async throws {
        let clock = TestClock()
        let model = clock.whileCurrent { ProgressModel() }
        let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: StubNetwork()) }
        do {
            let request = service.resource("/a").request(.get).repeated()
            model.track(request)
        }
        for _ in 0..<100 {
            clock.advance(by: 0.02)
            await mainQueueTurn()
        }
        #expect(!model.isActive)
    }
}
