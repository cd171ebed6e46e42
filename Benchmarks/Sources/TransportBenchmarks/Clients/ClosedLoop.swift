#if os(Linux)
import Synchronization

/// Keeps a number of requests in flight until all are done: each answer starts the next one, on its own thread.
final class ClosedLoop: Sendable {
    private let toStart: Atomic<Int>
    private let toComplete: Atomic<Int>
    private let start: @Sendable (ClosedLoop) -> Void
    private let whenDone: @Sendable () -> Void

    private init(
        _ count: Int, _ start: @escaping @Sendable (ClosedLoop) -> Void, _ whenDone: @escaping @Sendable () -> Void
    ) {
        toStart = Atomic(count)
        toComplete = Atomic(count)
        self.start = start
        self.whenDone = whenDone
    }

    /// Does `count` times what `start` does, which calls `completed()` of what it is given when it is over.
    static func run(_ count: Int, inFlight: Int, _ start: @escaping @Sendable (ClosedLoop) -> Void) async {
        await withCheckedContinuation { continuation in
            let loop = ClosedLoop(count, start) { continuation.resume() }
            for _ in 0..<inFlight { loop.startNext() }
        }
    }

    func completed() {
        startNext()
        if toComplete.subtract(1, ordering: .relaxed).newValue == 0 { whenDone() }
    }

    private func startNext() {
        if toStart.subtract(1, ordering: .relaxed).newValue >= 0 { start(self) }
    }
}
#endif
