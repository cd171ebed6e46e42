import Foundation
import Measuring

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print(Options.usage)
    exit(2)
}
if let startUp = options.startUp {
    runStartUp(startUp)
} else if let directory = options.counts {
    try report(CountReport(directory: directory))
} else {
    let families: [@MainActor () throws -> [Benchmark]] = [
        lookupBenchmarks, churnBenchmarks, freshnessBenchmarks, observerBenchmarks, loadBenchmarks,
        conditionalBenchmarks, pagesBenchmarks, tagBenchmarks, inFlightBenchmarks, hookBenchmarks,
        configurationBenchmarks, pipelineBenchmarks, jsonBenchmarks, endToEndBenchmarks, memoryBenchmarks,
        startupBenchmarks,
        selectionBenchmarks, changeDetectionBenchmarks, retryBenchmarks, mutationBenchmarks,
    ]
    if options.isCounting { try await count(families) } else { try await measure(families) }
}

@MainActor
func measure(_ families: [@MainActor () throws -> [Benchmark]]) async throws {
    let runner = Runner()
    var report = Report()
    if !options.isJSON { show(Report.rows.head) }
    for family in families {
        let rows = try family()
        for row in rows where options.wants(row.name) {
            let reference = rows.first { $0.name == row.reference }
            let measurement = try await runner.measure(row, beside: reference)
            report.add(measurement)
            if !options.isJSON { show(Report.rows.line(Report.cells(measurement))) }
        }
    }
    if options.isJSON {
        show(String(decoding: try JSONEncoder().encode(report.measurements), as: UTF8.self))
    } else if !report.targetRows.isEmpty {
        show("\n" + report.targetTable)
    }
    if let document = options.document { try write(report.markdown, to: "times", of: document) }
}

@MainActor
func count(_ families: [@MainActor () throws -> [Benchmark]]) async throws {
    for family in families {
        for row in try family() where options.wants(row.name) {
            guard let counted = await CountedRun().run(row) else { continue }
            show(String(decoding: try JSONEncoder().encode(counted), as: UTF8.self))
        }
    }
}

@MainActor
func report(_ counts: CountReport) throws {
    show(counts.text)
    if options.isProfiling { show(counts.profiles) }
    if let document = options.document { try write(counts.markdown, to: "counts", of: document) }
    if let file = options.update { try update(counts, URL(fileURLWithPath: file)) }
    if let file = options.check { try check(counts, URL(fileURLWithPath: file)) }
}

/// Makes the counts the thresholds: of these rows alone if others were filtered out, else there are no others any more.
@MainActor
func update(_ counts: CountReport, _ file: URL) throws {
    var thresholds = options.filter == nil ? Thresholds(rows: [:]) : try readThresholds(file)
    thresholds.update(counts.costs)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(thresholds) + Data("\n".utf8)).write(to: file)
}

@MainActor
func check(_ counts: CountReport, _ file: URL) throws {
    let thresholds = try readThresholds(file)
    let comparison = thresholds.compare(counts.costs)
    let lost = options.filter == nil ? thresholds.rows.keys.filter { counts.costs[$0] == nil }.sorted() : []
    let failures = comparison.failures + counts.offences + lost.map { "\($0): no row has this threshold" }
    if !comparison.improvements.isEmpty {
        show("\nFar below their thresholds, which --update lowers: " + comparison.improvements.joined(separator: "; "))
    }
    for failure in failures { show("TOO MUCH: \(failure)") }
    show(failures.isEmpty ? "\nAll counts are within their thresholds." : "\n\(failures.count) counts are too high.")
    if !failures.isEmpty { exit(1) }
}

func readThresholds(_ file: URL) throws -> Thresholds {
    try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: file))
}

/// Prints at once, also into a pipe.
func show(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}
