package import Foundation

/// A value and the lock that guards it.
///
/// The lock is an `NSLock`, because the thread sanitizer does not recognise `Synchronization.Mutex` on Linux. The lock
/// is not recursive. Closures that run under the lock should be short: no callbacks, no waiting.
package final class Locked<State>: @unchecked Sendable {  // sound: `state` is touched under `lock` only
    @usableFromInline let lock = NSLock()
    // The lock excludes other accesses. Therefore they are not checked.
    @exclusivity(unchecked) @usableFromInline var state: State

    package init(_ state: sending State) {
        self.state = state
    }

    /// Runs `body` with exclusive access to the value, and returns its result.
    ///
    /// The result is never released under the lock, because its release may run any code. Without `extendLifetime`, the
    /// optimizer would release an unused result before the unlocking.
    @inlinable
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        do {
            let result = try body(&state)
            lock.unlock()
            extendLifetime(result)
            return result
        } catch {
            lock.unlock()
            throw error
        }
    }
}
