import Foundation
import Siesta
import SiestaTesting
import Testing

@testable import GitHubBrowser

@Suite("A list in pages", .timeLimit(.minutes(30)))
@MainActor
struct PageChainTests {
    @Test("grows along the links, as far as it is wanted")
    func grows() async throws {
        let fixture = try Fixture()
        let second = "https://api.test/users/ada/repos?page=2"
        fixture.network.answer(.get, "/users/ada/repos", with: Fixture.page("a", "b", next: second))
        fixture.network.answer(.get, second, with: Fixture.page("c"))
        var chain = PageChain<Repository>(first: fixture.api.repositories(of: "ada"))
        #expect(chain.items.isEmpty)
        #expect(!chain.hasMore)
        try await chain.first.load()
        #expect(chain.items.map(\.name) == ["a", "b"])
        #expect(chain.hasMore)
        #expect(chain.resources.count == 1)

        chain.wanted = 2
        #expect(chain.resources.map(\.url.absoluteString).last == second)
        try await chain.pages[1].load()
        #expect(chain.items.map(\.name) == ["a", "b", "c"])
        #expect(!chain.hasMore)
    }
}
