import TerminalKit
import Testing

@testable import GitHubBrowser

@Suite("The status", .timeLimit(.minutes(30)))
struct StatusViewTests {
    @Test("tells where the data came from, and how old it is")
    func updated() {
        let status = LoadStatus(age: 12, answers: [.notModified: 2, .network: 1], duration: 0.012)
        #expect(StatusView.line(status, tick: 0).text == " updated 12 s ago · network, 304 ×2 · 12 ms")
    }

    @Test("turns at once, and shows a bar when it takes long")
    func loading() {
        var status = LoadStatus(isLoading: true, loadingTime: 0.1)
        #expect(StatusView.line(status, tick: 0).text.hasSuffix("loading"))
        status.loadingTime = 1
        status.progress = 0.5
        status.age = 3
        #expect(StatusView.line(status, tick: 0).text.contains("████████ "))
        #expect(StatusView.line(status, tick: 0).text.hasSuffix("50 % · data from 3 s ago"))
    }

    @Test(
        "says what to do about an error",
        arguments: [
            (500, false, "r: retry"), (401, false, "t: log in"), (401, true, "t: log out"), (404, false, "←: back"),
            (403, false, "t: log in for more, r: retry"), (403, true, "r: retry"),
        ])
    func failure(statusCode: Int, isLoggedIn: Bool, advice: String) {
        let status = LoadStatus(failure: LoadStatus.Failure(message: "Alas.", statusCode: statusCode))
        let text = StatusView.failure(status, isLoggedIn: isLoggedIn, columns: 80)?.text
        #expect(text == " ✗ Alas (\(statusCode)) · \(advice)")
        let short = StatusView.failure(status, isLoggedIn: isLoggedIn, columns: advice.count + 9)?.text
        #expect(short == " ✗ Al… · \(advice)")
    }
}
