import Foundation
import GitHubFixture
import Siesta
import SiestaTesting
import TestKit
import Testing

@testable import GitHubClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The description of the API", .timeLimit(.test))
@MainActor
struct GitHubAPITests {
    private let fixture: Fixture
    private var api: GitHubAPI { fixture.api }
    private var network: StubNetwork { fixture.network }

    init() throws {
        fixture = try Fixture()
    }

    @Test("makes models of what the server sends")
    func models() async throws {
        network.answer(.get, "/repos/ada/engine", with: .json(Fixture.repository("engine")))
        network.answer(.get, "/repos/ada/engine/languages", with: .json(#"{"C": 25, "Swift": 75}"#))
        let (repository, languages) = (api.repository(Fixture.id), api.languages(of: Fixture.id))
        let shown = try await repository.get(.always)
        try await languages.get(.always)
        #expect(shown.id == Fixture.id)
        #expect(shown.license?.spdxId == "MIT")
        #expect(
            languages.content == [Language(name: "Swift", share: 0.75), Language(name: "C", share: 0.25)])
    }

    @Test("knows the pages that GitHub names by number")
    func numberedPages() async throws {
        network.answer(.get, "/user/42/repos", with: Fixture.page("engine"))
        let page = api.resource("/user/42/repos")
        await page.load().completion()
        let shown: [Repository] = try #require(page.typedContent())
        #expect(shown.map(\.name) == ["engine"])
    }

    @Test("sends the token to the API and to nobody else")
    func token() async throws {
        let fixture = try Fixture(token: "secret")
        let (api, network) = (fixture.api, fixture.network)
        network.handler = { _ in .json("{}") }
        await api.repository(Fixture.id).resource.load().completion()
        await api.resource(absoluteURL: "https://elsewhere.test/repos").load().completion()
        let sent = network.requests.map { $0.value(forHTTPHeaderField: "Authorization") }
        #expect(sent == ["Bearer secret", nil])
    }

    @Test("forgets everything when somebody else signs in")
    func wipe() async throws {
        network.answer(.get, "/repos/ada/engine", with: .json(Fixture.repository("engine")))
        let repository = api.repository(Fixture.id).resource
        await repository.load().completion()
        try await api.signIn("other", with: Credential("token"))
        #expect(repository.latestData == nil)
    }

    @Test("takes 404 for the answer that there is no star")
    func star() async throws {
        network.answer(
            .get, "/user/starred/ada/engine", with: .json(#"{"message": "Not Found"}"#, status: 404), .response(204))
        let star = api.star(of: Fixture.id)
        #expect(try await star.get(.always) == false)
        #expect(try await star.get(.always) == true)
    }
}

@Suite("Starring", .timeLimit(.test))
@MainActor
struct StarringTests {
    private let fixture: Fixture
    private let star: Resource
    private let repository: Resource

    init() async throws {
        fixture = try Fixture(token: "secret")
        fixture.network.answer(.get, "/repos/ada/engine", with: .json(Fixture.repository("engine", stars: 7)))
        fixture.network.answer(.get, "/user/starred/ada/engine", with: .json("{}", status: 404))
        (star, repository) = (
            fixture.api.star(of: Fixture.id).resource, fixture.api.repository(Fixture.id).resource
        )
        await star.load().completion()
        await repository.load().completion()
    }

    private var shown: (isStarred: Bool?, stars: Int?) {
        let repository: Repository? = repository.typedContent()
        return (star.typedContent(), repository?.stargazersCount)
    }

    @Test("shows before the server has answered, and stays")
    func optimistic() async {
        fixture.network.answer(.put, "/user/starred/ada/engine", with: .response(204))
        let change = fixture.api.setStarred(true, Fixture.id)
        #expect(shown == (true, 8))
        #expect(star.isOptimistic)
        #expect(repository.isOptimistic)
        await change.request.completion()
        #expect(shown == (true, 8))
        #expect(!star.isOptimistic)
        #expect(!repository.isUpToDate)
        await fixture.api.outbox?.settled()
        #expect(fixture.api.changes.isEmpty)
    }

    @Test("makes the lists stale that show the repository, and no others")
    func lists() async {
        fixture.network.answer(.put, "/user/starred/ada/engine", with: .response(204))
        fixture.network.answer(.get, "/user/42/repos", with: Fixture.page("engine"))
        fixture.network.answer(.get, "/user/42/repos?page=2", with: Fixture.page("notes"))
        fixture.network.answer(.get, "/user/starred?per_page=30", with: Fixture.page())
        let lists = ["/user/42/repos", "/user/42/repos?page=2", "/user/starred?per_page=30"].map {
            fixture.api.resource(absoluteURL: "https://api.test\($0)")
        }
        for list in lists { await list.load().completion() }
        await fixture.api.setStarred(true, Fixture.id).request.completion()
        #expect(lists.map(\.isUpToDate) == [false, true, false])
        #expect(star.isUpToDate)
    }

    @Test("stays, with a mark, when the server refuses, until the user gives up")
    func refused() async throws {
        fixture.network.answer(.put, "/user/starred/ada/engine", with: .json("{}", status: 422))
        let before = repository.latestData?.timestamp
        let change = fixture.api.setStarred(true, Fixture.id)
        await change.request.completion()
        #expect(shown == (true, 8))
        #expect(star.isOptimistic)
        let entry = try #require(fixture.api.changes.first)
        #expect(entry.state.needsDecision)
        try await fixture.api.outbox?.drop(entry.id)
        #expect(shown == (false, 7))
        #expect(repository.latestData?.timestamp == before)
    }

    @Test("leaves nothing behind when it is cancelled before it was sent")
    func cancelled() async {
        fixture.network.answer(.put, "/user/starred/ada/engine", with: .held)
        fixture.api.setStarred(true, Fixture.id).cancel()
        await fixture.api.outbox?.settled()
        #expect(shown == (false, 7))
        #expect(fixture.api.changes.isEmpty)
    }

    @Test("shows nothing when the user signs out meanwhile, and is kept for the user")
    func signOut() async throws {
        fixture.network.answer(.put, "/user/starred/ada/engine", with: .held)
        try await fixture.api.setStarred(true, Fixture.id).accepted()
        await fixture.api.signOut()
        #expect(star.latestData == nil)
        #expect(repository.latestData == nil)
        #expect(fixture.api.changes.isEmpty)
        #expect(fixture.api.outbox?.entries.count == 1)
    }
}
