import Dispatch

/// The way to the main actor from anywhere.
enum MainQueue {
    /// The queue behind the main actor; asking Dispatch for it makes a new object each time.
    static let queue = DispatchQueue.main

    /// Runs `work` on the main actor, after everything that was handed over before it, never before returning.
    @inline(__always)
    static func async(_ work: @escaping @MainActor () -> Void) {
        queue.async { MainActor.assumeIsolated(work) }
    }

    /// Whether the caller runs on the main actor; cheap, and right where `Thread.isMainThread` is not.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        return key
    }()
}
