import Dispatch

/// Waits for conditions that nothing reports: the kernel's counts and buffers, the files of another process, and
/// values of the library that have no notification. For all other conditions there are gates, journals and streams.
///
/// A timer starts each check, so no thread is blocked between the checks.
package enum Poll {
    /// The error if a condition is not met within ten minutes. Its only purpose is to end a test that hangs in a
    /// process without a time limit.
    package struct Stuck: Error {}

    private static let interval = Duration.milliseconds(2)
    private static let maximum = Duration.seconds(600)

    /// Checks a condition every two milliseconds until it is met. Throws if the test is cancelled.
    package static func until(_ isMet: () throws -> Bool) async throws {
        let end = ContinuousClock.now + maximum
        while try !isMet() {
            guard ContinuousClock.now < end else { throw Stuck() }
            try Task.checkCancellation()
            await Moment.after(interval)
        }
    }

    /// Waits until a value has stayed the same for 0.4 seconds, and returns it. For transfers that stop when the
    /// buffers of the kernel are full: nothing reports that a blocked transfer will stay blocked.
    package static func untilUnchanged<Value: Equatable>(_ value: () throws -> Value) async throws -> Value {
        var (last, checks) = (try value(), 0)
        try await until {
            let new = try value()
            checks = new == last ? checks + 1 : 0
            last = new
            return checks == 200
        }
        return last
    }
}
