import Foundation

/// The resources of a service as a table for terminals. Pure.
struct InspectorTable {
    let service: String
    let rows: [ResourceRow]
    /// The present, in seconds since 1970.
    let now: Double

    var text: String {
        let loading = rows.count { $0.state == "loading" }
        let failed = rows.count { $0.error != nil }
        let cells = rows.map { row in
            [row.state, age(row), observers(row), row.size.map(Self.size) ?? "–", row.url]
        }
        let widths = (0..<4).map { column in cells.map { $0[column].count }.max() ?? 0 }
        let lines = cells.map { cells in
            zip(cells, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 1 || column == 3 ? padding + cell.0 : cell.0 + padding
            }.joined(separator: "  ") + "  " + cells[4]
        }
        let count = rows.count == 1 ? "1 resource" : "\(rows.count) resources"
        let errors = zip(rows, lines).map { row, line in row.error.map { "\(line)\n    \($0)" } ?? line }
        return (["\(service): \(count), \(loading) loading, \(failed) with an error"] + errors).joined(separator: "\n")
    }

    private func observers(_ row: ResourceRow) -> String {
        row.observers == 1 ? "1 observer" : "\(row.observers) observers"
    }

    private func age(_ row: ResourceRow) -> String { row.time.map { Self.duration(max(0, now - $0)) } ?? "–" }

    /// Returns a duration in its largest suitable unit.
    static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: "\(Int(seconds)) s"
        case ..<7200: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3600)) h"
        case ..<86_400_000: "\(Int(seconds / 86_400)) d"
        default: "long"
        }
    }

    /// Returns a number of bytes in its largest suitable unit.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(Double(bytes / 100) / 10) kB"
        default: "\(Double(bytes / 100_000) / 10) MB"
        }
    }
}
