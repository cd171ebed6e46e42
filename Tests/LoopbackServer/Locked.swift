import Foundation

/// A value and the lock that guards it. The thread sanitizer can see this lock.
final class Locked<State: Sendable>: @unchecked Sendable {  // sound: `state` is touched under `lock` only
    private let lock = NSLock()
    private var state: State

    init(_ state: State) {
        self.state = state
    }

    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
