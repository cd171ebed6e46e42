import Foundation
import HTTPRules
import LoopbackServer

import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The extras of a request, with each provider of the library.
@MainActor @Suite(.timeLimit(.test))
struct RequestExtrasTests {
    nonisolated static let kinds = ["default", "URLSession"]

    private func transport(_ kind: String) -> any Transport {
        kind == "default"
            ? DefaultNetworking().siestaNetworkingProvider.transport
            : URLSessionConfiguration.ephemeral.siestaNetworkingProvider.transport
    }

    private func status(_ call: TransportCall, _ transport: any Transport) async -> Int? {
        await withCheckedContinuation { continuation in
            _ = transport.start(call) { continuation.resume(returning: $0.head?.status) }
        }
    }

    /// Sends a request with a credential: plainly, with a body, and with a receiver. Returns the statuses.
    private func statuses(_ url: URL, _ extras: RequestExtras, _ kind: String) async -> [Int?] {
        var request = URLRequest(url: url)
        request.setValue("Bearer s", forHTTPHeaderField: "Authorization")
        request.setValue("s", forHTTPHeaderField: "X-Key")
        request.setValue("harmless", forHTTPHeaderField: "X-Other")
        let transport = transport(kind)
        var plain = TransportCall(request)
        plain.extras = extras
        var (upload, stream) = (plain, plain)
        upload.request.httpMethod = "PUT"
        upload.body = SegmentedBody(segments: [.bytes(Data("body".utf8))])
        stream.receiver = NoReceiver()
        return [await status(plain, transport), await status(upload, transport), await status(stream, transport)]
    }

    private func scope(_ url: URL) -> SecretScope {
        SecretScope(fields: ["authorization", "X-KEY"], prefixes: [url.absoluteString])
    }

    @Test(arguments: kinds)
    func `A redirect out of the scope loses the fields, and coming back does not return them`(_ kind: String)
        async throws
    {
        let server = try LoopbackServer { exchange in
            let next = ["/v1/start": "/v1/again", "/v1/again": "/other/", "/other/": "/v1/back"][
                exchange.request.target]
            try exchange.respond(next == nil ? 200 : 307, headers: next.map { ["Location: \($0)"] } ?? [])
        }
        let extras = RequestExtras(secretScope: scope(server.url("/v1/")))
        #expect(await statuses(server.url("/v1/start"), extras, kind) == [200, 200, 200])
        for (path, isSecret) in [("/v1/start", true), ("/v1/again", true), ("/other/", false), ("/v1/back", false)] {
            let received = server.requests.filter { $0.target == path }
            #expect(received.count == 3)
            for request in received {
                #expect(request.header("Authorization") == (isSecret ? "Bearer s" : nil), "\(path)")
                #expect(request.header("X-Key") == (isSecret ? "s" : nil), "\(path)")
                #expect(request.header("X-Other") == "harmless")
            }
        }
    }

    @Test(arguments: kinds)
    func `A request out of the scope has no credential`(_ kind: String) async throws {
        let server = try LoopbackServer { try $0.respond() }
        let extras = RequestExtras(secretScope: scope(server.url("/v1/")))
        #expect(await statuses(server.url("/v2/"), extras, kind) == [200, 200, 200])
        #expect(await statuses(server.url("/v1/../x"), extras, kind) == [200, 200, 200])
        #expect(server.requests.count == 6)
        #expect(server.requests.allSatisfy { $0.header("Authorization") == nil && $0.header("X-Key") == nil })
    }

    @Test(arguments: kinds)
    func `A redirect to another origin in the scope loses the fields`(_ kind: String) async throws {
        let other = try LoopbackServer { try $0.respond() }
        let server = try LoopbackServer { try $0.respond(307, headers: ["Location: \(other.url("/x"))"]) }
        let prefixes = [server.url("/"), other.url("/")].map(\.absoluteString)
        let fields = ["Authorization", "X-Key", "X-Other"]
        let extras = RequestExtras(secretScope: SecretScope(fields: fields, prefixes: prefixes))
        #expect(await statuses(server.url("/"), extras, kind) == [200, 200, 200])
        for field in fields {  // the name of the last one does not indicate a secret
            #expect(server.requests.allSatisfy { $0.header(field) != nil })
            #expect(other.requests.allSatisfy { $0.header(field) == nil }, "\(field)")
        }
    }

    @Test(arguments: kinds)
    func `A request that stays put delivers a redirect`(_ kind: String) async throws {
        let server = try LoopbackServer { try $0.respond(307, headers: ["Location: /next"], text: "moved") }
        let extras = RequestExtras(deliversRedirects: true)
        #expect(await statuses(server.url("/"), extras, kind) == [307, 307, 307])
        #expect(server.requests.allSatisfy { $0.target == "/" })
    }

    @Test(arguments: [CookieStorage.none, .inMemory], ["GET", "POST"])
    func `A request of a service's transport that stays put delivers a redirect`(
        _ cookies: CookieStorage, _ method: String
    ) async throws {
        let server = try LoopbackServer { exchange in
            let isFirst = exchange.request.target == "/"
            try exchange.respond(isFirst ? 307 : 200, headers: isFirst ? ["Location: /next"] : [])
        }
        let own = ServiceTransport(DefaultNetworking().siestaNetworkingProvider, cookies: cookies)
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = method
        if method == "POST" { request.httpBody = Data("body".utf8) }
        var call = TransportCall(request)
        call.extras = RequestExtras(deliversRedirects: true)
        for transport in [own.transport, own.withoutCookies] { #expect(await status(call, transport) == 307) }
    }

    @Test(arguments: kinds)
    func `A login that fails, or cannot be performed, delivers the 401`(_ kind: String) async throws {
        let challenge = DigestChallenge(user: "ada", password: "other", algorithm: .md5)
        let server = try LoopbackServer { try $0.respond(401, headers: [challenge.line(nonce: "n")], text: "no") }
        let extras = RequestExtras(login: .init(user: "ada", password: "pw", scheme: .digest))
        #expect(await statuses(server.url("/"), extras, kind) == [401, 401, 401])
    }

    #if os(Linux)
    @Test func `libcurl performs the login`() async throws {
        let challenge = DigestChallenge(user: "ada", password: "pw", algorithm: .sha256)
        let server = try LoopbackServer { exchange in
            guard challenge.isAnswered(by: exchange.request, nonce: "n") else {
                return try exchange.respond(401, headers: [challenge.line(nonce: "n")], text: "no")
            }
            try exchange.respond(text: "in")
        }
        let extras = RequestExtras(
            login: .init(user: "ada", password: "pw", scheme: .digest), secretScope: scope(server.url("/")))
        #expect(await statuses(server.url("/"), extras, "default") == [200, 200, 200])
    }
    #endif
}

private struct NoReceiver: ResponseReceiver {
    func begin(_ response: HTTPURLResponse) async throws {}

    func receive(_ piece: Data) async throws {}
}
