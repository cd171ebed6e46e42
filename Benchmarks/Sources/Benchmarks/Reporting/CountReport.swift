import Foundation
import Measuring

/// What an instruction counter found, and what follows: a table, a comparison with the thresholds, profiles.
struct CountReport {
    private struct Row {
        let counted: CountedRow
        let once: CallgrindPart
        let twice: CallgrindPart

        var instructions: Double { (twice.instructions - once.instructions) / Double(counted.repetitions) }
        var offences: [String] {
            counted.avoids.flatMap { part in twice.selfCosts.keys.filter { $0.contains(part) }.sorted() }
        }
    }

    private static let table = Table([.text("", 56), .number("instructions", 15), .number("allocations", 12)])
    private let rows: [Row]

    /// Reads `rows.jsonl` and the parts of the profile from a directory.
    init(directory: String) throws {
        let lines = try String(contentsOfFile: directory + "/rows.jsonl", encoding: .utf8).split(separator: "\n")
        let counted = try lines.map { try JSONDecoder().decode(CountedRow.self, from: Data($0.utf8)) }
        let files = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("part.") }
        let parts = try files.compactMap {
            CallgrindPart(try String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8))
        }
        let regions = parts.filter { $0.trigger.hasSuffix("counted_region_ends") }.sorted { $0.number < $1.number }
        let rounds = CountedRow.rounds
        guard regions.count == 2 * rounds * counted.count else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: directory])
        }
        let cheapest = stride(from: 0, to: regions.count, by: rounds).compactMap { begin in
            regions[begin..<begin + rounds].min { $0.instructions < $1.instructions }
        }
        rows = counted.enumerated().map { index, row in
            Row(counted: row, once: cheapest[2 * index], twice: cheapest[2 * index + 1])
        }
    }

    /// What the library's own rows cost.
    var costs: [String: Thresholds.Costs] {
        Dictionary(
            uniqueKeysWithValues: rows.filter { !$0.counted.isReference }.map { row in
                let reference = rows.first { $0.counted.name == row.counted.reference }
                let costs = Thresholds.Costs(
                    instructions: row.instructions.rounded(),
                    allocations: (row.counted.allocations * 100).rounded() / 100,
                    reference: reference?.instructions.rounded())
                return (row.counted.name, costs)
            })
    }

    private var cells: [[String]] {
        rows.map {
            [$0.counted.name, Figures.whole($0.instructions), Figures.allocations($0.counted.allocations)]
        }
    }

    var text: String { ([Self.table.head] + cells.map(Self.table.line)).joined(separator: "\n") }

    var markdown: String { Self.table.markdown(cells) }

    /// Functions that a row called although it must not.
    var offences: [String] {
        rows.flatMap { row in row.offences.map { "\(row.counted.name): calls \($0)" } }
    }

    /// The functions that executed most, for each row.
    var profiles: String {
        let table = Table([.number("self", 6), .number("per operation", 13), .text("function", 78)])
        return rows.map { row in
            let total = row.twice.instructions
            let lines = row.twice.selfCosts.sorted { $0.value > $1.value }.prefix(15).map { name, cost in
                table.line([
                    String(format: "%.1f%%", 100 * cost / total),
                    Figures.whole(cost / Double(2 * row.counted.repetitions)), name,
                ])
            }
            return "\n\(row.counted.name)\n" + lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
