import Foundation
import Siesta
import SiestaTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct BookScreenTests {
    private let clock = TestClock()
    private let network = StubNetwork()
    private let recorder = ObserverRecorder()
    private let api: LibraryAPI
    private let screen: BookScreen

    init() {
        let network = network
        api = clock.whileCurrent { LibraryAPI(networking: network) }
        screen = BookScreen(api.book(7))
        api.book(7).resource.addObserver(recorder)
    }

    @Test func `The screen spins until the book has arrived`() async throws {
        network.answer(.get, "/books/7", with: .held)
        screen.appear()
        #expect(screen.isSpinning)
        try await network.exchange(1).respond(with: .json(#"{"title": "Emma"}"#))
        await recorder.next(.newData(.network))
        #expect(screen.title == "Emma")
        #expect(!screen.isSpinning)
    }

    @Test func `For a minute, the screen shows the book without another request`() async throws {
        network.answer(.get, "/books/7", with: .json(#"{"title": "Emma"}"#), .held)
        screen.appear()
        await recorder.next(.newData(.network))
        clock.advance(by: 60)
        screen.appear()
        #expect(network.requests.count == 1)
        clock.advance(by: 1)
        screen.appear()
        try await network.exchange(2).respond(with: .json(#"{"title": "Persuasion"}"#))
        await recorder.next(.newData(.network))
        #expect(screen.title == "Persuasion")
        #expect(network.unusedAnswers.isEmpty)
    }

    @Test func `Five seconds after a failure, the screen tries again`() async throws {
        network.answer(.get, "/books/7", with: .failure(.notConnectedToInternet), .held)
        screen.appear()
        try await clock.waitForTimers(1)  // The screen sets the timer when the failure arrives.
        #expect(screen.message == "There is no network connection.")
        clock.advance(by: 5)
        try await network.exchange(2).respond(with: .json(#"{"title": "Emma"}"#))
        await recorder.next(.newData(.network))
        #expect(screen.title == "Emma")
        #expect(screen.message == nil)
    }
}
