import Dispatch
import Isolation

/// Runs pieces of work on any queues, one after another, in the order in which they were added.
///
/// Waiting pieces block no thread: a hundred lanes with work for one slow queue need one thread.
package final class WorkLane: Sendable {
    private struct Piece: Sendable {
        let queue: DispatchQueue
        let work: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiting: [Piece] = []
        var isWorking = false
    }

    private let state = Locked(State())

    /// Runs `work` on `queue`, with the clock that is current now, after all work that was added before.
    func async(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        let clock = SiestaClock.active
        state.withLock { $0.waiting.append(Piece(queue: queue) { clock.whileCalling(work) }) }
        startNext()
    }

    /// True if no work waits or runs.
    var isIdle: Bool { state.withLock { !$0.isWorking && $0.waiting.isEmpty } }

    private func startNext() {
        let next: Piece? = state.withLock { state in
            guard !state.isWorking, !state.waiting.isEmpty else { return nil }
            state.isWorking = true
            return state.waiting.removeFirst()
        }
        guard let next else { return }
        next.queue.async {
            next.work()
            self.state.withLock { $0.isWorking = false }
            self.startNext()
        }
    }
}
