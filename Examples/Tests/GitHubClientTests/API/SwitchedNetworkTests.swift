import EmbeddedGitHub
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

@Suite("A network with a switch", .timeLimit(.test))
@MainActor
struct SwitchedNetworkTests {
    @Test("lets requests through only while it is on, and lets them wait while it is off")
    func offAndOn() async throws {
        let clock = TestClock()
        let (network, url) = (StubNetwork(), try #require(URL(string: "https://api.test/")))
        let switched = SwitchedNetwork(network)
        let api = clock.whileCurrent { GitHubAPI(baseURL: url, networking: switched) }
        api.networkStatus = switched.status
        network.answer(.get, "/repos/ada/engine", with: .json(Fixture.repository("engine")))
        let repository = api.repository(Fixture.id).resource
        switched.status.isConnected = false
        let request = repository.load()
        try await clock.waitForTimers(1)
        #expect(repository.retry?.reason == .offline)
        #expect(network.requests.isEmpty)
        switched.status.isConnected = true
        clock.advance(by: 1)
        await request.completion()
        #expect(network.requests.count == 1)
        #expect(repository.latestError == nil)
    }

    @Test("lets streams through only while it is on")
    func streams() async throws {
        let server = try EmbeddedGitHub()
        let switched = SwitchedNetwork()
        let service = Service(baseURL: server.baseURL, networking: switched)
        var lines: [String] = []
        for try await line in service.resource("/zen").lines { lines.append(line) }
        #expect(lines.count == 1)
        switched.status.isConnected = false
        do throws(RequestError) {
            for try await _ in service.resource("/zen").lines { break }
            Issue.record("The stream has opened")
        } catch {
            #expect((error.cause as? URLError)?.code == .notConnectedToInternet)
        }
    }
}
