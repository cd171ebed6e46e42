import Dispatch
import Foundation
import GitHubClient
import GitHubFixture
import Siesta
import SiestaTesting
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Searching as one types", .timeLimit(.test))
@MainActor
struct SearchScreenTests {
    private let fixture: Fixture
    private let debounce = Debounce(delay: 3600)
    private let model: SearchModel
    private let screen: SearchScreen

    init() throws {
        fixture = try Fixture()
        model = SearchModel(api: fixture.api, debounce: debounce)
        screen = SearchScreen(model)
        fixture.network.handler = { _ in .json(#"{"total_count": 1, "items": [{"login": "ada", "type": "User"}]}"#) }
    }

    private func type(_ text: String) {
        for character in text { #expect(screen.press(.character(character)) == .handled) }
    }

    @Test("asks once, when the fingers rest")
    func once() {
        type("ada")
        #expect(fixture.network.requests.isEmpty)
        #expect(model.isBusy)
        debounce.fire()
        #expect(fixture.network.requests.map(\.url?.query) == ["per_page=30&q=ada"])
        #expect(!model.isBusy)
    }

    @Test("keeps no results of the last user")
    func forgets() async throws {
        type("ada")
        debounce.fire()
        for resource in model.resources { await resource.load().completion() }
        #expect(screen.body(in: .standard).contains { $0.text.contains("user") })
        try await fixture.api.signIn("grace", with: Credential("token"))
        model.forgetUser()
        #expect(!screen.body(in: .standard).contains { $0.text.contains("user") })
    }

    @Test("asks at once when Return is pressed, and opens what was found at the next")
    func enter() async {
        type("ada")
        _ = screen.press(.enter)
        #expect(fixture.network.requests.count == 1)
        await model.resources.first?.loadIfNeeded()?.completion()
        #expect(screen.press(.enter) == .open(.account("ada")))
    }

    @Test("asks nobody for nothing")
    func blank() {
        type("   ")
        debounce.fire()
        #expect(fixture.network.requests.isEmpty)
    }

    @Test("cancels what is overtaken")
    func overtaken() async {
        fixture.network.handler = { _ in .held }
        type("a")
        debounce.fire()
        let first = model.resources.first
        type("d")
        debounce.fire()
        await withCheckedContinuation { continuation in
            first?.cancelLoadIfUnobserved(afterDelay: 0.1) { continuation.resume() }
        }
        #expect(fixture.network.exchanges.map(\.isCancelled) == [true, false])
    }

    @Test("leaves Escape to the browser, and letters to the field")
    func keys() {
        #expect(screen.press(.escape) == .ignored)
        type("q")
        #expect(screen.isEditing)
    }
}
