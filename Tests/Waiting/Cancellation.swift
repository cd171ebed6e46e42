/// Waits for the end of tasks.
package enum Cancellation {
    /// Suspends the task until it is cancelled, and then throws `CancellationError`.
    package static func wait() async throws -> Never {
        let (never, continuation) = AsyncStream<Never>.makeStream()
        for await _ in never {}  // ends when the task is cancelled
        withExtendedLifetime(continuation) {}
        throw CancellationError()
    }
}
