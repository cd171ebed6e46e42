import Foundation

/// A value and the lock that guards it.
///
/// The lock is an `NSLock`, because the thread sanitizer cannot see `Synchronization.Mutex` on Linux. It is not
/// recursive. Closures that run under it should be short: no callbacks, no waiting.
package final class Locked<State: Sendable>: @unchecked Sendable {  // sound: `state` is touched under `lock` only
    private let lock = NSLock()
    private var state: State

    package init(_ state: State) {
        self.state = state
    }

    /// Runs `body` with exclusive access to the value, and returns its result.
    ///
    /// The result outlives the lock, even if nobody uses it: its release may run any code. The optimizer would move the
    /// release of an unused result before the unlocking.
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        do {
            let result = try body(&state)
            withExtendedLifetime(result) { lock.unlock() }
            return result
        } catch {
            lock.unlock()
            throw error
        }
    }
}
