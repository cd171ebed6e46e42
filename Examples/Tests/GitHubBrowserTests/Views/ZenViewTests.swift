import Foundation
import GitHubClient
import GitHubFixture
import Siesta
import SiestaTesting
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser

@Suite("The sentence and its freshness", .timeLimit(.test))
@MainActor
struct ZenViewTests {
    private let clock = TestClock()
    private let fixture: Fixture

    init() throws {
        fixture = try clock.whileCurrent { try Fixture() }
        fixture.network.answer(.get, "/zen", with: Fixture.zen("Mend the net."))
    }

    private func state(lastUse: ZenModel.Use? = nil) -> ZenView.State {
        let (zen, now) = (fixture.api.zen, Date(timeIntervalSinceReferenceDate: clock.wallTime))
        return ZenView.State(sentence: zen.content, freshness: zen.freshness, now: now, lastUse: lastUse)
    }

    @Test("says that nothing has come yet")
    func nothing() {
        #expect(ZenView.lines(state(), columns: 80).map(\.text) == [" …", "", "", "", " ⏎: use the sentence now"])
    }

    @Test(
        "counts down, marks the window of now, and says what is over",
        arguments: [
            (0.0, " ▸ fresh                   for 25 s", "   stale-while-revalidate  for 1:25"),
            (25.0, "   fresh                   over", " ▸ stale-while-revalidate  for 1:00"),
            (86.0, "   fresh                   over", "   stale-while-revalidate  over"),
        ])
    func windows(age: TimeInterval, fresh: String, revalidating: String) async throws {
        try await fixture.api.zen.get(.always)
        clock.advance(by: age)
        let text = ZenView.lines(state(), columns: 80).map(\.text)
        #expect(text.contains(" Reason: Cache-Control: max-age=30"))
        #expect(text.contains(fresh))
        #expect(text.contains(revalidating))
    }

    @Test("says by which rule a sentence was returned, and fits into the columns")
    func use() async throws {
        try await fixture.api.zen.get(.always)
        let state = state(lastUse: ZenModel.Use(.staleWhileRevalidate, "Mend the net.", age: "35"))
        let text = ZenView.lines(state, columns: 80).map(\.text).suffix(2)
        #expect(text == [" Used: Mend the net.", " stale-while-revalidate, at once; a load runs · Age: 35"])
        #expect(ZenView.lines(state, columns: 12).allSatisfy { $0.columns <= 12 })
    }
}
