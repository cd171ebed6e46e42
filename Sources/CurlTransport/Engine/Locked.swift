#if os(Linux)
import Foundation

/// One value and the one lock that guards it.
///
/// The lock is an `NSLock`, because the thread sanitizer cannot see `Synchronization.Mutex` on Linux. It is not
/// recursive, and what `body` runs should be short: no callbacks, no waiting.
final class Locked<State>: @unchecked Sendable {  // sound: `state` is touched under `lock` only
    private let lock = NSLock()
    private var state: State

    init(_ state: sending State) {
        self.state = state
    }

    /// Gives `body` the value in place, alone with it, and returns what `body` returns.
    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
#endif
