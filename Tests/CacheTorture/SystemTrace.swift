#if os(Linux)
import Foundation

/// What a process asks of the system, written down by strace.
public enum SystemTrace: Sendable {
    private static let program = "/usr/bin/strace"

    /// Whether strace is installed.
    public static let isPossible = FileManager.default.isExecutableFile(atPath: program)

    /// Begins to write down these calls of this process, where that is permitted; returns when it has begun.
    public static func begin(_ path: String, calls: String) throws {
        let tracer = Process()
        tracer.executableURL = URL(fileURLWithPath: program)
        tracer.arguments = ["-f", "-y", "-o", path, "-e", "trace=\(calls)", "-p", "\(getpid())"]
        let output = Pipe()
        tracer.standardError = output
        try tracer.run()
        // Its first words are that it has attached itself.
        _ = output.fileHandleForReading.availableData
    }

    /// The lines in order; waits until the process has ended.
    public static func lines(of path: String) async throws -> [Substring] {
        var text = ""
        while !text.contains("+++ exited with"), !Task.isCancelled {
            text = try String(contentsOfFile: path, encoding: .utf8)
            await Task.yield()
        }
        return text.split(separator: "\n")
    }
}
#endif
