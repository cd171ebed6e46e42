import SiestaActivity
import TestKit
import Testing
@testable import SiestaCore
@testable import SiestaNetworking

/// The warning that nobody runs the main queue.
@Suite(.timeLimit(.test))
struct MainQueueWatchTests {
    private final class Watch {
        private var state = MainQueueWatch.State()

        func handOver() -> Bool { state.handOver() }
        func take() { state.take() }

        /// Returns the actions after the timer has fired.
        func timerFired() -> [String] {
            let (report, setTimer) = state.timerFired()
            return (report ? ["report"] : []) + (setTimer ? ["timer"] : [])
        }
    }

    private let watch = Watch()

    @Test func `A response that is still waiting when the timer has run is reported, once`() {
        #expect(watch.handOver())
        #expect(watch.timerFired() == ["report", "timer"])
        #expect(watch.timerFired() == ["timer"])
        watch.take()
        #expect(watch.timerFired() == [])
    }

    @Test func `A response that was taken in time is not reported, and the timer ends`() {
        #expect(watch.handOver())
        watch.take()
        #expect(watch.timerFired() == [])
        #expect(watch.handOver())
    }

    @Test func `One timer serves all: a response that came after it was set has the next one's time`() {
        #expect(watch.handOver())
        #expect(!watch.handOver())
        watch.take()
        #expect(watch.timerFired() == ["timer"])
        #expect(watch.timerFired() == ["report", "timer"])
    }

    @Test func `A queue that blocks again is reported again`() {
        _ = (watch.handOver(), watch.handOver())
        #expect(watch.timerFired() == ["report", "timer"])
        watch.take()
        #expect(watch.timerFired() == ["report", "timer"])
        #expect(watch.timerFired() == ["timer"])
    }
}
