#if GTK
import Foundation

/// Programs that act on the display as a person does.
enum Command {
    /// Runs a program and waits for its end, while the main loop goes on. Throws if it fails.
    @MainActor static func run(_ arguments: String...) async throws {
        let process = process(arguments)
        let status = try await status(process)
        try expect(status == 0, "\(arguments) ended with status \(status)")
    }

    /// Runs a program that should crash, and returns its last words.
    @MainActor static func crash(_ arguments: String...) async throws -> String {
        let (process, errors) = (process(arguments), Pipe())
        process.standardError = errors
        _ = try await status(process)
        try expect(process.terminationReason == .uncaughtSignal, "\(arguments) did not crash")
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: text, as: UTF8.self)
    }

    private static func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        return process
    }

    @MainActor private static func status(_ process: Process) async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}
#endif
