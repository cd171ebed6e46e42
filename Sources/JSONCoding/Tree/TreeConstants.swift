#if os(Linux) || os(Android)
import Foundation

/// Objects that all trees share.
struct TreeConstants {
    // Immutable objects of Foundation, created once and never changed. Foundation does not declare all of them as
    // Sendable.
    nonisolated(unsafe) static let shared = TreeConstants()

    /// The numbers from 0. Foundation keeps small numbers with the type with which they were first made. If two threads make
    /// one at the same time, one thread gets a number that is not kept. Each later number is the one that is kept.
    let numbers: [NSNumber] = (0..<1024).map {
        if $0 < 16 { _ = NSNumber(value: UInt64($0)) }
        return NSNumber(value: UInt64($0))
    }
    let `true`: Any = NSNumber(value: true)
    let `false`: Any = NSNumber(value: false)
    let null: Any = NSNull()
}
#endif
