#if os(Linux)
import Foundation
import Measuring

/// The tables of a run, and whether the targets are met.
@MainActor
struct TransportReport {
    static let rates = Table([
        .text("", 25), .text("client", 42), .number("rate", 12), .number("±", 4), .number("CPU a request", 13),
        .number("growth a request", 16),
    ])
    static let starts = Table([
        .text("starting a request, 16 in flight", 42), .number("p50", 10), .number("p99", 10),
    ])
    static let verdicts = Table([.text("target", 78), .number("measured", 12), .text("", 8)])

    private var rateCells: [[String]] = []
    private var startCells: [[String]] = []
    /// The times of all rounds, by the name of the workload.
    private var times: [String: [ClientKind: [Double]]] = [:]
    private var startTimes: [ClientKind: Samples] = [:]

    /// Takes in a row, and returns its line.
    mutating func add(_ row: RateRow, _ workload: Workload) -> String {
        times[workload.name, default: [:]][row.kind] = row.times
        let cells = [
            workload.name, row.kind.rawValue, Self.rate(row.time.median, workload),
            String(format: "%.0f%%", 100 * row.time.spread / row.time.median),
            Figures.time(row.processorTime.median), workload.bytes > 1 << 20 ? "" : Figures.bytes(row.growthPerRequest),
        ]
        rateCells.append(cells)
        return Self.rates.line(cells)
    }

    /// Takes in what `wrk` can do.
    mutating func add(ceiling: Double, _ workload: Workload) -> String {
        let cells = [workload.name, "wrk, the ceiling", Self.rate(1e9 / ceiling, workload), "", "", ""]
        rateCells.append(cells)
        return Self.rates.line(cells)
    }

    mutating func add(_ starts: Samples, of kind: ClientKind) -> String {
        startTimes[kind] = starts
        let cells = [kind.rawValue, Figures.time(starts.median), Figures.time(starts.percentile99)]
        startCells.append(cells)
        return Self.starts.line(cells)
    }

    private static func rate(_ time: Double, _ workload: Workload) -> String {
        workload.bytes > 1 << 20
            ? Figures.whole(Double(workload.bytes) / time * 1e3) + " MB/s" : Figures.whole(1e9 / time) + "/s"
    }

    /// How many times as fast one client is as another: the median over rounds that followed one another, which other
    /// load of the machine affects alike.
    private func speed(of one: ClientKind, to other: ClientKind, with workload: String = Workload.central) -> Double? {
        guard let one = times[workload]?[one], let other = times[workload]?[other] else { return nil }
        return Samples(zip(one, other).map { $1 / $0 }).median
    }

    /// A row for each target whose rows were measured.
    private var verdictCells: [[String]] {
        var cells: [[String]] = []
        func judge(_ target: String, _ measured: String, _ isMet: Bool) {
            cells.append([target, measured, isMet ? "met" : "MISSED"])
        }
        if let ratio = speed(of: .transport, to: .bare) {
            judge("CurlProvider, 1 KB ×16: at least 0.85 of libcurl in C", Figures.ratio(ratio), ratio >= 0.85)
        }
        if let ratio = speed(of: .transport, to: .tuned) {
            cells.append(["CurlProvider, 1 KB ×16, of libcurl in C, sockets kept watched", Figures.ratio(ratio), ""])
        }
        for (workload, least) in Workload.leastLoads {
            guard let ratio = speed(of: .load, to: .bare, with: workload) else { continue }
            judge(
                "Resource.load(), \(workload): at least \(least) of libcurl in C", Figures.ratio(ratio),
                ratio >= least)
        }
        if let ratio = speed(of: .load, to: .sessionLoad) {
            judge(
                "Resource.load() on CurlProvider, 1 KB ×16: at least 6 × that on URLSession", Figures.ratio(ratio),
                ratio >= 6)
        }
        if let starts = startTimes[.transport]?.percentile99 {
            judge("starting a request: at most 10 µs p99", Figures.time(starts), starts <= 10_000)
        }
        return cells
    }

    var verdictTable: String {
        ([Self.verdicts.head] + verdictCells.map(Self.verdicts.line)).joined(separator: "\n")
    }

    /// The whole run for a document.
    var markdown: String {
        [Self.verdicts.markdown(verdictCells), Self.rates.markdown(rateCells), Self.starts.markdown(startCells)]
            .joined(separator: "\n\n")
    }
}
#endif
