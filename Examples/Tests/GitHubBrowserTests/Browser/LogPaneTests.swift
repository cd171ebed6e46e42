import Siesta
import TestKit
import Testing

@testable import GitHubBrowser

@Suite("The log pane", .timeLimit(.test))
@MainActor
struct LogPaneTests {
    @Test("keeps the newest lines, and no more than its limit")
    func limit() {
        let pane = LogPane()
        for number in 0..<(LogPane.limit + 10) { pane.add(LogEntry(.network, "\(number)", base: "/")) }
        #expect(pane.entries.count == LogPane.limit)
        #expect(pane.entries.last?.text == "\(LogPane.limit + 9)")
        #expect(LogView.lines(pane.entries, rows: 3, columns: 40).count == 3)
        pane.clear()
        #expect(pane.entries.isEmpty)
    }
}
