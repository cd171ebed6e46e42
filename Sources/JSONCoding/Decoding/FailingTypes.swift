#if os(Linux) || os(Android)
import Synchronization

/// The types whose last values could not be decoded.
///
/// A failure costs two passes over the text: the own one, and that of Foundation, which makes the error. A type that has
/// failed twice in a row, for instance because a service has changed its answers, probably fails again. Foundation alone
/// decodes such a type, until it succeeds.
final class FailingTypes: Sendable {
    static let shared = FailingTypes()

    /// The number of failures in a row after which Foundation decodes a type.
    private static let limit = 2
    /// The number of types that are kept. All are forgotten if there are more.
    private static let maximumCount = 64

    /// The number of failures in a row of each type that has failed last.
    private let failures = Mutex<[ObjectIdentifier: Int]>([:])
    /// False if there are none, so that most decodes need no lock.
    private let hasFailures = Atomic(false)

    /// Returns the value of `fast`, or that of `foundation` if `fast` has none, or will probably have none.
    func decode<T>(_ type: T.Type, fast: () -> T?, foundation: () throws -> T) rethrows -> T {
        if !isFailing(type), let value = fast() {
            forget(type)
            return value
        }
        do {
            let value = try foundation()
            forget(type)
            return value
        } catch {
            count(type)
            throw error
        }
    }

    /// Forgets the failures of a type.
    @inline(__always)
    func forget(_ type: any Any.Type) {
        guard hasFailures.load(ordering: .relaxed) else { return }
        change { $0[ObjectIdentifier(type)] = nil }
    }

    private func count(_ type: any Any.Type) {
        change {
            if $0.count >= FailingTypes.maximumCount { $0 = [:] }
            $0[ObjectIdentifier(type), default: 0] += 1
        }
    }

    private func isFailing(_ type: any Any.Type) -> Bool {
        guard hasFailures.load(ordering: .relaxed) else { return false }
        return failures.withLock { $0[ObjectIdentifier(type), default: 0] >= FailingTypes.limit }
    }

    private func change(_ body: (inout [ObjectIdentifier: Int]) -> Void) {
        failures.withLock {
            body(&$0)
            hasFailures.store(!$0.isEmpty, ordering: .relaxed)
        }
    }
}
#endif
