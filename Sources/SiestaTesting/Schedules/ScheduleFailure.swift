import Foundation

/// The error of a ``Schedule`` that has failed: the shortest script that was found, with code to run it again.
package struct ScheduleFailure: LocalizedError, CustomStringConvertible, Sendable {
    /// The kind of a failure.
    package enum Kind: Sendable {
        /// The invariant is violated after the last step.
        case invariant
        /// The last step has thrown an error.
        case step
        /// The last step did not end within its time limit.
        case hang
        /// The app could not be set up.
        case setUp
        /// The script contains a step that the schedule does not have.
        case unknownStep
    }

    /// The statistics of the search for the shortest script.
    package struct Shrinking: Sendable {
        /// The number of calls in the script that failed first.
        package var originalCount: Int
        /// The number of runs.
        package var runs = 0
        /// True if every call of the script is needed for the failure. False if the search reached its limit of runs,
        /// or if the failure did not occur again.
        package var isComplete = false
        /// True if the whole script failed in the same way when it was run again with the same seed. If the value is
        /// false, the run depends on time, on threads, or on a random generator without a seed.
        package var isReproducible = true
    }

    /// The kind of the failure.
    package let kind: Kind
    /// The seed with which the app was set up.
    package let seed: UInt64
    /// The shortest script that was found.
    package internal(set) var script: [ScheduleCall]
    /// The error of the step or of the invariant.
    package let message: String
    /// The statistics of the search for the script; nil after ``Schedule/replay(seed:_:)``.
    package internal(set) var shrinking: Shrinking?

    /// Swift code that runs the script again.
    package var code: String {
        let calls = script.map { "    \($0.description),\n" }.joined()
        return "try await schedule.replay(seed: \(seed), [\n\(calls)])"
    }

    /// The failure, its seed, the search for the script, and ``code``.
    package var description: String {
        var lines = ["\(headline): \(message)", "Seed \(seed), \(script.count) steps\(search)"]
        if let shrinking, !shrinking.isReproducible {
            lines.append("The same script did not fail again: something random has no seed.")
        }
        return (lines + [code]).joined(separator: "\n")
    }

    /// The same text as ``description``.
    package var errorDescription: String? { description }

    private var headline: String {
        let name = script.last?.name ?? ""
        return switch kind {
        case .invariant: script.isEmpty ? "The invariant fails at the start" : "The invariant fails after \"\(name)\""
        case .step: "The step \"\(name)\" has failed"
        case .hang: "The step \"\(name)\" does not end"
        case .setUp: "The app cannot be set up"
        case .unknownStep: "The schedule has no step \"\(name)\""
        }
    }

    private var search: String {
        guard let shrinking else { return "." }
        let end = shrinking.isComplete ? "" : ", not complete"
        return ", shrunk from \(shrinking.originalCount) in \(shrinking.runs) runs\(end)."
    }
}
