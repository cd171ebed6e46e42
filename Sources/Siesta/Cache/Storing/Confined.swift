import Dispatch

/// A value that is used only on its own queue, so that work that blocks there delays neither the main actor nor a
/// shared pool.
///
/// The queue has no target queue. The system therefore gives it a thread beyond those of its pool, up to some hundreds
/// in total.
package final class Confined<State>: @unchecked Sendable {  // sound: `state` is touched on `queue` only
    private let queue: DispatchQueue
    private let make: @Sendable () -> State
    private let isOnQueue = DispatchSpecificKey<Bool>()
    private var state: State?

    /// The error of work on the queue that calls ``runWaiting(_:)`` again, for example from a handler of log messages.
    /// Waiting there would never end.
    private struct Reentrance: Error {}

    /// Creates the queue. `make` runs on it when the value is first used.
    package init(label: String, _ make: @escaping @Sendable () -> State) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.make = make
        queue.setSpecific(key: isOnQueue, value: true)
    }

    /// Runs `work` on the queue after all work added before, and suspends the caller until the result is there.
    package func run<Result: Sendable>(
        _ work: @escaping @Sendable (inout State) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: self.result(of: work)) }
        }
    }

    /// Runs `work` on the queue after all work added before; the calling thread waits for the result.
    ///
    /// The wait ends on any thread: the work on the queue is synchronous, and the queue has a thread of its own.
    package func runWaiting<Result>(_ work: (inout State) throws -> Result) throws -> Result {
        guard DispatchQueue.getSpecific(key: isOnQueue) == nil else { throw Reentrance() }
        return try queue.sync { result(of: work) }.get()
    }

    private func result<Result>(of work: (inout State) throws -> Result) -> Swift.Result<Result, any Error> {
        var state = self.state ?? make()
        self.state = nil  // so that changing the value does not copy it
        defer { self.state = state }
        return Swift.Result { try work(&state) }
    }
}
