import Foundation
import Siesta

// 5 000 observed and polled resources, and a server that fails for 30 seconds: once without retries, once with them.
// Arguments: the URL of the server, a file whose existence makes the server fail, and the server's log.

let arguments = CommandLine.arguments
guard arguments.count == 4 else { fatalError("Run Benchmarks/storm") }
let (address, flag, log) = (arguments[1], arguments[2], arguments[3])

@MainActor
final class Screen: ResourceObserver {
    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
}

/// The memory of this process in kilobytes.
func residentSize() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

/// The number of requests that the server has received.
func requestCount() -> Int {
    (try? Data(contentsOf: URL(fileURLWithPath: log)))?.count { $0 == UInt8(ascii: "\n") } ?? 0
}

struct Outcome {
    var requests = 0
    /// The time from the return of the server until all resources have data, in seconds.
    var recovery = 0.0
    /// The memory at 10, 20, 30, 40, 50 and 60 seconds, in kilobytes.
    var memory: [Int] = []
}

@MainActor
func storm(_ configure: @escaping (inout Configuration) -> Void) async throws -> Outcome {
    _ = FileManager.default.createFile(atPath: flag, contents: nil)
    let service = Service(baseURL: address, standardTransformers: [])
    service.configure(configurer: configure)
    let (screen, start, before) = (Screen(), Date(), requestCount())
    let resources = (0..<5000).map { service.resource("/\($0)") }
    for resource in resources { resource.addObserver(screen).poll(every: 20, owner: screen) }
    var outcome = Outcome()
    while Date().timeIntervalSince(start) < 60 {
        try await Task.sleep(for: .milliseconds(100))
        let time = Date().timeIntervalSince(start)
        if time >= 30 { try? FileManager.default.removeItem(atPath: flag) }
        if outcome.recovery == 0, time >= 30, resources.allSatisfy({ $0.snapshot.data != nil }) {
            outcome.recovery = time - 30
        }
        if Int(time) / 10 > outcome.memory.count { outcome.memory.append(residentSize()) }
    }
    outcome.requests = requestCount() - before
    return outcome
}

let plain = try await storm { _ in }
let retrying = try await storm { $0.retry = .standard }
for (name, outcome) in [("without retries", plain), ("with .standard", retrying)] {
    print(
        "\(name): \(outcome.requests) requests, recovery \(outcome.recovery) s, memory \(outcome.memory) KB")
}
let ratio = Double(retrying.requests) / Double(plain.requests)
let isMet = ratio <= 1.25 && retrying.recovery > 0 && retrying.recovery <= 25
print("ratio \(ratio): at most 1.25, recovery at most 25 s: \(isMet ? "met" : "MISSED")")
exit(isMet ? 0 : 1)
