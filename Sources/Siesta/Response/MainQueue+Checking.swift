import Foundation

extension MainQueue {
    /// Ends the process with a message that says what to do if the caller is not on the main actor.
    ///
    /// For what is called from outside. The compiler sees to it in Swift 6, but not in Swift 5 clients, where such a
    /// call would corrupt memory without a sign.
    @inline(__always)
    static func check(_ call: StaticString) {
        if !isCurrent { refuse(call) }
    }

    /// The same in debug builds, and nothing in others: for what is called so often that a check is too much.
    @inline(__always)
    static func checkInDebug(_ call: StaticString) {
        #if DEBUG
        check(call)
        #endif
    }

    /// Not so if the caller is on the main thread after all, in what another queue does while the main queue waits.
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
        // Under an async `main` this says nothing: any thread may be the one that the main queue waits for. Dispatch
        // knows, but its check ends the process without a word.
        StandardError.write(message)
        MainActor.preconditionIsolated(message)
        #endif
    }
}
