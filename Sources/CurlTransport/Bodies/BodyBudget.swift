#if os(Linux)
import Synchronization

/// The memory that all bodies of an engine may use together. May be used on any thread.
final class BodyBudget: Sendable {
    private let limit: Int
    private let used = Atomic(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Reserves that many bytes. Returns false if the sum would exceed the limit.
    func reserve(_ count: Int) -> Bool {
        if used.add(count, ordering: .relaxed).newValue <= limit { return true }
        release(count)
        return false
    }

    /// Releases that many bytes.
    func release(_ count: Int) {
        used.subtract(count, ordering: .relaxed)
    }

    /// The message of a transfer that fails because of the budget.
    static let refusal = "All bodies in memory together are longer than TransportOptions.totalBodyBytes allows"
}
#endif
