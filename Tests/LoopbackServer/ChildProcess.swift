#if os(Linux)
package import Foundation

/// A program of the system, run as a child process that inherits no descriptor and blocks no signal.
///
/// `Foundation.Process` is not used for two reasons. The child inherits the blocked signals of the starting thread,
/// which include all signals that could end it. Also, the search for open descriptors reads beyond a buffer, which the
/// address sanitizer reports.
package final class ChildProcess: Sendable {
    package let identifier: pid_t

    package struct Failure: Error {
        let program: String
        let code: CInt
    }

    /// Starts a program with empty input. Its output goes to `output`, or is discarded by default.
    package init(_ program: String, _ arguments: [String], output: CInt? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        for descriptor in 3..<1024 {
            posix_spawn_file_actions_addclose(&actions, CInt(descriptor))
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let texts = ([program] + arguments).map { strdup($0) }
        defer { texts.forEach { free($0) } }
        var started = pid_t()
        let code = posix_spawn(&started, program, &actions, &attributes, texts + [nil], environ)
        guard code == 0 else { throw Failure(program: program, code: code) }
        identifier = started
    }

    /// True until the process has ended by itself.
    package var isRunning: Bool {
        kill(identifier, 0) == 0 && waitpid(identifier, nil, WNOHANG) == 0
    }

    /// Ends the process with SIGTERM if it is running, and waits for its end.
    package func stop() {
        guard isRunning else { return }
        kill(identifier, SIGTERM)
        _ = wait()
    }

    /// Waits for the end of the process. Returns true if it succeeded.
    package func wait() -> Bool {
        var status: CInt = -1
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    /// Returns the path of a program; nil if it is not installed.
    package static func program(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Returns the output of a shell command. A separate thread waits for it, so that no task's thread is blocked.
    package static func output(of command: String) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(with: Result { try run(command) })
            }.start()
        }
    }

    private static func run(_ command: String) throws -> Data {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(program: "pipe", code: errno) }
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let shell: ChildProcess
        do {
            defer { close(ends[1]) }
            shell = try ChildProcess("/bin/sh", ["-c", command], output: ends[1])
        }
        let data = reader.readDataToEndOfFile()
        guard shell.wait() else { throw Failure(program: command, code: -1) }
        return data
    }
}
#endif
