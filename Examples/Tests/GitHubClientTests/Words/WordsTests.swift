import TestKit
import Testing

@testable import GitHubClient

@Suite("Words", .timeLimit(.test))
struct WordsTests {
    @Test(
        "tell an age",
        arguments: [
            (0.0, "just now"), (1.9, "just now"), (2, "2 s ago"), (59.9, "59 s ago"), (60, "1 min ago"),
            (7_200, "2 h ago"), (90_000, "1 d ago"), (.infinity, "11574074 d ago"),
        ])
    func age(seconds: Double, text: String) {
        #expect(Words.age(seconds) == text)
    }

    @Test("tell a duration", arguments: [(0.0124, "12 ms"), (0, "0 ms"), (-1, "0 ms"), (1.25, "1.2 s")])
    func duration(seconds: Double, text: String) {
        #expect(Words.duration(seconds) == text)
    }

    @Test(
        "count down",
        arguments: [
            (-1.0, "0 s"), (0, "0 s"), (0.001, "0 s"), (0.1, "1 s"), (2, "2 s"), (2.000_1, "2 s"), (1.5, "2 s"),
            (59.5, "1:00"), (125, "2:05"), (3_599, "59:59"), (3_600, "1:00:00"), (.infinity, "277:46:40"),
        ])
    func countdown(seconds: Double, text: String) {
        #expect(Words.countdown(seconds) == text)
    }

    @Test("group digits", arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
    func count(number: Int, text: String) {
        #expect(Words.count(number) == text)
    }

    @Test("count one and many")
    func plural() {
        #expect(Words.count(1, "fork") == "1 fork")
        #expect(Words.count(2, "repository", "repositories") == "2 repositories")
    }
}
