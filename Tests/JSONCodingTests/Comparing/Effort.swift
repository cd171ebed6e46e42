import Foundation

/// The number of repetitions in a test. All of them run with `SOAK` in the environment, as `make soak` does.
enum Effort {
    /// True unless `SOAK` is in the environment.
    static let isReduced = ProcessInfo.processInfo.environment["SOAK"] == nil

    /// Returns a number of repetitions, or another one if `SOAK` is not in the environment.
    static func repetitions(_ number: Int, reduced: Int) -> Int { isReduced ? reduced : number }

    /// The number of mutations. `MUTATIONS` in the environment overrides it.
    static var mutations: Int {
        let number = ProcessInfo.processInfo.environment["MUTATIONS"].flatMap { Int($0) }
        return number ?? repetitions(1_000_000, reduced: 16_000)
    }
}
