import Foundation

extension MainQueue {
    /// If the caller is not on the main actor, stops the process with a message that tells how to correct the call.
    ///
    /// For methods that apps call. In Swift 6, the compiler ensures that the app calls them on the main actor. In Swift
    /// 5, the compiler does not, and a call from another thread would silently corrupt memory.
    @inlinable @inline(__always)
    package static func check(_ call: StaticString) {
        if !isCurrent { refuse(call) }
    }

    /// Calls ``check(_:)`` in debug builds, and does nothing in release builds. For methods that are called so often
    /// that a check costs too much.
    @inlinable @inline(__always)
    package static func checkInDebug(_ call: StaticString) {
        #if DEBUG
        check(call)
        #endif
    }

    /// Returns normally if the caller is on the main thread nevertheless: in a block of another queue for which the
    /// main queue waits.
    @inline(never) @usableFromInline
    static func refuse(_ call: StaticString) {
        let message = """
            Siesta: `\(call)` was called off the main thread. Call it from the main actor, e.g. \
            `await MainActor.run { … }` or `DispatchQueue.main.async { … }`.
            """
        #if canImport(Darwin)
        guard !Thread.isMainThread else { return }
        fatalError(message)
        #else
        if Thread.isMainThread { return }
        // If `main` is async, `Thread.isMainThread` is not reliable: any thread may run a block for which the main
        // queue waits. The check of Dispatch is reliable, but stops the process without a message.
        StandardError.write(message)
        MainActor.preconditionIsolated(message)
        #endif
    }
}
