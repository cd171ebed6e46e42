import TestKit
import Testing

@testable import TerminalKit

@Suite("A progress bar is drawn in eighths of a column", .timeLimit(.test))
struct ProgressBarTests {
    @Test(
        "The bar grows with the fraction",
        arguments: [
            (0, 4, "    "), (1, 4, "████"), (0.5, 4, "██  "), (0.25, 2, "▌ "), (0.001, 4, "▏   "), (0.999, 4, "███▉"),
            (-1, 2, "  "), (7, 2, "██"), (.nan, 2, "  "), (.infinity, 2, "██"), (0.5, 0, ""), (0.5, -1, ""),
        ] as [(Double, Int, String)])
    func text(fraction: Double, columns: Int, expected: String) {
        #expect(ProgressBar(fraction: fraction).text(columns: columns) == expected)
    }

    @Test("It has exactly the columns asked for and never shrinks")
    func monotone() {
        let bars = (0...400).map { ProgressBar(fraction: Double($0) / 400).text(columns: 7) }
        #expect(bars.allSatisfy { $0.terminalColumns == 7 })
        let lengths = bars.map { $0.split(separator: " ").first?.count ?? 0 }
        #expect(lengths == lengths.sorted())
    }
}
