import Foundation
import Measuring

/// The tables of a run.
struct Report {
    static let rows = Table([
        .text("", 48), .number("median", 11), .number("±", 5), .number("allocations", 11),
        .number("× reference", 11),
    ])
    static let verdicts = Table([
        .text("path", 38), .number("measured", 17), .number("reference", 16), .text("at most", 36), .text("", 18),
    ])

    private(set) var measurements: [RowResult] = []

    mutating func add(_ measurement: RowResult) {
        measurements.append(measurement)
    }

    static func cells(_ row: RowResult) -> [String] {
        [
            row.name, Figures.value(row.value, row.unit),
            row.unit == .bytes ? "" : String(format: "%.0f%%", 100 * row.spread / max(row.value, 0.001)),
            row.allocations.map(Figures.allocations) ?? "", row.ratio.map(Figures.ratio) ?? "",
        ]
    }

    /// A row for each condition of each target whose rows were measured.
    var targetRows: [[String]] {
        let known = Dictionary(measurements.map { ($0.name, $0) }) { $1 }
        return targets.flatMap { target in
            let judged = target.conditions.compactMap { condition in
                condition.verdict(known).map { (condition.requirement, $0) }
            }
            return judged.enumerated().map { index, entry in
                [
                    index == 0 ? target.path : "", entry.1.measured, entry.1.reference, entry.0, entry.1.text,
                ]
            }
        }
    }

    var targetTable: String {
        let rows = targetRows
        let missed = rows.count { $0.last?.hasPrefix("met") != true }
        return ([Self.verdicts.head] + rows.map(Self.verdicts.line)).joined(separator: "\n")
            + "\n\n\(rows.count - missed) of \(rows.count) conditions met"
    }

    /// The whole run for a document.
    var markdown: String {
        Self.verdicts.markdown(targetRows) + "\n\n" + Self.rows.markdown(measurements.map(Self.cells))
    }
}

/// Writes a generated section of a document anew.
func write(_ content: String, to section: String, of document: String) throws {
    let text = try String(contentsOfFile: document, encoding: .utf8)
    guard let new = GeneratedSection(section).replaced(in: text, with: content) else {
        throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: document])
    }
    try new.write(toFile: document, atomically: true, encoding: .utf8)
}
