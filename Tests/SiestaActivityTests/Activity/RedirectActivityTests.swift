import Foundation
import LoopbackServer
import SiestaActivity
import SiestaCore
import SiestaTesting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The events of redirects, which the network follows.
@MainActor @Suite(.timeLimit(.test))
struct RedirectActivityTests {
    private func provider(_ name: String) -> any NetworkingProviderConvertible {
        switch name {
        #if os(Linux) || os(Android)
        case "libcurl": CurlProvider()
        #endif
        case "session": URLSessionConfiguration.ephemeral
        default: DefaultNetworking()
        }
    }

    @Test(arguments: ["default", "libcurl", "session"])
    func `Each redirect is an event, after the event of the request and without secrets in its text`(
        _ network: String
    ) async throws {
        let server = try LoopbackServer { exchange in
            switch exchange.request.target {
            case "/start": try exchange.respond(301, headers: ["Location: /next?token=m4rk"])
            case "/next?token=m4rk": try exchange.respond(302, headers: ["Location: /end"])
            default: try exchange.respond(headers: ["Content-Type: application/json"], text: "{}")
            }
        }
        let service = Service(baseURL: server.url(), networking: provider(network))
        let activity = service.activity
        await service.resource("/start").load().completion()
        var events: [ActivityEvent] = []
        for await event in activity {
            events.append(event)
            if case .requestEnded = event.kind { break }
        }
        let redirects = events.compactMap { event -> (status: Int, location: String)? in
            if case .requestRedirected(let status, let location) = event.kind { (status, location) } else { nil }
        }
        #expect(redirects.map(\.status) == [301, 302])
        #expect(redirects.map(\.location) == ["/next?token=m4rk", "/end"])
        let sent = try #require(events.first { $0.kind.name == "requestSent" })
        #expect(events.filter { $0.kind.name == "requestRedirected" }.allSatisfy { $0.cause == sent.id })
        #expect(!events.contains { "\($0)".contains("m4rk") })
    }
}
