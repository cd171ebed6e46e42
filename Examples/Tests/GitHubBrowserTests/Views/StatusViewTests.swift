import SiestaUI
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser
@testable import GitHubClient

@Suite("The status", .timeLimit(.test))
struct StatusViewTests {
    @Test("tells where the data came from, and how old it is")
    func updated() {
        let freshness = Freshness(age: 12, origins: [.notModified: 2, .network: 1], duration: 0.012)
        #expect(StatusView.line(freshness, nil, tick: 0).text == " updated 12 s ago · network, 304 ×2 · 12 ms")
    }

    @Test("tells the age of the data alone if the last load has failed")
    func failed() {
        let freshness = Freshness(age: 12, origins: [.memory: 1], hasFailed: true)
        #expect(StatusView.line(freshness, nil, tick: 0).text == " data from 12 s ago")
        #expect(StatusView.line(Freshness(), nil, tick: 0).text == "")
    }

    @Test("shows the progress of a load, and the age of the data before it")
    func loading() {
        let progress = ProgressLine(fraction: 0.5, hasBar: true)
        let text = StatusView.line(Freshness(age: 3), progress, tick: 0).text
        #expect(text.contains("████████ "))
        #expect(text.hasSuffix("50 % · data from 3 s ago"))
        #expect(StatusView.line(Freshness(), progress, tick: 0).text.hasSuffix("50 %"))
    }

    @Test("tells whether the data is live, apart from its age")
    func live() {
        #expect(StatusView.line(LiveLine(kind: .live, text: "Live")).text == " ● Live")
        #expect(StatusView.line(LiveLine(kind: .reconnecting, text: "Reconnecting")).text == " ○ Reconnecting")
        #expect(StatusView.line(nil).text == "")
    }

    @Test(
        "says what to do about an error",
        arguments: [
            (500, false, "r: retry"), (401, false, "t: sign in"), (401, true, "t: sign out"), (404, false, "←: back"),
            (403, false, "r: retry"), (403, true, "r: retry"), (nil, false, "r: retry"),
        ])
    func advice(statusCode: Int?, isSignedIn: Bool, advice: String) {
        #expect(StatusView.advice(statusCode, isSignedIn: isSignedIn) == advice)
    }
}
