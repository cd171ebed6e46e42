#if os(Linux) || os(Android)
import Synchronization

/// The types whose last values could not be decoded, where a `FailingPlace` did not show the error.
///
/// Such a failure costs two passes over the text: the own one, and that of Foundation. A type that has failed twice in a
/// row, for instance because a service sends no JSON any more, probably fails again. Foundation alone decodes such a type,
/// until it succeeds.
///
/// The table has a fixed size and no lock. If two types share a slot, or two threads change one at once, a failure may be
/// forgotten, which costs time alone.
final class FailingTypes: Sendable {
    static let shared = FailingTypes()

    /// The number of failures in a row after which Foundation decodes a type.
    private static let limit: UInt = 2
    /// The bits of a slot that contain the number of failures. The other bits are those of the address of the type.
    private static let countMask: UInt = 3

    private let slots = InlineArray<64, Atomic<UInt>> { _ in Atomic(0) }

    /// Returns the value of `fast`, or that of `foundation` if `fast` has none, or will probably have none.
    func decode<T>(_ type: T.Type, fast: () throws -> T?, foundation: () throws -> T) rethrows -> T {
        if failures(of: type) < FailingTypes.limit, let value = try fast() {
            forget(type)
            return value
        }
        do {
            let value = try foundation()
            forget(type)
            return value
        } catch {
            setFailures(of: type, min(failures(of: type) + 1, FailingTypes.limit))
            throw error
        }
    }

    /// Forgets the failures of a type.
    func forget(_ type: any Any.Type) {
        if failures(of: type) > 0 { setFailures(of: type, 0) }
    }

    /// Returns the number of failures in a row, at most `limit`.
    private func failures(of type: any Any.Type) -> UInt {
        let (address, slot) = place(of: type)
        let found = slots[slot].load(ordering: .relaxed)
        return found & ~FailingTypes.countMask == address ? found & FailingTypes.countMask : 0
    }

    private func setFailures(of type: any Any.Type, _ count: UInt) {
        let (address, slot) = place(of: type)
        slots[slot].store(address | count, ordering: .relaxed)
    }

    /// Returns the address of a type, which is a multiple of 4, and its slot.
    private func place(of type: any Any.Type) -> (address: UInt, slot: Int) {
        let address = UInt(bitPattern: ObjectIdentifier(type)) & ~FailingTypes.countMask
        let hash = UInt64(address) &* 0x9E37_79B9_7F4A_7C15
        return (address, Int(truncatingIfNeeded: hash >> 58))
    }
}
#endif
