import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Cookies behind a faulty network.
@MainActor @Suite(.timeLimit(.test))
struct FaultyCookieTests {
    @Test func `A service keeps its cookies on a faulty network, and drops them`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(
                headers: ["Set-Cookie: id=7; Path=/", "Content-Type: text/plain"],
                text: exchange.request.header("Cookie") ?? "none")
        }
        let network = FaultyNetwork(DefaultNetworking(), seed: 1, rates: .none)
        let service = Service(baseURL: server.url().absoluteString, networking: network)
        let resource = service.resource("/x")
        #expect(try await resource.load().value.text == "none")
        #expect(try await resource.load().value.text == "id=7")
        #expect(network.log.count == 2)
        await service.removeCookies()
        #expect(try await resource.load().value.text == "none")
        network.rates.lostResponse = 1
        await #expect(throws: RequestError.self) { _ = try await resource.load().value }
        #expect(server.requests.count == 4)
    }
}
