import Counters
import Foundation
import Measuring
import Siesta

// 1 000 live resources on one stream of 10 000 events a second, and 1 000 whose connection is lost 100 times a minute.
// Arguments: the URL of the server, and the minutes of each part.

let arguments = CommandLine.arguments
guard arguments.count == 3, let minutes = Double(arguments[2]), minutes > 0 else { fatalError("Run Benchmarks/live") }
let (address, resourceCount) = (arguments[1], 1000)

struct Value: Codable, Sendable {
    var value: Int
    /// The monotonic time at which the server has written the event, in nanoseconds; 0 for a load.
    var sent: UInt64
}

struct Counts: Codable, Sendable {
    var loads: Int
    var streams: Int
}

/// The time of a clock in nanoseconds.
func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Open files and sockets of this process.
func descriptorCount() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }

@MainActor
final class Screen: ResourceObserver {
    var delays = Delays()

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        guard event == .newData(.network), let value = resource.latestData?.content as? Value, value.sent > 0 else {
            return
        }
        delays.add(nanoseconds: nanoseconds(CLOCK_MONOTONIC) &- value.sent)
    }
}

/// Resources that a stream of the server keeps current.
@MainActor
func values(in service: Service, following stream: String) -> [Resource] {
    service.configure("/values/*") {
        $0.live = .eventSource(stream, route: { "/values/\($0.type)" }) { event, _ in .replace(event.data) }
    }
    service.decode("/values/*", as: Value.self)
    return (0..<resourceCount).map { service.resource("/values/\($0)") }
}

/// What a part has cost.
struct Costs {
    var seconds = 0.0
    /// The share of one core.
    var core = 0.0
    var allocations = 0.0
    /// The heap after a sixth of the time, and at the end, in bytes.
    var (heapBefore, heapAfter) = (0.0, 0.0)
}

/// Calls `step` again and again for some time.
@MainActor
func measure(seconds: Double, every interval: Duration, _ step: () -> Void) async throws -> Costs {
    var costs = Costs()
    let (start, processor, allocations) = (
        nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_PROCESS_CPUTIME_ID), allocation_count()
    )
    while costs.seconds < seconds {
        try await Task.sleep(for: interval)
        step()
        costs.seconds = Double(nanoseconds(CLOCK_MONOTONIC) - start) / 1e9
        if costs.heapBefore == 0, costs.seconds > seconds / 6 { costs.heapBefore = Double(heap_bytes_in_use()) }
    }
    costs.core = Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor) / 1e9 / costs.seconds
    costs.allocations = Double(allocation_count() - allocations)
    costs.heapAfter = Double(heap_bytes_in_use())
    return costs
}

let service = Service(baseURL: address)
let screen = Screen()

@MainActor
func setRate(_ rate: Int) async throws {
    let _: Void = try await service.resource("/rate/\(rate)").request(.post).value.content()
}

@MainActor
func counts() async throws -> Counts {
    let counts = try await service.resource("/counts").request(.get).value.content(as: Data.self)
    return try JSONDecoder().decode(Counts.self, from: counts)
}

let table = Table([.text("1 000 live resources", 52), .number("measured", 12), .number("target", 14), .text("", 8)])
var missedCount = 0

@MainActor
func report(_ name: String, _ measured: String, _ target: String = "", isMet: Bool? = nil) {
    if isMet == false { missedCount += 1 }
    print(table.line([name, measured, target, isMet.map { $0 ? "met" : "MISSED" } ?? ""]))
}

@MainActor
func reportHeap(_ costs: Costs) {
    report("  heap after a sixth of the time", String(format: "%.2f MB", costs.heapBefore / 1e6))
    // Queues and tables have other sizes at each moment.
    let limit = costs.heapBefore * 1.05 + 1e6
    report(
        "  heap at the end", String(format: "%.2f MB", costs.heapAfter / 1e6), String(format: "< %.2f MB", limit / 1e6),
        isMet: costs.heapAfter < limit)
}

service.configure("/counts") { $0.pipeline.clear() }
print(table.head)

// One stream.

let followed = values(in: service, following: "/events")
for value in followed {
    value.addObserver(screen)
    value.loadIfNeeded()
}
let setUp = try await measure(seconds: 1, every: .milliseconds(50)) {}
var waited = setUp.seconds
while !followed.allSatisfy(\.live.isLive), waited < 60 {
    try await Task.sleep(for: .milliseconds(50))
    waited += 0.05
}
report("all live after", String(format: "%.2f s", waited), "< 15 s", isMet: waited < 15)

for (rate, seconds) in [(100, 10.0), (10_000, minutes * 60)] {
    try await setRate(rate)
    _ = try await measure(seconds: 2, every: .milliseconds(100)) {}  // Warms up.
    screen.delays.removeAll()
    let costs = try await measure(seconds: seconds, every: .milliseconds(100)) {}
    let delays = screen.delays
    let perSecond = Double(delays.total) / costs.seconds
    report(
        "\(Figures.whole(Double(rate))) events a second: arrived", Figures.whole(perSecond),
        "> \(Figures.whole(Double(rate) * 0.98))", isMet: perSecond > Double(rate) * 0.98)
    report("  from the server's write to the observer, p50", Figures.time(delays.quantile(0.5)))
    report("  from the server's write to the observer, p90", Figures.time(delays.quantile(0.9)))
    let slow = delays.quantile(0.99)
    report("  from the server's write to the observer, p99", Figures.time(slow), "< 1 ms", isMet: slow < 1e6)
    report("  one core", String(format: "%.1f %%", costs.core * 100), "< 50 %", isMet: costs.core < 0.5)
    report("  allocations for each event", Figures.allocations(costs.allocations / Double(max(delays.total, 1))))
    if rate > 1000 { reportHeap(costs) }
}
try await setRate(0)
for value in followed { value.removeObservers(ownedBy: screen) }

// A connection that is lost again and again. Without identifiers, each loss may have hidden changes.

let flapping = Service(baseURL: address)
let other = Screen()
let lost = values(in: flapping, following: "/flapping")
for value in lost {
    value.addObserver(other)
    value.loadIfNeeded()
}
_ = try await measure(seconds: 5, every: .milliseconds(100)) {}
let (before, descriptors) = (try await counts(), descriptorCount())
let costs = try await measure(seconds: minutes * 60, every: .milliseconds(590)) { lost[0].retryNow() }
let after = try await counts()
let reconnects = Double(after.streams - before.streams) * 60 / costs.seconds
report("connection lost: reconnects a minute", Figures.whole(reconnects), "> 80", isMet: reconnects > 80)
let (loads, limit) = (after.loads - before.loads, Double(resourceCount) * (2 * minutes + 4))
report("  loads", Figures.whole(Double(loads)), "< \(Figures.whole(limit))", isMet: Double(loads) < limit)
report("  one core", String(format: "%.1f %%", costs.core * 100))
report(
    "  descriptors, at first \(descriptors)", "\(descriptorCount())", "< \(descriptors + 10)",
    isMet: descriptorCount() < descriptors + 10)
reportHeap(costs)

print(missedCount == 0 ? "All targets are met." : "\(missedCount) targets are MISSED.")
exit(missedCount == 0 ? 0 : 1)
