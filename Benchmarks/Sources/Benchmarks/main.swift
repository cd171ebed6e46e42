import Foundation
import Siesta

let arguments = CommandLine.arguments.dropFirst()
let filter = arguments.firstIndex(of: "--filter").flatMap { arguments.dropFirst($0).first }
let runner = Runner(isCounting: arguments.contains("--count"))
let families: [@MainActor () -> [Benchmark]] = [
    lookupBenchmarks, loadBenchmarks, observerBenchmarks, pipelineBenchmarks,
]

func isWanted(_ name: String) -> Bool { filter.map { name.contains($0) } ?? true }

var measurements: [String: Measurement] = [:]
var report: [Measurement] = []
for benchmark in families.flatMap({ $0() }) where isWanted(benchmark.name) {
    var measurement = await runner.measure(benchmark)
    measurement.limit = benchmark.limit
    if let (name, limit) = benchmark.reference, let reference = measurements[name] {
        measurement.reference = name
        measurement.limit = limit
        measurement.ratio = measurement.nanoseconds / reference.nanoseconds
    }
    measurements[measurement.name] = measurement
    report.append(measurement)
    if !arguments.contains("--json") { print(row(measurement)) }
}
if arguments.contains("--json") {
    print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
} else if !runner.isCounting {
    for benchmark in memoryBenchmarks() where isWanted(benchmark.name) {
        let bytes = await runner.measure(benchmark)
        let verdict = benchmark.limit.map { bytes <= $0 ? "ok" : "OVER" } ?? ""
        print(
            pad(benchmark.name, 54), pad(String(format: "%9.0f B", bytes), 14),
            benchmark.limit.map { "≤ \(Int($0)) B" } ?? "", verdict)
    }
}

func row(_ measurement: Measurement) -> String {
    let time = String(
        format: "%11.1f ns ±%4.0f%%", measurement.nanoseconds,
        100 * measurement.spread / max(0.001, measurement.nanoseconds))
    let allocations = String(format: "%7.2f allocs", measurement.allocations)
    let ratio = measurement.ratio.map { String(format: "%5.2f × (≤ %.2f)", $0, measurement.limit ?? 0) }
    let absolute = measurement.limit.map { String(format: "(≤ %.0f ns)", $0) }
    let verdict = measurement.isWithinLimit.map { $0 ? "ok" : "OVER" } ?? ""
    return [pad(measurement.name, 54), time, allocations, ratio ?? absolute ?? "", verdict].joined(separator: " ")
}

func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}
