import SiestaUI
import TerminalKit
import TestKit
import Testing

@Suite("A row with a status", .timeLimit(.test))
struct StatusLineTests {
    private static let failure = StatusMessage(kind: .failure, heading: "Could not load", detail: "Alas.")
    private static let wait = StatusMessage(
        kind: .waiting, heading: "Trying again", detail: "Server Error", countdown: "in 2 s (2 of 3)")

    @Test("has the words of the message, and the advice")
    func words() {
        #expect(StatusLine(Self.failure).line(columns: 80).text == " ✗ Could not load · Alas")
        let line = StatusLine(Self.failure, advice: "r: retry").line(columns: 80)
        #expect(line.text == " ✗ Could not load · Alas · r: retry")
        #expect(StatusLine(Self.wait).line(columns: 80).text == " ↻ Trying again · Server Error · in 2 s (2 of 3)")
        let offline = StatusMessage(kind: .offline, heading: "Waiting for the network")
        #expect(StatusLine(offline).line(columns: 80).text == " ↻ Waiting for the network")
    }

    @Test("keeps the countdown and the advice where there is no room for the rest")
    func narrow() {
        #expect(StatusLine(Self.wait).line(columns: 30).text == " ↻ Trying a… · in 2 s (2 of 3)")
        #expect(StatusLine(Self.failure, advice: "r: retry").line(columns: 20).text == " ✗ Could… · r: retry")
    }
}
