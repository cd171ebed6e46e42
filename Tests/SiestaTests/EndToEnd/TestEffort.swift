import Foundation

/// The number of repetitions in a test. Under the thread sanitizer, which makes tests ten times as slow, it is reduced.
enum TestEffort {
    /// True if `SIESTA_TEST_EFFORT=reduced` is in the environment. `make test-thread` sets it.
    static let isReduced = ProcessInfo.processInfo.environment["SIESTA_TEST_EFFORT"] == "reduced"

    /// Returns a number of repetitions, or a fifth of it.
    static func repetitions<Number: BinaryInteger>(_ number: Number) -> Number {
        isReduced ? number / 5 : number
    }
}
