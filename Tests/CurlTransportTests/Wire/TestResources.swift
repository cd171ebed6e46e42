#if os(Linux)
import Foundation

/// For conditions of another thread or process that nobody reports.
enum Poll {
    /// Lets others work before the next look.
    static func pause() async {
        try? await Task.sleep(for: .milliseconds(1))
    }
}

/// What the process takes up.
enum ProcessMemory {
    /// Bytes of memory that are resident.
    static var resident: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (fields.flatMap { Int($0[1]) } ?? 0) * 4096
    }

    /// Descriptors that are open.
    static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// Programs of the system.
enum Shell {
    /// What a command writes. Its thread waits, not the task's.
    static func output(of command: String) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(with: Result { try run(command) })
            }.start()
        }
    }

    private static func run(_ command: String) throws -> Data {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
        return data
    }

    /// Where a program is, if it is installed.
    static func program(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension Data {
    /// Bytes of which none is where another could be unnoticed: a prime number of them, again and again.
    static func pattern(_ count: Int) -> Data {
        let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        var data = Data(capacity: count + block.count)
        while data.count < count {
            data.append(block)
        }
        return Data(data.prefix(count))
    }
}
#endif
