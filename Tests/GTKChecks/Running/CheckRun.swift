#if GTK
import CGTK
import Foundation

/// Runs the checks one after the other, and prints their results. A warning of GLib, GDK or GTK fails the check that
/// provokes it.
@MainActor final class CheckRun {
    private let filter: String?
    private var (passed, failed) = (0, 0)

    /// Reads the options `--filter TEXT`, `--update` and `--output FOLDER`.
    init(_ arguments: ArraySlice<String>) {
        func value(_ option: String) -> String? {
            arguments.firstIndex(of: option).flatMap { arguments.dropFirst($0 - arguments.startIndex + 1).first }
        }
        filter = value("--filter")
        Screenshot.mustUpdate = arguments.contains("--update")
        Screenshot.output = URL(filePath: value("--output") ?? NSTemporaryDirectory())
    }

    /// Returns the exit status of the program.
    func run() async -> Int32 {
        for check in Check.all where filter.map({ check.name.localizedCaseInsensitiveContains($0) }) ?? true {
            await run(check)
        }
        say("\(passed) passed, \(failed) failed")
        return failed == 0 && passed > 0 ? 0 : 1
    }

    private func run(_ check: Check) async {
        say("  \(check.name)")
        let start = ContinuousClock.now
        var problems: [String] = []
        do { try await limited(check) } catch { problems.append("\(error)") }
        problems += LogRecorder.take()
        let time = ContinuousClock.now - start
        say("\(problems.isEmpty ? "✔" : "✘") \(check.name) (\(time.milliseconds) ms)")
        for problem in problems { say("    ↳ \(problem)") }
        if problems.isEmpty { passed += 1 } else { failed += 1 }
    }

    /// Ends the process if a check hangs. A hanging check cannot be skipped: its windows would disturb the next ones.
    private func limited(_ check: Check) async throws {
        let watchdog = DispatchWorkItem {
            say("✘ \(check.name): no result after \(check.timeLimit) seconds\n0 passed, 1 failed")
            exit(1)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(check.timeLimit), execute: watchdog)
        defer { watchdog.cancel() }
        try await check.body()
    }
}

extension Duration {
    var milliseconds: Int { Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000) }
    var microseconds: Int { Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000) }
}
#endif
