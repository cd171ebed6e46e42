#if os(Linux)
import Synchronization

/// The memory that all bodies of an engine may take together. For any thread.
final class BodyBudget: Sendable {
    private let limit: Int
    private let used = Atomic(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes so many bytes, unless that is more than the limit.
    func reserve(_ count: Int) -> Bool {
        if used.add(count, ordering: .relaxed).newValue <= limit { return true }
        release(count)
        return false
    }

    /// Gives back so many bytes.
    func release(_ count: Int) {
        used.subtract(count, ordering: .relaxed)
    }

    /// The message of a transfer that the budget refuses.
    static let refusal = "All bodies in memory together are longer than TransportOptions.totalBodyBytes allows"
}
#endif
