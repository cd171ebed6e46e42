import Foundation

/// How much the tests do: the number of their schedules, damages and repetitions.
///
/// `SIESTA_TESTS` in the environment names the level. `make test` runs ``quick``, `make nightly` runs ``nightly``, and `make soak` runs
/// ``soak``.
package enum TestLevel: String, CaseIterable, Comparable, Sendable {
    /// What each change runs.
    case quick

    /// What runs once a day.
    case nightly

    /// What runs before a release, for hours.
    case soak

    /// The level of this process. The default is ``quick``.
    package static let current: TestLevel = {
        guard let name = ProcessInfo.processInfo.environment["SIESTA_TESTS"] else { return .quick }
        guard let level = TestLevel(rawValue: name) else {
            preconditionFailure("SIESTA_TESTS is \(name). It must be one of: \(allCases.map(\.rawValue))")
        }
        return level
    }()

    /// True under the thread sanitizer, which makes tests ten times as slow.
    package static let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

    /// Returns one of three numbers, depending on the level. The default of `soak` is `nightly`.
    package static func count<Number: BinaryInteger>(_ quick: Number, nightly: Number, soak: Number? = nil) -> Number {
        switch current {
        case .quick: quick
        case .nightly: nightly
        case .soak: soak ?? nightly
        }
    }

    /// Writes figures to the output of this process, for the process that started it.
    package static func report(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    package static func < (left: Self, right: Self) -> Bool {
        allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
}
