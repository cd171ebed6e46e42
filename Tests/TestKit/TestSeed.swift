import Foundation

/// The number from which tests choose their random cases.
///
/// It changes every day, so that the tests of a year try more than those of a day. `SIESTA_TEST_SEED` in the environment repeats the cases
/// of another day. Tests that fail print the number of the failing case.
package enum TestSeed {
    /// The seed of this process: the environment's, or the number of days since 1970 (UTC).
    package static let current: UInt64 = {
        let seed = ProcessInfo.processInfo.environment["SIESTA_TEST_SEED"].flatMap { UInt64($0) }
        return (seed ?? UInt64(Date().timeIntervalSince1970 / 86_400)) % 1_000_000
    }()

    /// Returns the numbers of `count` cases. Other seeds have other numbers.
    package static func cases(_ count: Int) -> Range<UInt64> {
        let first = current * 1_000_000
        return first..<first + UInt64(count)
    }
}
