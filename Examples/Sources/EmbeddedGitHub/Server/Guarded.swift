import Foundation

/// One value behind one lock.
///
/// Callable from any thread. The body of ``withLock(_:)`` runs alone and must not enter the same box again.
final class Guarded<Value: Sendable>: @unchecked Sendable {  // `value` is touched only while `lock` is held
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
