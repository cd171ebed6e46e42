import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sessions that are recorded with a server and replayed without it.
@MainActor @Suite(.timeLimit(.test))
struct RecordAndReplayTests {
    /// A server whose responses depend on the query, the body and the credential of a request.
    private static func server() throws -> LoopbackServer {
        let count = Locked(0)
        return try LoopbackServer { exchange in
            let request = exchange.request
            let number = count.withLock { count in
                count += 1
                return count
            }
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/start": try exchange.respond(302, headers: ["Location: /end?token=s3cret"])
            case "/missing": try exchange.respond(404, text: "no")
            case "/lost": exchange.reset()
            case "/tagged" where request.header("If-None-Match") != nil:
                try exchange.respond(304, headers: ["ETag: \"1\""])
            case "/tagged": try exchange.respond(headers: ["ETag: \"1\"", "Content-Type: text/plain"], text: "tagged")
            default:
                try exchange.respond(
                    headers: ["Content-Type: text/plain", "Set-Cookie: id=s3cret"],
                    text:
                        "\(number) \(request.method) \(request.target.replacing(#/token=[^&]*/#, with: "")) \(request.body.count)"
                )
            }
        }
    }

    /// Sends the requests of a session, and returns what an app sees of it.
    private func session(_ service: Service) async -> [String] {
        var seen: [String] = []
        func note(_ info: ResponseInfo) {
            switch info.response {
            case .success: seen.append(info.bodyText ?? "no text")
            case .failure(let error): seen.append("\(error.httpStatusCode ?? 0) \(error.userMessage)")
            }
        }
        for word in ["ada", "emma", "ada"] {
            note(
                await service.resource("/search").withParam("q", word).withParam("token", "s3cret").request(.get)
                    .completion())
        }
        note(await service.resource("/start").request(.get).completion())
        note(await service.resource("/missing").request(.get).completion())
        note(await service.resource("/lost").request(.get).completion())
        let tagged = service.resource("/tagged")
        note(await tagged.load().completion())
        note(await tagged.load().completion())
        note(
            await service.resource("/sign-in").request(.post, json: ["user": "ada", "password": "s3cret"]).completion())
        note(
            await service.resource("/sign-in").request(.post, json: ["user": "emma", "password": "s3cret"]).completion()
        )
        note(await service.resource("/form").request(.post, body: .multipart(form())).completion())
        return seen
    }

    private func form() -> MultipartForm {
        var form = MultipartForm()
        form.append("hello", name: "note")
        form.append("s3cret", name: "password")
        return form
    }

    private func service(_ url: URL, _ networking: any NetworkingProviderConvertible) -> Service {
        let service = Service(baseURL: url, networking: networking)
        service.configure { $0.headers["Authorization"] = "Bearer s3cret" }
        return service
    }

    @Test(arguments: [HARReplay.Matching.byMethodAndURL, .strict])
    func `A recorded session looks the same in a replay from its file`(_ matching: HARReplay.Matching) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try Self.server()
        let recorder = HARRecorder()
        recorder.redaction.secrets = ["s3cret"]
        recorder.start()
        let recorded = await session(service(server.url(), recorder))
        recorder.stop()
        try await recorder.write(to: file)
        let url = server.url()
        server.stop()

        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("s3cret"))
        let replay = try HARReplay(contentsOf: file, matching: matching)
        #expect(await session(service(url, replay)) == recorded)
        #expect(replay.unusedEntries.isEmpty)
        #expect(recorded.count == 11)
    }

    /// `.ci/har` names the file, and checks it with other tools.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["SIESTA_HAR_FILE"] != nil, "run by .ci/har"))
    func `A recorded session is written for other tools`() async throws {
        let path = try #require(ProcessInfo.processInfo.environment["SIESTA_HAR_FILE"])
        let server = try Self.server()
        let recorder = HARRecorder(bodies: .inline(limit: 100))
        recorder.start()
        let service = service(server.url(), recorder)
        _ = await session(service)
        let bytes = Data([0xFF, 0, 0x80])
        _ = await service.resource("/binary").request(.put, data: bytes, contentType: "image/png").completion()
        _ = await service.resource("/long").request(.put, text: String(repeating: "x", count: 200)).completion()
        try await recorder.write(to: URL(fileURLWithPath: path))
        #expect(recorder.archive.entries.count == 13)
    }

    @Test func `A session recorded with digests can be compared, but not answered`() async throws {
        let server = try Self.server()
        let recorder = HARRecorder(bodies: .digest)
        recorder.start()
        let original = service(server.url(), recorder)
        _ = await original.resource("/a").request(.post, text: "hello").completion()
        let replay = HARReplay(recorder.archive, matching: .strict)
        let other = service(server.url(), replay)
        let wrong = await other.resource("/a").request(.post, text: "bye").completion()
        #expect(wrong.failureCause is HARReplay.NotRecorded)
        let right = await other.resource("/a").request(.post, text: "hello").completion()
        #expect(right.failureCause is HARReplay.UnusableEntry)
    }

    @Test func `Streamed responses are replayed as streams`() async throws {
        let content = String(repeating: "line\n", count: 30_000)
        let server = try LoopbackServer { try $0.respond(text: content) }
        let recorder = HARRecorder()
        recorder.start()
        var lines = 0
        for try await _ in service(server.url(), recorder).resource("/log").lines { lines += 1 }
        #expect(lines == 30_000)
        try await Poll.until { !recorder.archive.entries.isEmpty }
        let replay = HARReplay(recorder.archive)
        server.stop()
        var replayed = 0
        for try await _ in service(server.url(), replay).resource("/log").lines { replayed += 1 }
        #expect(replayed == 30_000)
    }

    /// Reads a stream of a replay until it ends, or until it has brought `count` bytes.
    private func replayed(_ archive: HARArchive, count: Int = .max) async throws -> (text: String, error: URLError?) {
        let service = Service(baseURL: "https://api.test", networking: HARReplay(archive))
        var bytes = Data()
        do throws(RequestError) {
            for try await piece in service.resource("/events").bytes {
                bytes += piece
                if bytes.count >= count { break }
            }
            return (String(decoding: bytes, as: UTF8.self), nil)
        } catch {
            return (String(decoding: bytes, as: UTF8.self), error.cause as? URLError)
        }
    }

    /// Opens a stream that is recorded.
    private func openStream(_ bench: RecordingBench) async throws -> (StubExchange, Task<Void, any Error>) {
        bench.network.handler = { _ in .stream() }
        let events = bench.service.resource("/events")
        let reading = Task { for try await _ in events.bytes {} }
        return (try await bench.network.exchange(1), reading)
    }

    @Test func `An open event stream is recorded up to now, and stays open in a replay`() async throws {
        let bench = RecordingBench()
        let (stream, reading) = try await openStream(bench)
        stream.send("data: {\"password\": \"s3cret\", ")
        stream.send("\"n\": 1}\n\n")
        try await stream.delivered()
        let open = bench.recorder.archive
        let text = "data: {\"password\": \"REDACTED\", \"n\": 1}\n\n"
        #expect(open.entries.map(\.response.body.text) == [text])
        #expect(open.entries.first?.comment == "The stream was open when the recording was written.")
        #expect(!(try bench.text().contains("s3cret")))
        reading.cancel()
        _ = await reading.result
        try await Poll.until { bench.recorder.archive.entries.first?.comment == nil }
        let cancelled = bench.recorder.archive
        #expect(cancelled.entries.map(\.errorCode) == [URLError.Code.cancelled.rawValue])
        for archive in [open, cancelled, try HARArchive(data: open.data)] {
            let size = text.utf8.count
            #expect(try await replayed(archive, count: size).text == text)
            let service = Service(baseURL: "https://api.test", networking: HARReplay(archive))
            var count = 0
            let reading = Task { for try await piece in service.resource("/events").bytes { count += piece.count } }
            try await Poll.until { count == size }
            for _ in 0..<10 { await mainQueueTurn() }
            reading.cancel()
            let error = await #expect(throws: RequestError.self) { try await reading.value }
            #expect(error?.isCancellation == true)
        }
    }

    @Test func `A lost event stream is replayed with its events and its error`() async throws {
        let bench = RecordingBench()
        let (stream, reading) = try await openStream(bench)
        stream.send("data: 1\n\n")
        stream.fail(.networkConnectionLost)
        _ = await reading.result
        try await Poll.until { try bench.entry().errorCode == URLError.Code.networkConnectionLost.rawValue }
        let (text, error) = try await replayed(bench.recorder.archive)
        #expect(text == "data: 1\n\n")
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func `An event stream that has ended is replayed with its end`() async throws {
        let bench = RecordingBench()
        let (stream, reading) = try await openStream(bench)
        stream.send("data: 1\n\n")
        stream.finish()
        try await reading.value
        try await Poll.until { try bench.entry().errorCode == nil }
        let (text, error) = try await replayed(bench.recorder.archive)
        #expect(text == "data: 1\n\n")
        #expect(error == nil)
    }

    @Test func `Of a long event stream, the first part is recorded, and the rest is lost`() async throws {
        let bench = RecordingBench(bodies: .inline(limit: 12))
        let (stream, reading) = try await openStream(bench)
        for number in 1...5 { stream.send("data: \(number)\n\n") }
        stream.finish()
        try await reading.value
        try await Poll.until { try bench.entry().errorCode == nil }
        #expect(try bench.entry().response.body.isCut)
        let (text, error) = try await replayed(bench.recorder.archive)
        #expect(text == "data: 1\n\ndat")
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func `The events of a stream arrive after the recorded time of its head`() async throws {
        var timings = HARArchive.Timings(wait: 2, receive: 500)
        timings.connect = 1
        let entry = HARArchive.Entry(
            request: .init(url: "https://api.test/events"),
            response: .init(
                status: 200, headers: [.init(name: "Content-Type", value: "text/event-stream")],
                body: .init(Data("data: 1\n\n".utf8))),
            time: 503, timings: timings)
        let clock = TestClock()
        let replay = HARReplay(HARArchive(entries: [entry]), timing: .recorded)
        let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: replay) }
        let reading = Task { for try await _ in service.resource("/events").bytes {} }
        try await clock.waitForTimers(1)
        #expect(clock.timers == [3])
        clock.advance(by: 3)
        try await reading.value
    }

    @Test func `A streaming provider of an app can be recorded`() async throws {
        let entry = HARArchive.Entry(
            request: .init(url: "https://api.test/a"), response: .init(status: 200, body: .init(Data("x\ny\n".utf8))))
        let recorder = HARRecorder(around: HARReplay(HARArchive(entries: [entry])))
        recorder.start()
        let service = Service(baseURL: "https://api.test", networking: recorder)
        var lines: [String] = []
        for try await line in service.resource("/a").lines { lines.append(line) }
        #expect(lines == ["x", "y"])
        try await Poll.until { !recorder.archive.entries.isEmpty }
        #expect(recorder.archive.entries.map(\.response.body.text) == ["x\ny\n"])
        let pieces = AsyncStream<Data> { continuation in
            for text in ["ab", "cd"] { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
        let info = await service.resource("/a").request(.get, body: .stream(pieces)).completion()
        #expect(info.failureCause == nil)
        #expect(recorder.archive.entries.last?.request.body?.text == "abcd")
    }

    @Test func `A replayed stream that is cancelled ends once`() async throws {
        let entry = HARArchive.Entry(
            request: .init(url: "https://api.test/a"), response: .init(status: 200, body: .init(Data("x".utf8))))
        let replay = HARReplay(HARArchive(entries: [entry])).siestaNetworkingProvider
        let streaming = try #require(replay as? any StreamingNetworkingProvider)
        let url = try #require(URL(string: "https://api.test/a"))
        let answers = Locked<[String]>([])
        let receiver = WaitingReceiver()
        let running = streaming.startRequest(URLRequest(url: url), body: nil, receiver: receiver) { _, _, error in
            answers.withLock { $0.append("\((error as? URLError)?.code == .cancelled)") }
        }
        await receiver.began.wait()
        running.cancel()
        running.cancel()
        #expect(answers.withLock { $0 }.isEmpty)
        receiver.proceed.open()
        try await Poll.until { answers.withLock { !$0.isEmpty } }
        await mainQueueTurn()
        #expect(answers.withLock { $0 } == ["true"])
    }
}

/// A receiver that takes a while for the head of a response.
private struct WaitingReceiver: ResponseReceiver {
    let began = Gate()
    let proceed = Gate()

    func begin(_ response: HTTPURLResponse) async throws {
        began.open()
        await proceed.wait()
    }

    func receive(_ piece: Data) async throws {}
}
