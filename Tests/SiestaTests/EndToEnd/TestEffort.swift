import Foundation

/// The number of repetitions in a test. It is reduced in release mode, which repeats the tests of debug mode, and under
/// the thread sanitizer, which makes tests ten times as slow.
enum TestEffort {
    /// True if `SIESTA_TEST_EFFORT=reduced` is in the environment. `make test-release` and `make test-thread` set it.
    static let isReduced = ProcessInfo.processInfo.environment["SIESTA_TEST_EFFORT"] == "reduced"

    /// True if `make test-thread` runs the tests.
    static let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

    /// Returns a number of repetitions; in release mode a fifth of it, and under the thread sanitizer a twentieth.
    static func repetitions<Number: BinaryInteger>(_ number: Number) -> Number {
        isReduced ? number / (isSanitized ? 20 : 5) : number
    }
}
