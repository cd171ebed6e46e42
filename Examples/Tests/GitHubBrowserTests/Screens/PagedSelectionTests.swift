import GitHubClient
import GitHubFixture
import Siesta
import SiestaTesting
import SiestaUI
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser

@Suite("A selected row of a list in pages", .timeLimit(.test))
@MainActor
struct PagedSelectionTests {
    private let fixture: Fixture
    private let list: PagedResource<Repository>
    private let selection: PagedSelection<Repository>

    init() throws {
        fixture = try Fixture()
        fixture.network.answer(
            .get, "/users/ada/repos?per_page=30&sort=pushed", with: Fixture.page("a", "b", next: "/user/1/repos?page=2")
        )
        fixture.network.answer(.get, "/user/1/repos?page=2", with: Fixture.page("c", "d"))
        list = PagedResource(fixture.api.repositories(of: "ada"), next: .link)
        let model = PagedListModel(list)
        model.appear()
        selection = PagedSelection(model, by: \.id)
    }

    private var opened: Reaction { selection.press(.enter) { .account($0.name) } }

    @Test("is nowhere until the first page has come")
    func nothing() async throws {
        #expect(selection.model.loadedItems == nil)
        #expect(selection.position(of: 4) == "")
        #expect(opened == .ignored)
        try await list.loadNext()
        #expect(selection.model.loadedItems?.count == 2)
        #expect(opened == .open(.account("a")))
        #expect(selection.position(of: 4) == "1 of 4 · n: more")
    }

    @Test("loads the next page when it reaches the last row")
    func end() async throws {
        try await list.loadNext()
        #expect(selection.press(.end) { _ in nil } == .handled)
        #expect(list.isLoadingNext)
        try await list.loadNext()
        #expect(selection.rows(height: 9).selected == 1)
        #expect(selection.model.loadedItems?.map(\.name) == ["a", "b", "c", "d"])
    }

    @Test("follows its item when there is more before it")
    func moves() async throws {
        try await list.loadNext()
        _ = selection.press(.down) { _ in nil }
        #expect(opened == .open(.account("b")))
        fixture.network.answer(
            .get, "/users/ada/repos?per_page=30&sort=pushed", with: Fixture.page("new", "a", "b"))
        try await list.reload(.firstThenMerge)
        #expect(opened == .open(.account("b")))
        #expect(selection.position(of: nil) == "3")
    }
}
