import Foundation
import LoopbackServer

import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct SessionRedirectTests {
    private let provider = SessionConfigurationProvider(.ephemeral)

    @Test
    func `A chain of redirects is followed to its end, each Location relative to where it came from`() async throws {
        let server = try LoopbackServer { exchange in
            switch exchange.request.target {
            case "/a/start": try exchange.respond(301, headers: ["Location: ../b/next"], text: "moved")
            case "/b/next": try exchange.respond(302, headers: ["Location: last?x=1"], text: "moved")
            case "/b/last?x=1": try exchange.respond(text: "end")
            default: try exchange.respond(404)
            }
        }
        let started = StartedRequest(server.url("/a/start"), with: provider)
        let answer = try await started.answer
        #expect(answer.status == 200)
        #expect(answer.text == "end")
        #expect(answer.response?.url == server.url("/b/last?x=1"))
        #expect(started.networking.transferMetrics.responseBytesReceived == 3)
        #expect(started.completionCount == 1)
    }

    @Test func `Secrets reach their own origin only, also those of the configuration`() async throws {
        let other = try LoopbackServer { try $0.respond(text: "other") }
        let elsewhere = other.url("/there")
        let server = try LoopbackServer { exchange in
            let target = exchange.request.target == "/" ? "/again" : elsewhere.absoluteString
            try exchange.respond(302, headers: ["Location: \(target)"])
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = [
            "Authorization": "Bearer secret", "X-Access-Token": "secret", "User-Agent": "test",
        ]
        var request = URLRequest(url: server.url())
        request.setValue("s=secret", forHTTPHeaderField: "Cookie")
        #expect(try await configuration.answer(request).text == "other")
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer secret", "Bearer secret"])
        #expect(server.requests.map { $0.header("Cookie") } == ["s=secret", "s=secret"])
        let received = try #require(other.requests.first)
        #expect(received.header("Authorization") == nil)
        #expect(received.header("Cookie") == nil)
        #expect(received.header("X-Access-Token") == nil)
        #expect(received.header("User-Agent") == "test")
    }

    @Test(arguments: [307, 308])
    func `A body is sent again where method and body are kept`(status: Int) async throws {
        let server = try LoopbackServer { exchange in
            let isFirst = exchange.request.target == "/"
            try exchange.respond(isFirst ? status : 200, headers: isFirst ? ["Location: /next"] : [])
        }
        let body = Data(repeating: 7, count: 100_000)
        let started = StartedRequest(URLRequest(posting: body, to: server.url()), with: provider)
        #expect(try await started.answer.status == 200)
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.map(\.body) == [body, body])
        #expect(started.networking.transferMetrics.requestBytesSent == 100_000)
    }

    @Test(arguments: [301, 302, 303])
    func `A POST that becomes a GET has no body any more`(status: Int) async throws {
        let server = try LoopbackServer { exchange in
            let isFirst = exchange.request.target == "/"
            try exchange.respond(isFirst ? status : 200, headers: isFirst ? ["Location: /next"] : [])
        }
        _ = try await provider.answer(URLRequest(posting: Data("body".utf8), to: server.url()))
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        #expect(server.requests.last?.body.isEmpty == true)
        #expect(server.requests.last?.header("Content-Type") == nil)
    }

    @Test func `A redirect that cannot be followed is the answer, with its body`() async throws {
        let server = try LoopbackServer { try $0.respond(307, headers: ["Location: /next"], text: "moved") }
        var request = URLRequest(posting: Data(), to: server.url())
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        let answer = try await provider.answer(request)
        #expect(answer.status == 307)
        #expect(answer.text == "moved")
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["X-Nothing: yes", "Location:", "Location: ftp://127.0.0.1/", "Location: http://", "Location: %"])
    func `A Location that leads nowhere makes the redirect the answer`(header: String) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(exchange.request.target == "/" ? 302 : 404, headers: [header], text: "moved")
        }
        let answer = try await provider.answer(server.url())
        #expect(answer.status == (header == "Location: %" ? 404 : 302))
        #expect(answer.error == nil)
        #if os(Linux)
        // URLSession discards the body of a redirect without a `Location`.
        #expect(answer.text == (["X-Nothing: yes", "Location:"].contains(header) ? "" : "moved"))
        #else
        #expect(answer.text == "moved")
        #endif
    }

    @Test func `A loop ends with an error after twenty redirects`() async throws {
        let server = try LoopbackServer { try $0.respond(302, headers: ["Location: /"]) }
        #expect(try await provider.answer(server.url()).errorCode == .httpTooManyRedirects)
        #expect(server.requests.count == 21)
    }

    @Test func `A redirect is followed by a challenge, which is the answer`() async throws {
        let server = try LoopbackServer { exchange in
            exchange.request.target == "/"
                ? try exchange.respond(302, headers: ["Location: /next"])
                : try exchange.respond(401, headers: [#"WWW-Authenticate: Basic realm="x""#], text: "who?")
        }
        let answer = try await provider.answer(server.url())
        #expect(answer.status == 401)
        #expect(answer.text == "who?")
    }
}
