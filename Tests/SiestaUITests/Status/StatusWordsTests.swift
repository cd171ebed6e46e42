import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import SiestaUI

@MainActor @Suite(.timeLimit(.test))
struct StatusWordsTests {
    private func wait(_ reason: Resource.Retry.Reason, in seconds: Double?, number: Int = 0) -> Resource.Retry {
        let date = seconds.map { Date(timeIntervalSinceReferenceDate: 1000 + $0) }
        return Resource.Retry(reason: reason, attempt: 1, number: number, limit: 3, date: date, error: nil)
    }

    @Test(
        arguments: [
            (0.2, 0, "in 1 s"), (5, 1, "in 5 s (1 of 3)"), (119, 0, "in 119 s"), (120, 0, "in 2 min"),
            (121, 4, "in 3 min (3 of 3)"),
            (-5, 0, ""), (1e300, 0, "in 16666667 min"), (.nan, 0, ""), (nil, 2, ""),
        ] as [(Double?, Int, String)])
    func `The countdown is in whole seconds, rounded up`(seconds: Double?, number: Int, expected: String) {
        let message = StatusWords().message(for: wait(.connection, in: seconds, number: number), now: 1000)
        #expect(message.countdown == expected)
    }

    @Test(arguments: [
        (Resource.Retry.Reason.offline, StatusMessage.Kind.offline, "Waiting for the network", false),
        (.server, .waiting, "Waiting", false), (.rate, .waiting, "Waiting", false),
        (.concurrency, .waiting, "Waiting", false), (.connection, .waiting, "Trying again", true),
        (.status(503), .waiting, "Trying again", true), (.other, .waiting, "Trying again", true),
    ])
    func `Each reason has its words, and a button if a person can end the wait`(
        reason: Resource.Retry.Reason, kind: StatusMessage.Kind, heading: String, canRetry: Bool
    ) {
        let message = StatusWords().message(for: wait(reason, in: 3), now: 1000)
        #expect(message.kind == kind)
        #expect(message.heading == heading)
        #expect((message.retryTitle != nil) == canRetry)
    }

    @Test func `A wait for the server tells the reason, as far as it is known`() {
        let error = RequestError(userMessage: "The quota is used up.", cause: URLError(.badServerResponse))
        let wait = Resource.Retry(
            reason: .server, attempt: 2, number: 0, limit: 3, date: Date(timeIntervalSinceReferenceDate: 1030),
            error: error)
        let message = StatusWords().message(for: wait, now: 1000)
        #expect(message.line == "Waiting · The quota is used up · in 30 s")
    }

    @Test func `A failure counts down to the time at which the server accepts the next request`() {
        let clock = TestClock(wallTime: 1000)
        let cause = RequestError.Failure.refusal(.serverUnavailable, retryAfter: 90)
        let error = clock.whileCurrent { RequestError(userMessage: "Busy.", cause: cause) }
        let line = { (now: Double?) in StatusWords().message(for: error, now: now).line }
        #expect(line(1000) == "Could not load · Busy · in 90 s")
        #expect(line(1089.5) == "Could not load · Busy · in 1 s")
        #expect(line(1090) == "Could not load · Busy")
        #expect(line(nil) == "Could not load · Busy")
    }

    @Test func `An app can translate all words`() {
        var words = StatusWords()
        words.failed = "Échec"
        words.retry = "Réessayer"
        words.countdown = { seconds, _, _ in "dans \(seconds) s" }
        let message = words.message(for: RequestError(userMessage: "Rien", cause: URLError(.timedOut)))
        #expect(message.line == "Échec · Rien")
        #expect(message.retryTitle == "Réessayer")
        #expect(words.message(for: wait(.other, in: 2), now: 1000).countdown == "dans 2 s")
        (words.live, words.reconnecting, words.notLive) = ("En direct", "Reconnexion", "Pas en direct")
        let kinds: [LiveLine.Kind] = [.live, .reconnecting, .notLive]
        #expect(kinds.map { words.line(for: $0).text } == ["En direct", "Reconnexion", "Pas en direct"])
    }
}
