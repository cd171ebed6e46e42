import Foundation
import HTTPRules
import Isolation
import LoopbackServer
import ProviderConformance
import SiestaTesting
import Testing
import Waiting

@testable import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

/// What a recorder writes down, and that a service behind a recorder behaves as without it.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct HARRecorderTests {
    @Test func `An exchange is recorded with method, URL, header fields and bodies`() async throws {
        let bench = RecordingBench()
        try await bench.send(
            .post, "https://api.test/users?page=2", body: Data(#"{"name":"Ada"}"#.utf8),
            headers: ["Content-Type": "application/json", "Authorization": "Bearer s3cret"],
            answer: .json(
                #"{"id":7,"token":"s3cret"}"#, status: 201, headers: ["Set-Cookie": "id=s3cret", "ETag": "\"1\""]))
        let entry = try bench.entry()
        #expect(entry.request.method == "POST")
        #expect(entry.request.url == "https://api.test/users?page=2")
        #expect(entry.request.headers.contains(.init(name: "Authorization", value: "REDACTED")))
        #expect(entry.request.body?.text == #"{"name":"Ada"}"#)
        #expect(entry.response.status == 201)
        #expect(entry.response.headers.contains { $0.name.lowercased() == "etag" && $0.value == "\"1\"" })
        #expect(entry.response.body.text == #"{"id":7,"token":"REDACTED"}"#)
        #expect(entry.error == nil)
        #expect(!(try bench.text().contains("s3cret")))
    }

    @Test func `Nothing is recorded before the start and after the stop`() async throws {
        let bench = RecordingBench()
        bench.recorder.stop()
        try await bench.send("https://api.test/a")
        #expect(bench.recorder.archive.entries.isEmpty)
        bench.recorder.start()
        try await bench.send("https://api.test/b")
        bench.recorder.stop()
        try await bench.send("https://api.test/c")
        #expect(bench.recorder.archive.entries.map(\.request.url) == ["https://api.test/b"])
        bench.recorder.start()
        #expect(bench.recorder.archive.entries.isEmpty)
    }

    @Test func `A request in progress is not in the archive until it ends`() async throws {
        let bench = RecordingBench()
        bench.network.handler = { _ in .held }
        let request = bench.service.resource("/a").request(.get)
        _ = try await bench.network.exchange(1)
        #expect(bench.recorder.archive.entries.isEmpty)
        request.cancel()
        await request.completion()
        #expect(try bench.entry().errorCode == URLError.Code.cancelled.rawValue)
        #expect(try bench.entry().response.status == 0)
    }

    @Test func `An error is recorded with its code, without the URL's secrets`() async throws {
        let bench = RecordingBench()
        try await bench.send("https://api.test/a?token=s3cret", answer: .failure(.timedOut))
        let entry = try bench.entry()
        #expect(entry.errorCode == URLError.Code.timedOut.rawValue)
        #expect(entry.error?.contains("NSURLErrorDomain -1001") == true)
        #expect(!(try bench.text().contains("s3cret")))
    }

    @Test func `The oldest entries are dropped and counted when there are too many`() async throws {
        let bench = RecordingBench(maximumEntryCount: 2)
        for number in 1...5 { try await bench.send("https://api.test/\(number)") }
        #expect(bench.recorder.archive.entries.map(\.request.url) == ["https://api.test/4", "https://api.test/5"])
        #expect(bench.recorder.droppedEntryCount == 3)
        #expect(bench.recorder.archive.comment?.contains("3 older entries") == true)
        bench.recorder.start()
        #expect(bench.recorder.droppedEntryCount == 0)
    }

    @Test func `The oldest entries are dropped when their bodies are too large`() async throws {
        let bench = RecordingBench(maximumSize: 30_000)
        let body = String(repeating: "x", count: 10_000)
        for number in 1...4 { try await bench.send("https://api.test/\(number)", answer: .text(body)) }
        #expect(bench.recorder.archive.entries.map(\.request.url) == ["https://api.test/3", "https://api.test/4"])
        try await bench.send("https://api.test/5", answer: .text(String(repeating: "x", count: 100_000)))
        #expect(bench.recorder.archive.entries.isEmpty)
        #expect(bench.recorder.droppedEntryCount == 5)
    }

    @Test func `A large body is cut, and its size noted`() async throws {
        let bench = RecordingBench(bodies: .inline(limit: 4))
        try await bench.send("https://api.test/a", answer: .text("0123456789"))
        let body = try bench.entry().response.body
        #expect(body.text == "0123")
        #expect(body.size == 10)
        #expect(body.isCut)
        #expect(body.comment?.contains("4 of 10") == true)
    }

    @Test func `With digests, the recording contains no bodies`() async throws {
        let bench = RecordingBench(bodies: .digest)
        try await bench.send(.post, "https://api.test/a", body: Data("abc".utf8), answer: .text("a private text"))
        let entry = try bench.entry()
        #expect(entry.request.body?.digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(entry.request.body?.content == nil)
        #expect(entry.response.body.size == 14)
        #expect(!(try bench.text().contains("private")))
    }

    @Test func `A marked secret is nowhere in the file`() async throws {
        let bench = RecordingBench()
        bench.recorder.redaction.secrets = ["correct horse"]
        try await bench.send(
            .post, "https://api.test/correct%20horse", body: Data("say correct horse".utf8),
            headers: ["X-Note": "correct horse", "Content-Type": "text/plain"],
            answer: .text(Data("ada:correct horse".utf8).base64EncodedString(), headers: ["X-Echo": "correct+horse"]))
        let text = try bench.text()
        for form in ["correct horse", "correct%20horse", "correct+horse", "Y29ycmVjdCBob3Jz", "b3JyZWN0IGhvcnN"] {
            #expect(!text.contains(form), "\(form)")
        }
        #expect(text.contains("https://api.test/REDACTED"))
    }

    @Test func `The file is private, complete and replaces a former one`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-har-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("session.har")
        try Data("old".utf8).write(to: file)
        let bench = RecordingBench()
        try await bench.send("https://api.test/a", answer: .text("hello"))
        try await bench.recorder.write(to: file)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try HARArchive(contentsOf: file).data == bench.recorder.archive.data)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["session.har"])
        await #expect(throws: FileSystemError.self) {
            try await bench.recorder.write(to: folder.appendingPathComponent("missing/session.har"))
        }
    }

    @Test func `Times come from the clock of the service`() async throws {
        let clock = TestClock(wallTime: 1000)
        let network = StubNetwork()
        network.answer(.get, "/a", with: .held)
        let recorder = HARRecorder(around: network)
        let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: recorder) }
        recorder.start()
        let request = service.resource("/a").request(.get)
        let exchange = try await network.exchange(1)
        clock.advance(by: 2.5)
        exchange.respond(with: .json("{}"))
        await request.completion()
        let entry = try #require(recorder.archive.entries.first)
        #expect(entry.started == Date(timeIntervalSinceReferenceDate: 1000))
        #expect(entry.time == 2.5)
        #expect(entry.timings == HARArchive.Timings(wait: 2.5))
    }

    private struct Sealed: SealedBody {
        let inner = SegmentedBody(segments: [.bytes(Data("abc".utf8))])
        var length: Int64? { 3 }
        var isRepeatable: Bool { true }
        func makeReader() throws -> any BodyReader { inner.makeReader() }
    }

    @Test func `An encrypted body is never copied to a file, also when it is recorded`() async throws {
        let seen = BodyWitness()
        let observed = ObservedBody.observing(Sealed(), with: seen)
        #expect(observed is any SealedBody)
        let reader = try observed.makeReader()
        #expect(try await reader.next() == Data("abc".utf8))
        #expect(seen.pieces.withLock { $0 } == [Data("abc".utf8)])
    }

    private final class BodyWitness: ExchangeObserver {
        let pieces = Locked<[Data]>([])

        func receive(_ event: ExchangeEvent) {
            if case .sent(let piece) = event { pieces.withLock { $0.append(piece) } }
        }

        func started(_ networking: any RequestNetworking) {}
    }

    // MARK: Real sockets

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
        let starter = RequestStarter(recorder(kind).siestaNetworkingProvider, cookies: .inMemory)
        #expect(starter.extrasProvider != nil)
        #expect(starter.streamingProvider != nil)
        #expect(starter.cookieKeeper != nil)
        #expect(starter.addedFields?.keepsCookies == false)
        let plain = RequestStarter(HARRecorder(around: StubNetwork()).siestaNetworkingProvider, cookies: .inMemory)
        #expect(plain.extrasProvider == nil)
        #expect(plain.streamingProvider == nil)
        #expect(plain.cookieKeeper == nil)
    }

    @Test func `The recorder declares the header fields that the other provider adds`() {
        let networking = DefaultNetworking(userAgent: "browser")
        let starter = RequestStarter(HARRecorder(around: networking).siestaNetworkingProvider)
        #expect(starter.addedFields?.headers == ["User-Agent": "browser"])
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
        let starter = RequestStarter(recorder.siestaNetworkingProvider)
        var request = URLRequest(url: server.url("/v1/start"))
        request.setValue("Bearer s", forHTTPHeaderField: "Authorization")
        let sent = request
        var extras = RequestExtras()
        extras.secretScope = SecretScope(fields: ["authorization"], prefixes: [server.url("/v1/").absoluteString])
        let status: Int? = await withCheckedContinuation { continuation in
            _ = starter.start(sent, extras: extras) { continuation.resume(returning: $0.head?.status) }
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
        let info = await service.resource("/").upload(.put, file: file, contentType: "text/plain").completion()
        #expect(info.failureCause == nil)
        #expect(server.requests.map(\.body) == [Data("from a file".utf8)])
        #expect(recorder.archive.entries.first?.request.body?.text == "from a file")
    }

    #if os(Linux)
    @Test(arguments: ProviderConformance.all)
    func `The rules for providers hold behind a recorder`(_ promise: ProviderConformance.Case) async throws {
        var options = TransportOptions()
        options.hostOverrides["no-host-\(UUID().uuidString):1"] = "127.0.0.1"  // shares no connections with other tests
        let recorder = HARRecorder(around: CurlProvider(options: options))
        recorder.start()
        try await promise.run(on: ConformanceBench(recorder.siestaNetworkingProvider))
    }
    #endif
}
