#if os(Linux)
import Foundation

/// Waits for conditions of another thread or process that are not reported.
enum Poll {
    /// Yields to other work before the next check. Throws when the time of the test is over.
    static func pause() async throws {
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// The resources that the process uses.
enum ProcessMemory {
    /// The resident memory, in bytes.
    static var resident: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (fields.flatMap { Int($0[1]) } ?? 0) * 4096
    }

    /// The number of open descriptors.
    static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

extension Data {
    /// Returns bytes that repeat a block whose length is a prime number, so that a test notices every missing, repeated
    /// or moved byte.
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
