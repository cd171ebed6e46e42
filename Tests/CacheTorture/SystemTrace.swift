#if os(Linux)
import Foundation
import Waiting

/// The system calls of a process, as recorded by strace.
public enum SystemTrace: Sendable {
    private static let program = "/usr/bin/strace"

    /// True if strace is installed.
    public static let isPossible = FileManager.default.isExecutableFile(atPath: program)

    /// Begins to record these system calls of this process, if that is permitted. Returns when the recording has begun.
    public static func begin(_ path: String, calls: String) throws {
        let tracer = Process()
        tracer.executableURL = URL(fileURLWithPath: program)
        tracer.arguments = ["-f", "-y", "-o", path, "-e", "trace=\(calls)", "-p", "\(getpid())"]
        let output = Pipe()
        tracer.standardError = output
        try tracer.run()
        // strace's first output says that it is attached to the process.
        _ = output.fileHandleForReading.availableData
    }

    /// Returns the recorded lines in order. Polls until the process has ended: strace, the child of that process,
    /// reports nothing to this one.
    public static func lines(of path: String) async throws -> [Substring] {
        var text = ""
        try await Poll.until {
            text = try String(contentsOfFile: path, encoding: .utf8)
            return text.contains("+++ exited with")
        }
        return text.split(separator: "\n")
    }
}
#endif
