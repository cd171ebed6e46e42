import Siesta
import TestKit
import Testing

@testable import GitHubBrowser

@Suite("A line of the log", .timeLimit(.test))
struct LogEntryTests {
    @Test(
        "tells where an answer came from",
        arguments: [
            (SiestaLog.Category.staleness, "Resource(…/x)[D] is up to date", LogEntry.Kind.memory),
            (.stateChanges, "Resource(…/x)[D] received notModified from Success: X", .notModified),
            (.stateChanges, "Resource(…/x)[D] received newData(network) from Success: X", .network),
            (.stateChanges, "Resource(…/x)[E] received error from Failure: no", .failure),
            (.network, "GET http://h/x", .request), (.network, "Response: Failure: no ← GET http://h/x", .failure),
            (.staleness, "Resource(…/x)[] needs a load", .other),
        ])
    func kind(category: SiestaLog.Category, message: String, kind: LogEntry.Kind) {
        #expect(LogEntry(category, message, base: "http://h/").kind == kind)
    }

    @Test("is short")
    func short() {
        #expect(LogEntry(.network, "GET http://h/x", base: "http://h/").text == "GET …/x")
    }
}
