import Dispatch

/// A value that is used on one queue of its own alone, so that what blocks there holds up neither the main actor nor a
/// shared pool.
///
/// The queue has no other queue for a target, which makes the system give it a thread beyond those of its pool, up to
/// some hundreds in all.
package final class Confined<State>: @unchecked Sendable {  // sound: `state` is touched on `queue` only
    private let queue: DispatchQueue
    private let make: @Sendable () -> State
    private var state: State?

    /// Creates the queue; the value is made on it, when it is first used.
    package init(label: String, _ make: @escaping @Sendable () -> State) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.make = make
    }

    /// Gives `work` the value in place, after all work that was handed over before, and waits for the result without a
    /// thread.
    package func run<Result: Sendable>(
        _ work: @escaping @Sendable (inout State) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                var state = self.state ?? self.make()
                self.state = nil  // so that the value is not copied when it is changed
                let result = Swift.Result { try work(&state) }
                self.state = state
                continuation.resume(with: result)
            }
        }
    }
}
