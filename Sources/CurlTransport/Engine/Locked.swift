#if os(Linux)
import Foundation

/// A value and the lock that guards it.
///
/// The lock is an `NSLock`, because the thread sanitizer cannot see `Synchronization.Mutex` on Linux. It is not
/// recursive. Closures that run under it should be short: no callbacks, no waiting.
final class Locked<State>: @unchecked Sendable {  // sound: `state` is touched under `lock` only
    private let lock = NSLock()
    private var state: State

    init(_ state: sending State) {
        self.state = state
    }

    /// Runs `body` with exclusive access to the value, and returns its result.
    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
#endif
