import Dispatch
import Isolation

/// Detects that the main queue does not run while responses wait for it, and logs this once.
///
/// The watch is used only while the category `network` is logged. One timer serves all responses, and exists only while
/// a response waits.
package final class MainQueueWatch: Sendable {
    package static let shared = MainQueueWatch { action in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(State.waitLimit), execute: action)
    }

    /// Counts the responses that were handed to the main queue and the responses that the queue has run. Decides when
    /// the timer must be set. Pure.
    struct State {
        /// The time for which a response may wait, in seconds.
        static let waitLimit = 10

        private var handedOver = 0
        private var taken = 0
        /// The number of responses that had been handed over when the timer was set; nil if no timer is set.
        private var mark: Int?
        private var isReported = false

        /// Counts a response that is handed over. Returns true if the caller must set the timer.
        mutating func handOver() -> Bool {
            handedOver += 1
            guard mark == nil else { return false }
            mark = handedOver
            return true
        }

        /// Counts a response that the main queue has run. The main queue runs responses in the order in which they were
        /// handed over.
        mutating func take() {
            taken += 1
            isReported = false
        }

        /// Returns the actions that are due when the timer fires: to report a blocked main queue, and to set the timer
        /// again.
        mutating func timerFired() -> (report: Bool, setTimer: Bool) {
            let isBlocked = taken < mark ?? 0
            let report = isBlocked && !isReported
            isReported = isBlocked
            mark = handedOver > taken ? handedOver : nil
            return (report, mark != nil)
        }
    }

    private let state = Locked(State())
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates a watch.
    ///
    /// - Parameter schedule: Runs an action after ``State/waitLimit`` seconds, on any thread but the main thread.
    init(schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.schedule = schedule
    }

    /// Counts a response that is about to be handed to the main queue. Callable from any thread.
    package func handOver() {
        if state.withLock({ $0.handOver() }) { setTimer() }
    }

    /// Counts a response that the main queue has run.
    package func take() {
        state.withLock { $0.take() }
    }

    private func setTimer() {
        schedule { [self] in
            let (report, isNeeded) = state.withLock { $0.timerFired() }
            if report {
                SiestaLog.log(
                    .network,
                    [
                        "Warning: a response has been waiting for the main queue for \(State.waitLimit) s.",
                        "Either the main thread is blocked, or nothing runs the main queue.",
                    ])
            }
            if isNeeded { setTimer() }
        }
    }
}
