import Foundation

/// How much a test repeats what it does. Under the thread sanitizer, where everything takes ten times as long, a part
/// has to do.
enum TestEffort {
    /// `SIESTA_TEST_EFFORT=reduced` in the environment, which `make test-thread` sets.
    static let isReduced = ProcessInfo.processInfo.environment["SIESTA_TEST_EFFORT"] == "reduced"

    /// A number of repetitions, or a fifth of it.
    static func repetitions<Number: BinaryInteger>(_ number: Number) -> Number {
        isReduced ? number / 5 : number
    }
}
