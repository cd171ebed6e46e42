import Dispatch

/// A value that is used on one queue of its own alone, so that what blocks there holds up neither the main actor nor a
/// shared pool.
///
/// The queue has no other queue for a target, which makes the system give it a thread beyond those of its pool, up to
/// some hundreds in all.
package final class Confined<State>: @unchecked Sendable {  // sound: `state` is touched on `queue` only
    private let queue: DispatchQueue
    private let make: @Sendable () -> State
    private let isOnQueue = DispatchSpecificKey<Bool>()
    private var state: State?

    /// The queue's own work, such as a handler of log messages, asks for more of it, and waits.
    private struct Reentrance: Error {}

    /// Creates the queue; the value is made on it, when it is first used.
    package init(label: String, _ make: @escaping @Sendable () -> State) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.make = make
        queue.setSpecific(key: isOnQueue, value: true)
    }

    /// Gives `work` the value in place, after all work that was handed over before, and waits for the result without a
    /// thread.
    package func run<Result: Sendable>(
        _ work: @escaping @Sendable (inout State) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: self.result(of: work)) }
        }
    }

    /// Does the same on the calling thread, after all work that was handed over before, for which that thread waits.
    ///
    /// Sound on any thread: the work on the queue is synchronous, and the queue has a thread of its own.
    package func runWaiting<Result>(_ work: (inout State) throws -> Result) throws -> Result {
        guard DispatchQueue.getSpecific(key: isOnQueue) == nil else { throw Reentrance() }
        return try queue.sync { result(of: work) }.get()
    }

    private func result<Result>(of work: (inout State) throws -> Result) -> Swift.Result<Result, any Error> {
        var state = self.state ?? make()
        self.state = nil  // so that the value is not copied when it is changed
        defer { self.state = state }
        return Swift.Result { try work(&state) }
    }
}
