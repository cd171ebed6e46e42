public import Dispatch

/// Access to the main actor from any thread.
@usableFromInline
package enum MainQueue: Sendable {
    /// The queue that executes the main actor's work. It is a constant because each call to `DispatchQueue.main` makes
    /// an object.
    @usableFromInline package static let queue = DispatchQueue.main

    /// Schedules `work` on the main actor and returns at once. `work` runs after all work that was scheduled before it.
    @inlinable @inline(__always)
    package static func async(_ work: @escaping @MainActor () -> Void) {
        queue.async { MainActor.assumeIsolated(work) }
    }

    /// True if the caller runs on the main actor. Costs little, and is correct even where `Thread.isMainThread` is
    /// wrong.
    @inlinable package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    @usableFromInline static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        return key
    }()
}
