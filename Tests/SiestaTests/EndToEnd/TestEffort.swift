import Foundation

/// The number of repetitions in a test. All of them run with `SOAK` in the environment, as `make soak` does. Otherwise there
/// are fewer, and fewest under the thread sanitizer, which makes tests ten times as slow.
enum TestEffort {
    /// True unless `SOAK` is in the environment.
    static let isReduced = ProcessInfo.processInfo.environment["SOAK"] == nil

    /// True if `make test-thread` runs the tests.
    static let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

    /// Returns a number of repetitions: a fifth, and under the thread sanitizer a twentieth, unless all of them run.
    static func repetitions<Number: BinaryInteger>(_ number: Number) -> Number {
        isReduced ? number / (isSanitized ? 20 : 5) : number
    }
}
