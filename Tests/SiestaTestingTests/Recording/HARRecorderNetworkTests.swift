import Foundation
import HTTPRules
import Isolation
import LoopbackServer
import ProviderConformance
import SiestaTransfers

import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

/// That a service behind a recorder behaves as without it, with real sockets.
@MainActor @Suite(.timeLimit(.test))
struct HARRecorderNetworkTests {
    nonisolated static let kinds = ["default", "URLSession"]

    private func recorder(_ kind: String) -> HARRecorder {
        kind == "default" ? HARRecorder() : HARRecorder(around: URLSessionConfiguration.ephemeral)
    }

    @Test func `Metrics become timings, and redirects a comment`() async throws {
        let server = try LoopbackServer { exchange in
            let isStart = exchange.request.target == "/start"
            try exchange.respond(isStart ? 302 : 200, headers: isStart ? ["Location: /end"] : [], text: "hello")
        }
        let recorder = HARRecorder()
        let service = Service(baseURL: server.url(), networking: recorder)
        recorder.start()
        #expect(await service.resource("/start").request(.get).completion().metrics?.redirects == 1)
        let entry = try #require(recorder.archive.entries.first)
        #expect(entry.comment == "A redirect was followed.")
        #expect(entry.response.httpVersion == "HTTP/1.1")
        #expect(entry.response.body.text == "hello")
        #expect(entry.time > 0)
        #expect(abs(entry.time - entry.timings.wait - entry.timings.receive) < 10)
    }

    @Test(arguments: kinds)
    func `The recorder has the abilities of the other provider`(_ kind: String) {
        let service = ServiceTransport(recorder(kind).siestaNetworkingProvider, cookies: .inMemory)
        #expect(service.transport.capabilities == [.extras, .streaming])
        #expect(service.cookieKeeper != nil)
        #expect(!service.addedFields.keepsCookies)
        let plain = ServiceTransport(HARRecorder(around: WholeNetwork()).siestaNetworkingProvider, cookies: .inMemory)
        #expect(plain.transport.capabilities.isEmpty)
        #expect(plain.cookieKeeper == nil)
    }

    @Test func `The recorder declares the header fields that the other provider adds`() {
        let networking = DefaultNetworking(userAgent: "browser")
        let provider = HARRecorder(around: networking).siestaNetworkingProvider
        #expect(provider.transport.addedFields.headers == ["User-Agent": "browser"])
    }

    @Test(arguments: kinds)
    func `Cookies are kept behind a recorder, and not recorded`(_ kind: String) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(
                headers: ["Set-Cookie: id=s3cret", "Content-Type: text/plain"],
                text: exchange.request.header("Cookie") == nil ? "new" : "known")
        }
        let recorder = recorder(kind)
        let service = Service(baseURL: server.url(), networking: recorder, cookies: .inMemory)
        recorder.start()
        #expect(await service.resource("/").request(.get).completion().bodyText == "new")
        #expect(await service.resource("/").request(.get).completion().bodyText == "known")
        #expect(await service.cookies.map(\.name) == ["id"])
        let text = String(decoding: try recorder.archive.data, as: UTF8.self)
        #expect(recorder.archive.entries.count == 2)
        #expect(!text.contains("s3cret"))
    }

    @Test(arguments: kinds)
    func `A credential does not follow a redirect out of its scope behind a recorder`(_ kind: String) async throws {
        let server = try LoopbackServer { exchange in
            let next = exchange.request.target == "/v1/start" ? ["Location: /other"] : []
            try exchange.respond(next.isEmpty ? 200 : 307, headers: next)
        }
        let recorder = recorder(kind)
        recorder.start()
        let transport = recorder.siestaNetworkingProvider.transport
        var request = URLRequest(url: server.url("/v1/start"))
        request.setValue("Bearer s", forHTTPHeaderField: "Authorization")
        var call = TransportCall(request)
        let scope = SecretScope(fields: ["authorization"], prefixes: [server.url("/v1/").absoluteString])
        call.extras = RequestExtras(secretScope: scope)
        let status: Int? = await withCheckedContinuation { continuation in
            _ = transport.start(call) { continuation.resume(returning: $0.head?.status) }
        }
        #expect(status == 200)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer s", nil])
        #expect(recorder.archive.entries.first?.response.url == server.url("/other").absoluteString)
    }

    @Test(arguments: kinds)
    func `Streamed responses are recorded up to the limit`(_ kind: String) async throws {
        let content = String(repeating: "0123456789", count: 20_000)
        let server = try LoopbackServer { try $0.respond(text: content) }
        let networking: any NetworkingProviderConvertible =
            kind == "default" ? DefaultNetworking() : URLSessionConfiguration.ephemeral
        let recorder = HARRecorder(around: networking, bodies: .inline(limit: 1005))
        let service = Service(baseURL: server.url(), networking: recorder)
        recorder.start()
        var count = 0
        for try await piece in service.resource("/").bytes { count += piece.count }
        #expect(count == content.utf8.count)
        try await Poll.until { !recorder.archive.entries.isEmpty }
        let body = try #require(recorder.archive.entries.first).response.body
        #expect(body.size == content.utf8.count)
        #expect(body.text == String(content.prefix(1005)))
        #expect(body.isCut)
    }

    @Test(arguments: kinds)
    func `Uploads are recorded, also from a file`(_ kind: String) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-har-\(UUID().uuidString)")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try LoopbackServer { try $0.respond(text: String(decoding: $0.request.body, as: UTF8.self)) }
        let recorder = recorder(kind)
        let service = Service(baseURL: server.url(), networking: recorder)
        recorder.start()
        let info = await service.resource("/").request(.put, body: .file(file, contentType: "text/plain")).completion()
        #expect(info.failureCause == nil)
        #expect(server.requests.map(\.body) == [Data("from a file".utf8)])
        #expect(recorder.archive.entries.first?.request.body?.text == "from a file")
    }

    #if os(Linux)
    /// All rules, or at the lowest level half of them, the other half every other day.
    private nonisolated static let rules = ProviderConformance.all.enumerated().filter {
        TestLevel.current >= .nightly || $0.offset % 2 == Int(TestSeed.current) % 2
    }.map(\.element)

    @Test(arguments: rules)
    func `The rules for providers hold behind a recorder`(_ promise: ProviderConformance.Case) async throws {
        var options = TransportOptions()
        options.hostOverrides["no-host-\(UUID().uuidString):1"] = "127.0.0.1"  // shares no connections with other tests
        let recorder = HARRecorder(around: CurlProvider(options: options))
        recorder.start()
        try await promise.run(on: ConformanceBench(recorder.siestaNetworkingProvider))
    }
    #endif
}
