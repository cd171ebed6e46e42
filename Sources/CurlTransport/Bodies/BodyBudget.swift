#if os(Linux) || os(Android)
import Synchronization

/// The memory that all bodies of an engine may use together. Any thread may use it.
final class BodyBudget: Sendable {
    private let limit: Int
    private let used = Atomic(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Reserves `count` bytes. Returns false if the sum would exceed the limit.
    func reserve(_ count: Int) -> Bool {
        if used.add(count, ordering: .relaxed).newValue <= limit { return true }
        release(count)
        return false
    }

    /// Releases `count` bytes.
    func release(_ count: Int) {
        used.subtract(count, ordering: .relaxed)
    }

    /// The error message of an exchange that exceeds the budget.
    static let refusal = "All bodies in memory together exceed TransportOptions.totalBodyBytes"
}
#endif
