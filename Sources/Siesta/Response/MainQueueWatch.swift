import Dispatch

/// Notices that nobody runs the main queue while responses wait for it, and logs that once.
///
/// For use while category `network` is logged. One timer serves all responses, and exists only while one waits.
final class MainQueueWatch: Sendable {
    /// The watch of the process.
    static let shared = MainQueueWatch { action in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(State.patience), execute: action)
    }

    /// How many responses were handed over and taken, and what a timer makes of that. Pure.
    struct State {
        /// How long a response may wait, in seconds.
        static let patience = 10

        private var handedOver = 0
        private var taken = 0
        /// How many responses had been handed over when the timer was set; nil without a timer.
        private var mark: Int?
        private var isReported = false

        /// Counts a response, and says whether to set the timer.
        mutating func handOver() -> Bool {
            handedOver += 1
            guard mark == nil else { return false }
            mark = handedOver
            return true
        }

        /// The main queue takes responses in the order in which they were handed over.
        mutating func take() {
            taken += 1
            isReported = false
        }

        /// What to do once the timer has run.
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
    /// - Parameter schedule: runs an action after ``State/patience``, on any thread but the main one.
    init(schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.schedule = schedule
    }

    /// A response is about to be handed over to the main queue.
    func handOver() {
        if state.withLock({ $0.handOver() }) { setTimer() }
    }

    /// The main queue has taken a response.
    func take() {
        state.withLock { $0.take() }
    }

    private func setTimer() {
        schedule { [self] in
            let (report, isNeeded) = state.withLock { $0.timerFired() }
            if report {
                SiestaLog.log(
                    .network,
                    [
                        "Warning: a response has been waiting for the main queue for \(State.patience) s.",
                        "Does something block the main thread, or does nobody run it?",
                    ])
            }
            if isNeeded { setTimer() }
        }
    }
}
