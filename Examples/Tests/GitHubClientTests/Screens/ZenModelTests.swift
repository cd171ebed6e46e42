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

@Suite("The sentence", .timeLimit(.test))
@MainActor
struct ZenModelTests {
    private let clock = TestClock()
    private let fixture: Fixture
    private let model: ZenModel

    init() throws {
        let fixture = try clock.whileCurrent { try Fixture() }
        fixture.network.answer(.get, "/zen", with: Fixture.zen("Mend the net."))
        self.fixture = fixture
        model = clock.whileCurrent { ZenModel(api: fixture.api) }
    }

    @Test("is loaded by its first use, and used without a request while it is fresh")
    func fresh() async throws {
        await use()
        #expect(model.lastUse?.rule == .loaded)
        clock.advance(by: 24)
        await use()
        #expect(model.lastUse == ZenModel.Use(.fresh, "Mend the net.", age: "29"))
        #expect(fixture.network.requests.count == 1)
    }

    @Test("is used at once in the window of stale-while-revalidate, while it is loaded")
    func staleWhileRevalidate() async throws {
        await use()
        clock.advance(by: 25)
        fixture.network.answer(.get, "/zen", with: .held)
        await use()
        #expect(model.lastUse == ZenModel.Use(.staleWhileRevalidate, "Mend the net.", age: "30"))
        #expect(model.zen.isLoading)
    }

    @Test("is used if the server cannot be reached")
    func staleIfError() async throws {
        await use()
        clock.advance(by: 3_600)
        fixture.api.configure { $0.retry = .none }
        fixture.network.answer(.get, "/zen", with: .failure(.cannotConnectToHost))
        await use()
        #expect(model.lastUse?.rule == .staleIfError)
    }

    private func use() async {
        await withCheckedContinuation { continuation in
            model.monitor.onChange = { [model] in
                guard !model.isBusy else { return }
                model.monitor.onChange = {}
                continuation.resume()
            }
            model.use()
        }
    }
}
