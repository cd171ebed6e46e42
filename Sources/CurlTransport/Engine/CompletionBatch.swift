#if os(Linux) || os(Android)
/// The rule that decides when the completions of ended exchanges are called.
///
/// Most completions wake another thread, and a wake-up costs about a tenth of an exchange. Therefore completions are
/// called together. They wait only while the engine's thread has other work, for a short time, and for a few other
/// exchanges. Times are in nanoseconds of the monotonic clock.
struct CompletionBatch {
    /// The number of exchanges whose completions have not been called.
    private(set) var count = 0
    private var since: UInt64 = 0

    /// Adds an exchange that has ended at `now`.
    mutating func add(now: UInt64) {
        if count == 0 { since = now }
        count += 1
    }

    /// Returns true if the completions must be called before the thread does other work.
    func isDue(now: UInt64) -> Bool {
        count >= Self.size || count > 0 && now - min(now, since) >= Self.delay
    }

    /// Empties the batch, because the completions are being called.
    mutating func clear() {
        count = 0
    }

    /// The maximum number of completions in a batch.
    static let size = 8

    /// The maximum time during which a completion waits for other work of the thread.
    static let delay: UInt64 = 200_000
}
#endif
