import Dispatch

/// A value that is used only on its own queue. Therefore blocking work on this queue delays neither the main actor nor
/// a shared pool.
///
/// The queue has no target queue. Therefore the system gives it a thread outside its pool, up to some hundreds of
/// threads in total.
package final class QueueIsolated<State>: @unchecked Sendable {  // sound: `make` and `state` are used on `queue` only
    private let queue: DispatchQueue
    private let make: () -> State
    private var state: State?

    /// Creates the queue. `make` runs on the queue at the first use of the value.
    package init(label: String, _ make: sending @escaping () -> State) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.make = make
    }

    /// Runs `work` on the queue after all earlier work, and suspends the caller until the result is available.
    ///
    /// The function is `@concurrent`, so that the caller itself returns to its actor. The optimizer of Swift 6.3 removes
    /// this step from specializations of generic functions that should run on the actor of their caller.
    @concurrent
    package func run<Result: Sendable, Failure>(
        _ work: @escaping @Sendable (inout State) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.result(of: work)) }
        }.get()
    }

    /// Runs `work` on the queue after all earlier work. Returns at once.
    package func schedule(_ work: @escaping @Sendable (inout State) -> Void) {
        queue.async { _ = self.result(of: work) }
    }

    private func result<Result, Failure>(
        of work: (inout State) throws(Failure) -> Result
    ) -> Swift.Result<Result, Failure> {
        var state = self.state ?? make()
        self.state = nil  // so that changing the value does not copy it
        defer { self.state = state }
        return Swift.Result { () throws(Failure) in try work(&state) }
    }
}
