/// How many wipes with caches there have been in this process: what was requested before one of them has a lower count
/// than what was requested afterwards.
///
/// One count for all services, since a request need not belong to any: it may be a custom one, or a chain.
struct WipeCount: Comparable, Sendable {
    private let number: UInt32

    /// The count of what is known to have been requested at no time in particular.
    static let unknown = WipeCount(number: .max)
    /// Before any wipe.
    static let none = WipeCount(number: 0)

    /// The count of what is requested now.
    @MainActor private(set) static var now = none

    /// Begins a wipe, and returns the count from which on requests are newer than it.
    @MainActor
    static func advance() -> WipeCount {
        now = WipeCount(number: now.number + 1)
        return now
    }

    static func < (left: WipeCount, right: WipeCount) -> Bool { left.number < right.number }
}
