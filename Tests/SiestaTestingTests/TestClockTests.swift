import Foundation
import SiestaCore
import TestDoubles
import TestKit
import Testing

@testable import SiestaTesting

/// Time in tests.
@MainActor @Suite(.timeLimit(.test))
struct TestClockTests {
    @Test func `Both clocks move, and what is due on the way is done in order`() {
        let clock = TestClock(wallTime: 100)
        var done: [String] = []
        clock.clock.schedule(after: 2) { done.append("second at \(clock.wallTime)") }
        clock.clock.schedule(after: 1) { done.append("first at \(clock.wallTime)") }
        clock.clock.schedule(after: 9) { done.append("never") }
        clock.advance(by: 0)
        #expect(done == [])
        clock.advance(by: 5)
        #expect(done == ["first at 101.0", "second at 102.0"])
        #expect(clock.wallTime == 105)
        #expect(clock.clock.monotonicTime == 1005)
        clock.advance(by: .milliseconds(500))
        #expect(clock.wallTime == 105.5)
    }

    @Test func `The wall clock can be set back, and monotonic time does not notice`() {
        let clock = TestClock(wallTime: 100)
        clock.clock.schedule(after: 1) {}
        clock.setWallTime(-100)
        clock.advance(by: 1)
        #expect(clock.wallTime == -99)
        #expect(clock.clock.monotonicTime == 1001)
    }

    @Test func `Time that goes back, or is no number, ends the process with words that say why`() async throws {
        let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await TestClock().advance(by: -100)
        }
        try expectWords(negative, "TestClock.advance(by:)", "not negative")
        let notANumber = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await TestClock().advance(by: .nan)
        }
        try expectWords(notANumber, "TestClock.advance(by:)", "finite")
        let infinite = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await TestClock().advance(by: .infinity)
        }
        try expectWords(infinite, "TestClock.advance(by:)", "finite")
        let settling = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let clock = TestClock()
            let service = await MainActor.run {
                clock.whileCurrent { Service(baseURL: "https://api.test", networking: StubNetwork()) }
            }
            try await clock.advance(by: -5, settling: service)
        }
        try expectWords(settling, "TestClock.advance(by:)", "not negative")
        let tooFar = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let clock = TestClock()
            await clock.advance(by: .greatestFiniteMagnitude)
            await clock.advance(by: .greatestFiniteMagnitude)
        }
        try expectWords(tooFar, "TestClock.advance(by:)")
        let wallTime = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TestClock().setWallTime(.nan)
        }
        try expectWords(wallTime, "TestClock.setWallTime", "finite")
        let start = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TestClock(wallTime: .infinity)
        }
        try expectWords(start, "TestClock(wallTime:)", "finite")
    }

    @Test @MainActor func `An action that advances the clock further is not undone`() {
        let clock = TestClock(wallTime: 100)
        clock.clock.schedule(after: 4) { clock.advance(by: 2) }
        clock.advance(by: 5)
        #expect(clock.clock.monotonicTime == 1006)
        #expect(clock.wallTime == 106)
    }

    private func expectWords(_ result: ExitTest.Result?, _ words: String...) throws {
        let text = try String(decoding: #require(result).standardErrorContent, as: UTF8.self)
        for word in words { #expect(text.contains(word)) }
    }

    @Test func `A clock that nothing uses says so when it is moved, once, and what to do`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let clock = TestClock()
                _ = Service(baseURL: "https://api.test", networking: StubNetwork())
                clock.advance(by: 31)
                clock.advance(by: 31)
                clock.setWallTime(0)
            }
        }
        let text = try String(decoding: #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.components(separatedBy: "nothing uses this TestClock").count == 2)
        #expect(text.contains("inside"))
    }

    @Test func `A clock that was current for a scope, or was handed out, does not complain`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let (one, other) = (TestClock(), TestClock())
                _ = one.whileCurrent { Service(baseURL: "https://api.test", networking: StubNetwork()) }
                one.advance(by: 31)
                _ = other.clock
                other.advance(by: 31)
            }
        }
        let text = try String(decoding: #require(result).standardErrorContent, as: UTF8.self)
        #expect(!text.contains("Warning"))
    }

    @Test func `Timers on the way do not change the wall time at the end`() {
        let clock = TestClock(wallTime: 800_000_000)
        clock.clock.schedule(after: 0.1) {}
        clock.advance(by: 3600)
        #expect(clock.wallTime == 800_003_600)
    }
}
