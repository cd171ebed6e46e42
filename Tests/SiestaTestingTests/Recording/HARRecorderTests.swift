import Foundation
import Isolation

import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking
@testable import SiestaRecording

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The entries that a recorder makes.
@MainActor @Suite(.timeLimit(.test))
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

    @Test func `Of a large body of a request, only the first part stays in memory`() throws {
        var request = URLRequest(url: try #require(URL(string: "https://api.test/")))
        request.httpBody = Data(repeating: 1, count: 1000)
        let exchange = RecordedExchange(request, clock: .current, bodyLimit: 10)
        #expect(exchange.request.httpBody == nil)
        #expect(exchange.requestBody.content.count == 10)
        #expect(exchange.requestBody.size == 1000)
        #expect(exchange.cost < 1100)
        request.httpBody = nil
        request.httpBodyStream = InputStream(data: Data("a".utf8))
        #expect(RecordedExchange(request, clock: .current, bodyLimit: 10).request.httpBodyStream != nil)
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

    @Test(arguments: 5...16)
    func `A body that is cut inside a marked secret shows no part of it`(_ limit: Int) async throws {
        let bench = RecordingBench(bodies: .inline(limit: limit))
        bench.recorder.redaction.secrets = ["correct horse"]
        try await bench.send("https://api.test/a", answer: .text("say correct horse"))
        #expect(try bench.entry().response.body.text == "say REDACTED")
    }
}
