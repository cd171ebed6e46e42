import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaRetrying
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sessions and the requests whose responses are not kept in memory: downloads and streams.
@MainActor @Suite(.timeLimit(.test))
struct SessionTransferTests {
    private nonisolated static func token(of request: ReceivedRequest) -> String {
        request.header("Authorization") ?? "nothing"
    }

    /// A server that accepts the token `new`, and everything below `/public`.
    private func server() throws -> LoopbackServer {
        try LoopbackServer {
            let isAccepted = Self.token(of: $0.request) == "Bearer new" || $0.request.target.hasPrefix("/public")
            try $0.respond(isAccepted ? 200 : 401, text: Self.token(of: $0.request))
        }
    }

    private func service(_ server: LoopbackServer, _ authenticator: any Authenticator) -> Service {
        let service = Service(baseURL: server.url("/"))
        service.authenticate(with: authenticator)
        service.configure("/public/**") { $0.isPersonal = false }
        return service
    }

    /// Waits until the session refreshes its credential.
    private func refreshBegins(_ authenticator: ManualAuthenticator) async {
        while authenticator.openCount == 0 { await Task.yield() }
        for _ in 0..<10 { await mainQueueTurn() }
    }

    private nonisolated static func content(of bytes: ResponseBytes) async throws -> String {
        var received = Data()
        for try await piece in bytes { received += piece }
        return String(decoding: received, as: UTF8.self)
    }

    private static func isDownloaded(_ resource: Resource, to file: URL) async -> Bool {
        await resource.download(to: file).completion().failure == nil
    }

    @Test func `Many downloads and streams wait for one refresh, and all of them go on`() async throws {
        let folder = try TemporaryFolder()
        let server = try server()
        let authenticator = ManualAuthenticator()
        let service = service(server, authenticator)
        try await service.signIn("ada", with: Credential("old", expirationDate: Date(timeIntervalSinceNow: 1)))
        let downloads = (0..<50).map {
            service.resource("/file").download(to: folder.url.appendingPathComponent("\($0)"))
        }
        let streams = (0..<50).map { _ in
            let bytes = service.resource("/stream").bytes
            return Task { try await Self.content(of: bytes) }
        }
        await refreshBegins(authenticator)
        authenticator.end(.success(Credential("new")))
        for download in downloads { #expect(await download.completion().failure == nil) }
        for stream in streams { #expect(try await stream.value == "Bearer new") }
        #expect(authenticator.refreshed.count == 1)
        #expect(server.requests.count == 100)
    }

    @Test func `A wait keeps its request, so that no other request has the same identity`() {
        final class Request {}
        var waits = CredentialWaits()
        for _ in 0..<100 { waits.add(Request(), isRefused: false, at: 0) { _ in } }
        #expect(waits.removeAll().count == 100)
    }

    @Test func `A refresh may use downloads and streams of its service`() async throws {
        let folder = try TemporaryFolder()
        let server = try server()
        let authenticator = ManualAuthenticator()
        let service = service(server, authenticator)
        let (file, resource) = (folder.url.appendingPathComponent("file"), service.resource("/public/tokens"))
        authenticator.automatic = { _, _ in
            let text = try await Self.content(of: resource.bytes)
            let isDone = await Self.isDownloaded(resource, to: file)
            guard isDone, text == "nothing" else { throw URLError(.badServerResponse) }
            return Credential("new")
        }
        try await service.signIn("ada", with: Credential("old"))
        #expect(await service.resource("/a").load().completion().failure == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "nothing")
    }

    @Test func `While a session is expired, transfers of resources that are not personal carry nothing`()
        async throws
    {
        let folder = try TemporaryFolder()
        let server = try server()
        let service = service(server, BearerToken())
        try await service.signIn("ada", with: Credential("old"))
        #expect(await service.resource("/a").load().completion().failure?.cause is SessionExpired)
        let resource = service.resource("/public/file")
        #expect(try await Self.content(of: resource.bytes) == "nothing")
        let file = folder.url.appendingPathComponent("file")
        #expect(await resource.download(to: file).completion().failure == nil)
        let personal = service.resource("/file").download(to: file)
        #expect(await personal.completion().failure?.cause is SessionExpired)
        #expect(server.requests.count == 3)
    }

    @Test func `A cancelled download waits for no refresh, and leaves its file to the next one`() async throws {
        let folder = try TemporaryFolder()
        let authenticator = ManualAuthenticator()
        let server = try server()
        let service = service(server, authenticator)
        try await service.signIn("ada", with: Credential("old", expirationDate: Date(timeIntervalSinceNow: 1)))
        let file = folder.url.appendingPathComponent("file")
        let first = service.resource("/file").download(to: file)
        await refreshBegins(authenticator)
        first.cancel()
        let other = Service(baseURL: server.url("/public")).resource("/file").download(to: file)
        #expect(await other.completion().failure == nil)
        authenticator.end(.success(Credential("new")))
    }

    @Test func `A server that refuses the new credential, too, causes one refresh`() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { try $0.respond(401, text: "no") }
        let authenticator = ManualAuthenticator()
        authenticator.automatic = { credential, _ in Credential(credential.secret + "x") }
        let service = service(server, authenticator)
        try await service.signIn("ada", with: Credential("old"))
        let file = folder.url.appendingPathComponent("file")
        #expect(await service.resource("/file").download(to: file).completion().failure?.httpStatusCode == 401)
        #expect(authenticator.refreshed.count == 1)
        #expect(server.requests.count == 2)
        await #expect(throws: RequestError.self) { _ = try await Self.content(of: service.resource("/a").bytes) }
        #expect(authenticator.refreshed.count == 2)
        #expect(server.requests.count == 4)
        #expect(service.session?.state == .signedIn("ada"))
    }

    @Test(arguments: [true, false])
    func `A download resumes no part of another user, also if the app adds the credential`(isAdded: Bool) async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { exchange in
            let dates = [
                "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "Date: Mon, 01 Jan 2024 01:00:00 GMT",
            ]
            guard Self.token(of: exchange.request) == "Bearer bob" else {
                let head = (["HTTP/1.1 200 OK", "Content-Length: 6"] + dates).joined(separator: "\r\n")
                try exchange.send("\(head)\r\n\r\nada")
                return exchange.close()
            }
            if exchange.request.header("Range") != nil {
                return try exchange.respond(206, headers: dates + ["Content-Range: bytes 3-5/6"], text: "bob")
            }
            try exchange.respond(headers: dates, text: "bobbob")
        }
        let service = service(server, BearerToken())
        let file = folder.url.appendingPathComponent("file")
        func download(by user: String) -> any Request {
            service.resource("/export").download(to: file) { request in
                if isAdded { request.setValue("Bearer \(user)", forHTTPHeaderField: "Authorization") }
            }
        }
        try await service.signIn("ada", with: Credential("ada"))
        #expect(await download(by: "ada").completion().failure != nil)
        try await service.signIn("bob", with: Credential("bob"))
        #expect(await download(by: "bob").completion().failure == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "bobbob")
    }

    @Test func `A retry of a download as another user starts over, also if the resource is the same for all`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (arrived, isOther) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            guard Self.token(of: exchange.request) == "Bearer bob" else {
                try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nETag: \"1\"\r\n\r\nada")
                arrived.open()
                try exchange.wait(for: isOther)
                return exchange.close()
            }
            if exchange.request.header("Range") != nil {
                return try exchange.respond(
                    206, headers: ["ETag: \"1\"", "Content-Range: bytes 3-5/6"], text: "bob")
            }
            try exchange.respond(headers: ["ETag: \"1\""], text: "bobbob")
        }
        let service = service(server, BearerToken())
        service.configure { ($0.retry, $0.retry.firstDelay) = (.standard, 0.1) }
        try await service.signIn("ada", with: Credential("ada"))
        let file = folder.url.appendingPathComponent("file")
        let download = service.resource("/public/export").download(to: file)
        await arrived.wait()
        try await service.signIn("bob", with: Credential("bob"))
        isOther.open()
        #expect(await download.completion().failure == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "bobbob")
        #expect(server.requests.map(Self.token) == ["Bearer ada", "Bearer bob"])
    }

    @Test func `A resumed download starts over if the session has expired, because its credential is missing then`()
        async throws
    {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { exchange in
            switch (Self.token(of: exchange.request), exchange.request.header("Range") != nil) {
            case ("Bearer ada", false):
                try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nETag: \"1\"\r\n\r\nada")
                exchange.close()
            case ("Bearer ada", true): try exchange.respond(401)
            case (_, true):
                try exchange.respond(206, headers: ["ETag: \"1\"", "Content-Range: bytes 3-5/6"], text: "any")
            case (_, false): try exchange.respond(headers: ["ETag: \"1\""], text: "anyany")
            }
        }
        let service = service(server, BearerToken())
        service.configure { ($0.retry, $0.retry.firstDelay) = (.standard, 0.1) }
        try await service.signIn("ada", with: Credential("ada"))
        let file = folder.url.appendingPathComponent("file")
        #expect(await service.resource("/public/export").download(to: file).completion().failure == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "anyany")
        #expect(server.requests.map(Self.token) == ["Bearer ada", "Bearer ada", "nothing"])
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=3-", nil])
    }

    @Test func `While the bytes of another user arrive, no record allows the first user to resume them`() async throws {
        let folder = try TemporaryFolder()
        let (isOther, mayEnd) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            let user = Self.token(of: exchange.request).suffix(3)
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nETag: \"1\"\r\n\r\n\(user)")
            guard user == "bob" else {
                try exchange.wait(for: isOther)
                return exchange.close()
            }
            try exchange.wait(for: mayEnd)
            try exchange.send("bob")
        }
        let service = service(server, BearerToken())
        service.configure { ($0.retry, $0.retry.firstDelay) = (.standard, 0.1) }
        try await service.signIn("ada", with: Credential("ada"))
        let file = folder.url.appendingPathComponent("file")
        let part = folder.url.appendingPathComponent(".file.part")
        let download = service.resource("/public/export").download(to: file)
        try await Poll.until { (try? String(contentsOf: part, encoding: .utf8)) == "ada" }
        #expect(try folder.files == [".file.part", ".file.part.json"])
        try await service.signIn("bob", with: Credential("bob"))
        isOther.open()
        try await Poll.until { (try? String(contentsOf: part, encoding: .utf8)) == "bob" }
        #expect(try folder.files == [".file.part"])
        mayEnd.open()
        #expect(await download.completion().failure == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "bobbob")
    }

    @Test(arguments: [true, false])
    func `A stream or download that writes is not sent as another user, also if the resource is the same for all`(
        isStream: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        let (arrived, isOther) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            guard Self.token(of: exchange.request) == "Bearer ada" else { return try exchange.respond(text: "done") }
            arrived.open()
            try exchange.wait(for: isOther)
            try exchange.respond(401)
        }
        let service = service(server, BearerToken())
        try await service.signIn("ada", with: Credential("ada"))
        let resource = service.resource("/public/orders")
        let transfer = Task {
            if isStream { return _ = try await Self.content(of: resource.bytes(.post)) }
            let download = resource.download(to: file) { $0.httpMethod = "POST" }
            if case .failure(let error) = await download.completion().response { throw error }
        }
        await arrived.wait()
        try await service.signIn("bob", with: Credential("bob"))
        isOther.open()
        await #expect(throws: RequestError.self) { try await transfer.value }
        #expect(server.requests.map(Self.token) == ["Bearer ada"])
    }

    @Test func `A 401 of another server, after a redirect, means nothing for the session`() async throws {
        let other = try LoopbackServer { try $0.respond(401, text: "no") }
        let target = other.url("/elsewhere").absoluteString
        let server = try LoopbackServer { try $0.respond(302, headers: ["Location: \(target)"]) }
        let service = service(server, BearerToken())
        try await service.signIn("ada", with: Credential("new"))
        #expect(await service.resource("/a").load().completion().failure?.httpStatusCode == 401)
        #expect(service.session?.state == .signedIn("ada"))
        await #expect(throws: RequestError.self) { _ = try await Self.content(of: service.resource("/a").bytes) }
        #expect(service.session?.state == .signedIn("ada"))
        let folder = try TemporaryFolder()
        let download = service.resource("/a").download(to: folder.url.appendingPathComponent("file"))
        #expect(await download.completion().failure?.httpStatusCode == 401)
        #expect(service.session?.state == .signedIn("ada"))
        #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
    }
}
