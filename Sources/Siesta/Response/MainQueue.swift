import Dispatch

/// Access to the main actor from any thread.
enum MainQueue {
    /// The queue that executes the main actor's work. Kept in a constant since each call of `DispatchQueue.main` makes
    /// an object.
    static let queue = DispatchQueue.main

    /// Schedules `work` on the main actor and returns at once. `work` runs after all work that was scheduled before it.
    @inline(__always)
    static func async(_ work: @escaping @MainActor () -> Void) {
        queue.async { MainActor.assumeIsolated(work) }
    }

    /// True if the caller runs on the main actor. Cheap, and correct in cases in which `Thread.isMainThread` is not.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        return key
    }()
}
