/// The size at which a collection that may contain useless elements is swept: twice its size after the last sweep. So
/// sweeping takes constant time for each added element on average. Pure.
package struct SweepLimit: Sendable {
    private let minimum: Int
    private var limit: Int

    /// Creates a limit that is never below `minimum`.
    package init(minimum: Int = 64) {
        (self.minimum, limit) = (minimum, minimum)
    }

    package func isReached(by count: Int) -> Bool { count >= limit }

    /// Records that a sweep has left `count` elements.
    package mutating func noteSweep(leaving count: Int) {
        limit = max(minimum, 2 * count)
    }
}
