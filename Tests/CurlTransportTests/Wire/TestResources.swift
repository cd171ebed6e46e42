#if os(Linux)
import Foundation

/// For conditions of another thread or process that nobody reports.
enum Poll {
    /// Lets others work before the next look; throws when the time of the test is up.
    static func pause() async throws {
        try await Task.sleep(for: .milliseconds(1))
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
