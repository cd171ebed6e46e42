#if os(Linux)
import Foundation
import Measuring

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print(Options.usage)
    exit(2)
}
let workloads = Workload.all(options.server).filter { options.wants($0) }
if options.isSoak {
    try await soak()
} else {
    try await measure()
}

@MainActor
func measure() async throws {
    var report = TransportReport()
    show(TransportReport.rates.head)
    for workload in workloads {
        if let ceiling = Ceiling.requestsPerSecond(workload) { show(report.add(ceiling: ceiling, workload)) }
        for row in try await rates(workload) { show(report.add(row, workload)) }
    }
    if let workload = workloads.first(where: { $0.name == Workload.central }) {
        show("\n" + TransportReport.starts.head)
        for kind in options.clients {
            guard let starts = await StartTimes(workload: workload).measure(kind) else { continue }
            show(report.add(starts, of: kind))
        }
    }
    show("\n" + report.verdictTable)
    if let document = options.document { try write(report.markdown, to: "transport", of: document) }
}

/// Measures all clients in turn.
@MainActor
func rates(_ workload: Workload) async throws -> [RateRow] {
    var rows: [RateRow] = []
    for kind in options.clients {
        guard let client = try kind.client(for: workload) else { continue }
        let row = RateRow(kind, client)
        await row.warmUp(workload)
        rows.append(row)
    }
    let rounds = workload.hasTarget ? 3 * options.rounds : options.rounds
    for _ in 0..<rounds {
        for row in rows { await row.measureRound() }
    }
    return rows
}

@MainActor
func soak() async throws {
    guard let workload = workloads.first(where: { $0.name == Workload.central }) else { return }
    var isFlat = true
    for kind in [ClientKind.transport, .load] where options.clients.contains(kind) {
        isFlat = try await Soak(workload: workload).run(kind) && isFlat
    }
    if !isFlat { exit(1) }
}

/// Writes a generated section of a document anew.
func write(_ content: String, to section: String, of document: String) throws {
    let text = try String(contentsOfFile: document, encoding: .utf8)
    guard let new = GeneratedSection(section).replaced(in: text, with: content) else {
        throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: document])
    }
    try new.write(toFile: document, atomically: true, encoding: .utf8)
}

/// Prints at once, also into a pipe.
func show(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}
#else
print("The transport is for Linux alone.")
#endif
