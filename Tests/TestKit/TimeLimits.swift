import Foundation
package import Testing

/// The time limits of tests. They end a test that hangs. No test may depend on their length.
///
/// `SIESTA_TEST_TIME` in the environment multiplies them, for slow machines and for sanitizers.
extension TimeLimitTrait.Duration {
    /// The limit of one test: one minute.
    package static var test: Self { .minutes(factor) }

    /// The limit of a test that runs many schedules: five minutes.
    package static var model: Self { .minutes(5 * factor) }

    private static let factor = max(1, ProcessInfo.processInfo.environment["SIESTA_TEST_TIME"].flatMap { Int($0) } ?? 1)
}
