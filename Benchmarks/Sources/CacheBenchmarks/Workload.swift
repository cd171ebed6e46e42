import Foundation
import Measuring
import Siesta

/// Entities of one size, and a folder for them.
@MainActor
struct Workload {
    let count: Int
    let bytes: Int
    let folder: URL
    let service = Service(baseURL: "http://bench.test", networking: NoNetwork())

    init(count: Int, bytes: Int) throws {
        (self.count, self.bytes) = (count, bytes)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    var name: String { "\(Figures.whole(Double(count))) × \(bytes >> 10) KB" }

    func url(_ number: Int) -> String { "http://bench.test/items/\(number)" }

    func content(_ number: Int) -> Data {
        Data((0..<bytes).map { UInt8(truncatingIfNeeded: number &+ $0) })
    }

    func entity(_ content: Data) -> Entity<Any> {
        Entity(content: content, headers: ["Content-Type": "application/octet-stream", "ETag": "\"1\""])
    }

    /// Numbers all over the range, to read one after the other.
    var scattered: [Int] { (0..<1000).map { ($0 &* 7919 + 13) % count } }

    func removeFolder() { try? FileManager.default.removeItem(at: folder) }

    /// The blocks that the folder's files take.
    var bytesOnDisk: Int {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            return lstat("\(folder.path)/\(name)", &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
        }
    }
}

/// Nothing is to be asked of the network.
private struct NoNetwork: NetworkingProvider {
    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        fatalError("\(request) was sent")
    }
}

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What was measured, in seconds and bytes.
struct Figure {
    var write: Double
    var flush: Double
    var read: Double
    var warm: Double?
    var bytesOnDisk: Int

    init(write: Double, flush: Double, read: Double, warm: Double? = nil, bytesOnDisk: Int) {
        (self.write, self.flush, self.read, self.warm) = (write, flush, read, warm)
        self.bytesOnDisk = bytesOnDisk
    }

    /// The middle of each value by itself; nil if there are none.
    init?(medianOf figures: [Figure]) {
        guard let any = figures.first else { return nil }
        func median<Value: Comparable>(_ value: (Figure) -> Value) -> Value {
            figures.map(value).sorted()[figures.count / 2]
        }
        self.init(
            write: median(\.write), flush: median { $0.write + $0.flush } - median(\.write), read: median(\.read),
            warm: any.warm == nil ? nil : median { $0.warm ?? 0 }, bytesOnDisk: median(\.bytesOnDisk))
    }

    /// - Parameter count: how many entities there were.
    func cells(_ count: Int) -> [String] {
        [
            rate(count, write), rate(count, write + flush), Figures.time(read * 1e9),
            warm.map { Figures.time($0 * 1e9) } ?? "–", String(format: "%.1f MB", Double(bytesOnDisk) / 1e6),
        ]
    }

    private func rate(_ count: Int, _ seconds: Double) -> String { Figures.whole(Double(count) / seconds) + "/s" }
}
