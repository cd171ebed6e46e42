public import Dispatch

/// Access to the main actor from any thread.
@usableFromInline
package enum MainQueue: Sendable {
    /// The queue that executes the main actor's work. It is a constant because each call to `DispatchQueue.main` makes
    /// an object. The first use schedules a check, before all other work, that the main actor has no other executor.
    @usableFromInline package static let queue: DispatchQueue = {
        DispatchQueue.main.async { MainActor.preconditionIsolated("The main actor does not use the main queue.") }
        return .main
    }()

    /// Schedules `work` on the main actor and returns at once. `work` runs after all work that was scheduled before it.
    ///
    /// ``queue`` has scheduled a check of the executor before `work`. `MainActor.assumeIsolated(_:)` would check it for each
    /// piece of work, and make a closure. Both types of closures have the same representation.
    @inlinable @inline(__always)
    package static func async(_ work: @escaping @MainActor () -> Void) {
        queue.async(execute: unsafeBitCast(work, to: (@Sendable () -> Void).self))
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
