#if GTK
import Foundation

/// Programs that act on the display as a person does.
enum Command {
    /// Runs a program and waits for its end, while the main loop goes on. Throws if it fails.
    @MainActor static func run(_ arguments: String...) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        try expect(status == 0, "\(arguments) ended with status \(status)")
    }
}
#endif
