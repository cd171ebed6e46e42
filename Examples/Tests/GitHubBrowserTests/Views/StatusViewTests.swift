import TerminalKit
import Testing

@testable import GitHubBrowser
@testable import GitHubClient

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
            (500, false, "r: retry"), (401, false, "t: sign in"), (401, true, "t: sign out"), (404, false, "←: back"),
            (403, false, "r: retry"), (403, true, "r: retry"),
        ])
    func failure(statusCode: Int, isSignedIn: Bool, advice: String) {
        let status = LoadStatus(failure: LoadStatus.Failure(message: "Alas.", statusCode: statusCode))
        let text = StatusView.failure(status, isSignedIn: isSignedIn, columns: 80)?.text
        #expect(text == " ✗ Alas (\(statusCode)) · \(advice)")
        let short = StatusView.failure(status, isSignedIn: isSignedIn, columns: advice.count + 9)?.text
        #expect(short == " ✗ Al… · \(advice)")
    }

    @Test("counts down to the next request after a refusal")
    func refusal() {
        let failure = LoadStatus.Failure(message: "The rate limit is used up", statusCode: nil, retryAfter: 125)
        let text = StatusView.failure(LoadStatus(failure: failure), isSignedIn: false, columns: 80)?.text
        #expect(text == " ✗ The rate limit is used up · next request in 2:05")
    }

    @Test(
        "tells why a request waits",
        arguments: [
            (
                LoadStatus.Wait.retry(2, number: 2, limit: 3, after: serverError),
                "Server Error (500) · retrying in 2 s (2 of 3)"
            ),
            (.rateLimit(44.5), "The rate limit is used up · next request in 45 s"),
            (.rateLimit(61), "The rate limit is used up · next request in 1:01"),
            (.network, "waiting for the network"), (.turn, "waiting for other requests"),
        ])
    func wait(wait: LoadStatus.Wait, text: String) {
        #expect(StatusView.wait(LoadStatus(wait: wait), columns: 80)?.text == " ↻ " + text)
    }

    @Test("keeps the time of the next attempt where there is no room for the error")
    func narrowWait() {
        let status = LoadStatus(wait: .retry(2, number: 2, limit: 3, after: serverError))
        #expect(StatusView.wait(status, columns: 36)?.text == " ↻ Serve… · retrying in 2 s (2 of 3)")
        #expect(StatusView.wait(LoadStatus(), columns: 36) == nil)
    }

    @Test("turns without a bar while a request waits")
    func waiting() {
        let status = LoadStatus(isLoading: true, loadingTime: 9, progress: 0.5, wait: .network, age: 12)
        #expect(StatusView.line(status, tick: 0).text.hasSuffix("waiting · data from 12 s ago"))
    }
}

private let serverError = LoadStatus.Failure(message: "Server Error.", statusCode: 500)
