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

@Suite("The starred repositories", .timeLimit(.test))
@MainActor
struct StarsModelTests {
    private let clock = TestClock()
    private let fixture: Fixture
    private let model: StarsModel

    init() throws {
        let fixture = try clock.whileCurrent { try Fixture(token: "secret") }
        fixture.network.answer(.get, "/user/starred?per_page=30", with: Fixture.page("engine"))
        self.fixture = fixture
        model = clock.whileCurrent { StarsModel(api: fixture.api) }
    }

    @Test("are asked for every minute, but only while they are on view")
    func poll() async throws {
        clock.advance(by: 120)
        #expect(fixture.network.requests.isEmpty)
        model.appear()
        await fixture.api.starred.resource.loadIfNeeded()?.completion()
        #expect(fixture.network.requests.count == 1)
        clock.advance(by: 60)
        #expect(fixture.network.requests.count == 2)
        model.disappear()
        clock.advance(by: 600)
        #expect(fixture.network.requests.count == 2)
    }

    @Test("are asked for every minute also for the next user")
    func pollOfNextUser() async throws {
        model.appear()
        await fixture.api.starred.resource.loadIfNeeded()?.completion()
        try await fixture.api.signIn("grace", with: Credential("other"))
        model.forgetUser()
        clock.advance(by: 60)
        #expect(fixture.network.requests.count == 2)
        #expect(fixture.network.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer other")
    }
}
