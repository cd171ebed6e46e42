#if os(Linux)
import Foundation

/// What `wrk`, which does not even parse what it gets, can have of the same server: more is not there to be had.
enum Ceiling {
    /// Requests a second; nil if `wrk` is not installed or cannot do this.
    static func requestsPerSecond(_ workload: Workload) -> Double? {
        guard workload.isPlain else { return nil }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["wrk", "-t1", "-c\(workload.inFlight)", "-d2s", workload.url.absoluteString]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = text.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
        return line?.split(separator: " ").last.flatMap { Double($0) }
    }
}
#endif
