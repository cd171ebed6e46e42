import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Waits for the timers of a test clock.
@MainActor @Suite(.timeLimit(.test))
struct WaitForTimersTests {
    private let clock = TestClock()

    @Test func `The wait ends when enough timers are scheduled`() async throws {
        var log: [String] = []
        let waiting = Task {
            try await clock.waitForTimers(2)
            log.append("waited")
        }
        await mainQueueTurn()
        clock.clock.schedule(after: 5) { log.append("5") }
        await mainQueueTurn()
        #expect(log == [])
        clock.clock.schedule(after: 3) { log.append("3") }
        try await waiting.value
        #expect(clock.timers == [3, 5])
        clock.advance(by: 5)
        #expect(log == ["waited", "3", "5"])
        #expect(clock.timers == [])
    }

    @Test func `Timers that are scheduled already count, and timers that have run do not`() async throws {
        try await clock.waitForTimers(0)
        for delay in [1, 2] { clock.clock.schedule(after: TimeInterval(delay)) {} }
        try await clock.waitForTimers(2)
        clock.advance(by: 1)
        try await clock.waitForTimers(1)
        await #expect(throws: TimeLimitExceeded.self) {
            try await clock.waitForTimers(2, timeLimit: .milliseconds(10))
        }
    }

    @Test func `A timer that is scheduled in a task is run by the next advance`() async throws {
        let stub = StubbedResource()
        stub.network.answer(.get, "/thing", with: .held)
        let load = stub.resource.load()
        Task { stub.resource.cancelLoadIfUnobserved(afterDelay: 2) }
        try await stub.clock.waitForTimers(1)
        stub.clock.advance(by: 2)
        #expect(await load.completion().response.isCancellation)
    }

    @Test func `Timers that report the progress of requests do not count, but run`() async {
        let stub = StubbedResource()
        stub.network.answer(.get, "/thing", with: .held)
        var progress: [Double] = []
        let load = stub.resource.load().onProgress { progress.append($0) }
        #expect(stub.clock.timers == [])
        await #expect(throws: TimeLimitExceeded.self) {
            try await stub.clock.waitForTimers(1, timeLimit: .milliseconds(10))
        }
        stub.clock.advance(by: 1)
        #expect(!progress.isEmpty)
        load.cancel()
    }

    @Test func `Several tasks wait on any thread, each for its own number`() async throws {
        let clock = clock
        try await withThrowingTaskGroup { group in
            for count in 1...20 { group.addTask { @concurrent in try await clock.waitForTimers(count) } }
            for number in 1...20 {
                group.addTask { @concurrent in clock.clock.schedule(after: TimeInterval(number)) {} }
            }
            try await group.waitForAll()
        }
        #expect(clock.timers.count == 20)
    }

    @Test func `A wait that takes too long fails, and says what it waited for and what was there`() async throws {
        clock.clock.schedule(after: 7) {}
        clock.clock.schedule(after: 0.5) {}
        let error = try await #require(throws: TimeLimitExceeded.self) {
            try await clock.waitForTimers(3, timeLimit: .milliseconds(20))
        }
        #expect(
            error.localizedDescription
                == "Waited 0.02 seconds for 3 timers of a TestClock: 2 scheduled, due in 0.5 s, 7.0 s.")
    }

    @Test func `A wait for a clock that nothing uses says so`() async throws {
        let error = try await #require(throws: TimeLimitExceeded.self) {
            try await clock.waitForTimers(1, timeLimit: .zero)
        }
        #expect(error.description.contains("none is scheduled"))
        #expect(error.description.contains("inside of clock.whileCurrent"))
    }

    @Test(arguments: [false, true])
    func `A cancelled task stops waiting`(isCancelledBefore: Bool) async {
        let waiting = Task { try await clock.waitForTimers(1) }
        if !isCancelledBefore { await mainQueueTurn() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        clock.clock.schedule(after: 1) {}
    }

    @Test func `A wait whose goal is reached does not fail, even in a cancelled task`() async {
        clock.clock.schedule(after: 1) {}
        let waiting = Task { try await clock.waitForTimers(1) }
        waiting.cancel()
        await #expect(throws: Never.self) { try await waiting.value }
    }
}
