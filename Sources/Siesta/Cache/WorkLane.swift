import Dispatch

/// Pieces of work on any queues, one after the other, in the order in which they were asked for.
///
/// What waits its turn occupies no thread: a hundred lanes whose work is for a slow queue need one.
final class WorkLane: Sendable {
    private struct Piece: Sendable {
        let queue: DispatchQueue
        let work: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiting: [Piece] = []
        var isWorking = false
    }

    private let state = Locked(State())

    /// Does `work` on `queue`, once all that was asked for before is done.
    func async(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(Piece(queue: queue, work: work)) }
        startNext()
    }

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
