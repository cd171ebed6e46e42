import Synchronization

/// The number of wipes with caches in this process. A request that was made before a wipe has a lower count than a
/// request that was made after it.
///
/// All services share one count, because a request need not belong to a service: it may be a custom request or a chain.
package struct WipeCount: Comparable, Sendable {
    private let number: UInt32

    /// The count of a response that belongs to no known request. It is higher than any other count.
    static let unknown = WipeCount(number: .max)
    /// The count before the first wipe.
    static let none = WipeCount(number: 0)

    /// The count of a request that is made at this moment.
    package static var now: WipeCount { WipeCount(number: count.load(ordering: .relaxed)) }
    /// Only the main actor changes it.
    private static let count = Atomic<UInt32>(0)

    /// Starts a wipe, and returns the new number of wipes. Requests that are made from now on have this count.
    @MainActor
    package static func advance() -> WipeCount {
        WipeCount(number: count.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// The number of wipes, for modules that keep values which are made of content.
    @MainActor package static var number: UInt32 { now.number }

    package static func < (left: WipeCount, right: WipeCount) -> Bool { left.number < right.number }
}
