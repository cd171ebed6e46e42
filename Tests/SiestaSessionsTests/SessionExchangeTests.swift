import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaSessions
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Credentials in all kinds of requests, with a real server.
@MainActor @Suite(.timeLimit(.test))
struct SessionExchangeTests {
    private nonisolated static func isAuthorized(_ request: ReceivedRequest) -> Bool {
        request.header("Authorization") == "Bearer new"
    }

    private func service(
        _ server: LoopbackServer, _ authenticator: (any Authenticator)? = nil,
        over networking: any NetworkingProviderConvertible = DefaultNetworking()
    ) -> Service {
        let service = Service(baseURL: server.url("/v1/"), networking: networking)
        service.authenticate(with: authenticator ?? BearerToken(refresh: { _, _ in Credential("new") }))
        return service
    }

    @Test func `A download is repeated with the new credential`() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer {
            try $0.respond(Self.isAuthorized($0.request) ? 200 : 401, text: "content")
        }
        let service = service(server)
        try await service.signIn("ada", with: Credential("old"))
        let target = folder.url.appendingPathComponent("file")
        let request = service.resource("/file").download(to: target)
        #expect(await request.completion().failure == nil)
        #expect(try Data(contentsOf: target) == Data("content".utf8))
        #expect(server.requests.count == 2)
        let early = Credential("new", expirationDate: Date(timeIntervalSinceNow: 1))
        try await service.signIn("ada", with: early)
        #expect(await request.repeated().start().completion().failure == nil)
    }

    @Test func `A stream is repeated with the new credential, and has nothing of the refusal`() async throws {
        let server = try LoopbackServer {
            try $0.respond(Self.isAuthorized($0.request) ? 200 : 401, text: "content")
        }
        let service = service(server)
        try await service.signIn("ada", with: Credential("old"))
        var received = Data()
        for try await piece in service.resource("/stream").bytes { received += piece }
        #expect(received == Data("content".utf8))
        #expect(server.requests.count == 2)
    }

    @Test func `A stream of an expired session fails with the reason, and ends with its user`() async throws {
        let server = try LoopbackServer { exchange in
            guard exchange.request.target != "/v1/endless" else {
                try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
                return exchange.waitForDisconnect()
            }
            try exchange.respond(401)
        }
        let service = service(server, BearerToken())
        try await service.signIn("ada", with: Credential("old"))
        var endless = service.resource("/endless").bytes.makeAsyncIterator()
        #expect(try await endless.next() != nil)
        try await service.signIn("bob", with: Credential("b"))
        let error = await #expect(throws: RequestError.self) { while try await endless.next() != nil {} }
        #expect(error?.isCancellation == true)
        let refused = await #expect(throws: RequestError.self) {
            for try await _ in service.resource("/stream").bytes {}
        }
        #expect(refused?.cause is SessionExpired)
    }

    @Test func `An upload from a file is sent again, and one from a sequence is not`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        try Data("body".utf8).write(to: file)
        let server = try LoopbackServer {
            try $0.respond(Self.isAuthorized($0.request) ? 200 : 401, text: "done")
        }
        let service = service(server)
        try await service.signIn("ada", with: Credential("old"))
        let upload = service.resource("/a").request(.put, body: .file(file))
        #expect(await upload.completion().failure == nil)
        #expect(server.requests.map(\.body) == [Data("body".utf8), Data("body".utf8)])
        try await service.signIn("ada", with: Credential("old"))
        let (pieces, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(Data("once".utf8))
        continuation.finish()
        let once = service.resource("/b").request(.put, body: .stream(pieces))
        #expect(await once.completion().failure?.httpStatusCode == 401)
    }

    @Test func `Downloads and streams out of the scope do not depend on the session`() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { try $0.respond($0.request.target.hasPrefix("/v1/") ? 401 : 200, text: "x") }
        let service = service(server, BearerToken())
        try await service.signIn("ada", with: Credential("old"))
        await service.resource("/refused").load().completion()
        #expect(service.session?.state == .expired(SessionExpired()))
        let resource = service.resource(absoluteURL: server.url("/other"))
        let file = folder.url.appendingPathComponent("file")
        #expect(await resource.download(to: file).completion().failure == nil)
        var received = Data()
        for try await piece in resource.bytes { received += piece }
        #expect(received == Data("x".utf8))
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer old", nil, nil])
    }

    @Test func `A redirect out of the scope loses the credential, also at the same server`() async throws {
        let server = try LoopbackServer { exchange in
            switch exchange.request.target {
            case "/v1/out": try exchange.respond(302, headers: ["Location: /elsewhere"])
            case "/v1/in": try exchange.respond(302, headers: ["Location: /v1/end"])
            default: try exchange.respond(text: exchange.request.header("Authorization") ?? "nothing")
            }
        }
        let service = service(server)
        try await service.signIn("ada", with: Credential("new"))
        #expect(try await service.resource("/out").load().value.typedContent() == Data("nothing".utf8))
        #expect(try await service.resource("/in").load().value.typedContent() == Data("Bearer new".utf8))
    }

    @Test func `Digest is performed by the transport, and a wrong password expires the session`() async throws {
        let digest = DigestChallenge(user: "ada", password: "p", algorithm: .sha256)
        let server = try LoopbackServer { exchange in
            if digest.isAnswered(by: exchange.request, nonce: "n1") { return try exchange.respond(text: "yes") }
            try exchange.respond(401, headers: [digest.line(nonce: "n1")])
        }
        let service = service(server, DigestAuthentication())
        try await service.signIn("ada", with: Credential(user: "ada", password: "p"))
        #expect(await service.resource("/a").load().completion().failure == nil)
        #expect(await service.resource("/b").request(.post, text: "body").completion().failure == nil)
        try await service.signIn("ada", with: Credential(user: "ada", password: "wrong"))
        #expect(await service.resource("/c").load().completion().failure?.cause is SessionExpired)
    }

    @Test func `A log-in by cookie is kept by the sign-in, and ends with the sign-out`() async throws {
        let server = try LoopbackServer { exchange in
            guard exchange.request.target != "/v1/login" else {
                return try exchange.respond(headers: ["Set-Cookie: id=secret; Path=/"])
            }
            try exchange.respond(text: exchange.request.header("Cookie") ?? "none")
        }
        let service = service(server)
        await service.resource("/login").request(.post).completion()
        try await service.signIn("ada", with: Credential("new"))
        #expect(try await service.resource("/a").load().value.typedContent() == Data("id=secret".utf8))
        await service.signOut()
        #expect(try await service.resource("/a").load().value.typedContent() == Data("none".utf8))
    }

    /// The networkings of this library for which a service keeps cookies.
    private nonisolated static func networkings() -> [any NetworkingProviderConvertible] {
        #if os(Linux)
        [DefaultNetworking(), URLSessionConfiguration.ephemeral, CurlProvider()]
        #else
        [DefaultNetworking(), URLSessionConfiguration.ephemeral]
        #endif
    }

    @Test(arguments: networkings().indices)
    func `A request for a token follows no redirect and sends no cookie`(_ networking: Int) async throws {
        let server = try LoopbackServer { exchange in
            switch exchange.request.target {
            case "/v1/a":
                try exchange.respond(
                    Self.isAuthorized(exchange.request) ? 200 : 401, headers: ["Set-Cookie: c=1; Path=/"])
            case "/token": try exchange.respond(307, headers: ["Location: /thief"])
            default: try exchange.respond(text: "new")
            }
        }
        let statuses = Locked<[Int]>([])
        let token = server.url("/token")
        let service = service(
            server,
            BearerToken(refresh: { _, network in
                var request = URLRequest(url: token)
                request.httpMethod = "POST"
                request.httpBody = Data("refresh".utf8)
                let status = try await network.send(request).status
                statuses.withLock { $0.append(status) }
                return Credential("new")
            }), over: Self.networkings()[networking])
        try await service.signIn("ada", with: Credential("old"))
        #expect(await service.resource("/a").load().completion().failure == nil)
        #expect(statuses.withLock { $0 } == [307])
        let request = try #require(server.requests.first { $0.target == "/token" })
        #expect(request.header("Cookie") == nil)
        #expect(request.header("Authorization") == nil)
        #expect(!server.requests.contains { $0.target == "/thief" })
    }

    @Test func `A POST is not sent again if the page to which a 303 has led refuses the credential`() async throws {
        let server = try LoopbackServer { exchange in
            if exchange.request.method == "POST" {
                return try exchange.respond(303, headers: ["Location: /v1/result"])
            }
            try exchange.respond(401)
        }
        let service = service(server)
        try await service.signIn("ada", with: Credential("old"))
        let request = service.resource("/orders").request(.post, text: "x")
        #expect(await request.completion().failure?.httpStatusCode == 401)
        #expect(server.requests.map(\.method) == ["POST", "GET"])
    }
}
