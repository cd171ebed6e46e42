import Foundation

extension MainQueue {
    /// Stops the process with a message that tells how to correct the call, unless the caller is on the main actor.
    ///
    /// For methods that apps call. In Swift 6 clients the compiler ensures that they run on the main actor. In Swift 5
    /// clients it does not, and a call from another thread would silently corrupt memory.
    @inline(__always)
    static func check(_ call: StaticString) {
        if !isCurrent { refuse(call) }
    }

    /// Does the same as ``check(_:)`` in debug builds, and nothing in release builds. For methods that are called so
    /// often that a check costs too much.
    @inline(__always)
    static func checkInDebug(_ call: StaticString) {
        #if DEBUG
        check(call)
        #endif
    }

    /// Returns normally if the caller is on the main thread after all: inside a block of another queue that the main
    /// queue waits for.
    @inline(never)
    private static func refuse(_ call: StaticString) {
        let message = """
            Siesta: `\(call)` was called off the main thread. Call it from the main actor, e.g. \
            `await MainActor.run { … }` or `DispatchQueue.main.async { … }`.
            """
        #if canImport(Darwin)
        guard !Thread.isMainThread else { return }
        fatalError(message)
        #else
        if Thread.isMainThread { return }
        // Under an async `main`, `Thread.isMainThread` proves nothing: any thread may be the one for which the main
        // queue waits. Dispatch knows the answer, but its check stops the process without a message.
        StandardError.write(message)
        MainActor.preconditionIsolated(message)
        #endif
    }
}
