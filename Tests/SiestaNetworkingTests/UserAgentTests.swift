#if os(Linux)
import Foundation
import LoopbackServer
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

@MainActor @Suite(.timeLimit(.test))
struct UserAgentTests {
    private func sent(_ networking: DefaultNetworking, _ own: String? = nil) async throws -> String? {
        let server = try LoopbackServer { try $0.respond() }
        let service = Service(baseURL: server.url(), networking: networking)
        service.configure { $0.headers["User-Agent"] = own }
        _ = await service.resource("/").load().completion()
        return try #require(server.requests.first).header("User-Agent")
    }

    @Test func `Requests name the process and the library, or what the app chooses`() async throws {
        let standard = try #require(await sent(DefaultNetworking()))
        #expect(standard.hasSuffix(" Siesta/2.0"))
        #expect(standard == UserAgent.of(process: ProcessInfo.processInfo.processName))
        #expect(try await sent(DefaultNetworking(userAgent: "mine/1")) == "mine/1")
        #expect(try await sent(DefaultNetworking(userAgent: nil)) == nil)
        #expect(try await sent(DefaultNetworking(), "configured/1") == "configured/1")
        #expect(try await sent(DefaultNetworking(userAgent: nil), "configured/1") == "configured/1")
    }

    @Test(arguments: [UserAgent.standard, .chosen("mine/1")])
    func `Without libcurl, the header is the same`(_ userAgent: UserAgent) async throws {
        let server = try LoopbackServer { try $0.respond() }
        let provider = DefaultProvider(userAgent: userAgent) { false }
        _ = await Service(baseURL: server.url(), networking: provider).resource("/").load().completion()
        #expect(server.requests.map { $0.header("User-Agent") } == [userAgent.value])
    }

    @Test func `Caches know the header, for servers that vary by it`() {
        for (networking, headers) in [
            (DefaultNetworking(), ["User-Agent": UserAgent.standard.value]),
            (DefaultNetworking(userAgent: "mine/1"), ["User-Agent": "mine/1"]),
            (DefaultNetworking(userAgent: nil), [:]),
        ] {
            #expect(networking.siestaNetworkingProvider.transport.addedFields.headers == headers)
        }
    }

    @Test func `The name of a process becomes a token`() {
        #expect(UserAgent.of(process: "my tool (ü)\r\n") == "my-tool-----\u{2D}- Siesta/2.0")
        #expect(UserAgent.of(process: "") == "Siesta/2.0")
        #expect(UserAgent.of(process: String(repeating: "x", count: 1000)).count == 64 + 11)
    }
}
#endif
