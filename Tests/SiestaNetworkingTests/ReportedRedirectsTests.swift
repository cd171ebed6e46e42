import Foundation
import HTTPRules
import Isolation
import LoopbackServer

import SiestaTesting
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

/// The redirects that the core learns from each provider.
@MainActor @Suite(.timeLimit(.test))
struct ReportedRedirectsTests {
    /// Providers that follow redirects themselves and report their heads.
    nonisolated static let reporting: [String] = {
        #if os(Linux)
        ["libcurl", "the default", "a session configuration"]
        #else
        ["the default", "a session configuration"]
        #endif
    }()

    private func provider(_ name: String) -> any NetworkingProvider {
        switch name {
        #if os(Linux)
        case "libcurl": CurlProvider()
        #endif
        case "the default": DefaultNetworking().siestaNetworkingProvider
        default: URLSessionConfiguration.ephemeral.siestaNetworkingProvider
        }
    }

    /// A server with two redirects from `/1` to `/3`, and one from `/again` to the same URL.
    private func server() throws -> LoopbackServer {
        let visits = Locked(0)
        return try LoopbackServer { exchange in
            switch exchange.request.target {
            case "/1": try exchange.respond(301, headers: ["Location: /2", "Cache-Control: max-age=60"])
            case "/2": try exchange.respond(302, headers: ["Location: /3", "X: one"], text: "not this")
            case "/again" where visits.withLock({ increase(&$0) }) == 1:
                try exchange.respond(302, headers: ["Location: /again"])
            default: try exchange.respond(headers: ["X: end"], text: "end")
            }
        }
    }

    @Test(arguments: reporting, [false, true])
    func `The head of each redirect is reported, in order`(_ name: String, _ hasExtras: Bool) async throws {
        let server = try server()
        let extras = hasExtras ? RequestExtras() : nil
        let head = try await head(URLRequest(url: server.url("/1")), from: provider(name), extras)
        #expect(head.status == 200)
        #expect(head.redirects.map(\.status) == [301, 302])
        #expect(head.redirects.map { $0.fields["Cache-Control"] } == ["max-age=60", nil])
        #expect(head.redirects.map { $0.fields["X"] } == [nil, "one"])
        #expect(head.fields["X"] == "end")
        #expect(!head.hasUnknownRedirects)
    }

    @Test(arguments: reporting)
    func `The escapes in a Location reach the server as they are`(_ name: String) async throws {
        let server = try LoopbackServer { exchange in
            let isFirst = exchange.request.target == "/"
            try exchange.respond(
                isFirst ? 302 : 200, headers: isFirst ? ["Location: /a%2Fb|c?sig=a%2Bb%3D&f[x]=1&é=%"] : [])
        }
        let head = try await head(URLRequest(url: server.url()), from: provider(name))
        #expect(head.status == 200)
        #expect(server.requests.map(\.target) == ["/", "/a%2Fb%7Cc?sig=a%2Bb%3D&f%5Bx%5D=1&%C3%A9=%25"])
    }

    @Test(arguments: reporting)
    func `A redirect to the same URL is reported, and a response without redirects has none`(_ name: String)
        async throws
    {
        let server = try server()
        let provider = provider(name)
        let again = try await head(URLRequest(url: server.url("/again")), from: provider)
        #expect(again.redirects.map(\.status) == [302])
        let plain = try await head(URLRequest(url: server.url("/again")), from: provider)
        #expect(plain.redirects.isEmpty)
        #expect(!plain.hasUnknownRedirects)
    }

    @Test(arguments: reporting)
    func `A redirect that is delivered as the response is none of its redirects`(_ name: String) async throws {
        let server = try LoopbackServer { exchange in
            let isFirst = exchange.request.target == "/"
            try exchange.respond(isFirst ? 302 : 301, headers: ["Location: \(isFirst ? "/end" : "ftp://a.test/")"])
        }
        let head = try await head(URLRequest(url: server.url()), from: provider(name))
        #expect(head.status == 301)
        #expect(head.redirects.map(\.status) == [302])
    }

    @Test func `The redirects of a session of the app are unknown, unless its response has the URL of the request`()
        async throws
    {
        let server = try server()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        for (path, isUnknown) in [("/1", true), ("/3", false)] {
            let head = try await head(URLRequest(url: server.url(path)), from: session.siestaNetworkingProvider)
            #expect(head.status == 200)
            #expect(head.redirects.isEmpty)
            #expect(head.hasUnknownRedirects == isUnknown)
        }
    }

    @Test(arguments: [
        ("http://a.test/b", "http://a.test/b", false), ("http://a.test", "http://a.test/", false),
        ("HTTP://A.test:80/b?c#d", "http://a.test/b?c", false), ("https://a.test/", "https://a.test:443", false),
        ("http://a.test/b", "http://a.test/c", true), ("http://a.test/b", "https://a.test/b", true),
        ("http://a.test/b?c", "http://a.test/b", true), ("http://a.test/b", "http://a.test/B", true),
        ("http://a.test/b", "http://a.test:8080/b", true), ("http://a.test/b", "http://b.test/b", true),
        ("http://a.test/b%2Fc", "http://a.test/b/c", true), ("http://a.test/b", nil, true),
        ("http://a.test/%c3%bc%7E", "http://a.test/%C3%BC~", false),
    ])
    func `Another URL of the response shows an unknown redirect`(_ source: String, _ target: String?, _ isUnknown: Bool)
        async throws
    {
        let url = try #require(URL(string: source))
        let chain = NetworkResponse.RedirectChain(from: url, to: target.flatMap { URL(string: $0) })
        let head = NetworkResponse.Head(status: 200, fields: HeaderFields([:]), chain: chain)
        #expect(head.hasUnknownRedirects == isUnknown)
    }

    @Test func `The stub of a test follows no redirects, and so has none`() async throws {
        let network = StubNetwork()
        network.answer(.get, "/a", with: .json("{}"))
        let url = try #require(URL(string: "http://a.test/a"))
        let head = try await head(URLRequest(url: url), from: network)
        #expect(head.redirects.isEmpty)
        #expect(!head.hasUnknownRedirects)
    }

    @Test func `Redirects beyond the limit of memory make the chain unknown, for good`() {
        var chain = NetworkResponse.RedirectChain.known([])
        let large = HeaderFields(["x": String(repeating: "x", count: 100_000)])
        for expected in [1, 2, 0, 0] {
            chain.append(NetworkResponse.Hop(status: 301, fields: large))
            let head = NetworkResponse.Head(status: 200, fields: HeaderFields([:]), chain: chain)
            #expect(head.redirects.count == expected)
            #expect(head.hasUnknownRedirects == (expected == 0))
        }
    }

    #if os(Linux)
    @Test func `Redirects that the transport dropped make the chain unknown`() async throws {
        let server = try LoopbackServer { exchange in
            let number = Int(exchange.request.target.dropFirst()) ?? 0
            guard number < 6 else { return try exchange.respond(text: "end") }
            let field = "X: " + String(repeating: "x", count: 60_000)
            try exchange.respond(302, headers: ["Location: /\(number + 1)", field])
        }
        var options = TransportOptions()
        options.headerBytes = 4 << 20
        let head = try await head(URLRequest(url: server.url("/0")), from: CurlProvider(options: options))
        #expect(head.status == 200)
        #expect(head.redirects.isEmpty)
        #expect(head.hasUnknownRedirects)
    }
    #endif

    @Test func `The redirects add at most a word to a head`() {
        struct Before {
            let status: Int
            let fields: HeaderFields
            var url: URL?
        }
        let word = MemoryLayout<Int>.size
        #expect(MemoryLayout<NetworkResponse.Head>.size <= MemoryLayout<Before>.size + word)
        #expect(MemoryLayout<NetworkResponse.Head?>.size <= MemoryLayout<Before?>.size + word)
    }

    /// Sends a request as the core does, and returns the head of its response.
    private func head(
        _ request: URLRequest, from provider: any NetworkingProvider, _ extras: RequestExtras? = nil
    ) async throws -> NetworkResponse.Head {
        let answer = Locked<NetworkResponse?>(nil)
        let answered = Gate()
        var call = TransportCall(request)
        (call.extras, call.needsRedirects) = (extras, true)
        let running = provider.transport.start(call) { response in
            answer.withLock { $0 = response }
            answered.open()
        }
        await answered.wait()
        _ = running
        return try #require(answer.withLock { $0 }?.head)
    }

    #if os(Linux)
    @Test(arguments: ["/2", "absolute"])
    func `A target that a redirect repeats counts once, as for the transport`(_ kind: String) async throws {
        let port = Locked(0)
        let server = try LoopbackServer { exchange in
            guard exchange.request.target == "/1" else { return try exchange.respond(text: "end") }
            let target = kind == "absolute" ? "http://127.0.0.1:\(port.withLock { $0 })" : kind
            try exchange.respond(303, headers: ["Location: \(target)", "Location: \(target)"])
        }
        port.withLock { $0 = Int(server.port) }
        var request = URLRequest(url: server.url("/1"))
        request.httpMethod = "POST"
        let head = try await head(request, from: CurlProvider())
        #expect(head.status == 200)
        let redirects = try #require(NetworkResponse(head: head).redirects(of: request))
        let expected = kind == "absolute" ? server.url("/") : server.url("/2")
        #expect(redirects.last.url.hasSameTarget(as: expected))
        #expect(redirects.redirected.map(\.url) == [server.url("/1")])
        #expect(redirects.changesMethod)
    }
    #endif
}

private func increase(_ number: inout Int) -> Int {
    number += 1
    return number
}
