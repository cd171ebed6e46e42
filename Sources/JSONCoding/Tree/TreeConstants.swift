#if os(Linux) || os(Android)
import Foundation

/// Objects that all trees share.
struct TreeConstants {
    // Immutable objects of Foundation, created once and never changed. Foundation does not declare all of them as
    // Sendable.
    nonisolated(unsafe) static let shared = TreeConstants()

    let numbers: [NSNumber] = (0..<1024).map { NSNumber(value: UInt64($0)) }
    let `true`: Any = NSNumber(value: true)
    let `false`: Any = NSNumber(value: false)
    let null: Any = NSNull()
}
#endif
