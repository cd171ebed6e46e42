import Foundation
import HTTPRules
import Isolation
import LoopbackServer
import ProviderConformance
import SiestaCore
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaRecording
@testable import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests that a recording answers.
@MainActor @Suite(.timeLimit(.test))
struct HARReplayTests {
    private func entry(
        _ method: String, _ url: String, status: Int = 200, text: String = "", body: String? = nil,
        headers: [HARArchive.Header] = [], requestHeaders: [HARArchive.Header] = []
    ) -> HARArchive.Entry {
        let type = HARArchive.Header(name: "Content-Type", value: "text/plain")
        return HARArchive.Entry(
            request: HARArchive.Request(
                method: method, url: "https://api.test\(url)", headers: requestHeaders,
                body: body.map { HARArchive.Body(Data($0.utf8), contentType: "application/json") }),
            response: HARArchive.Response(
                status: status, headers: headers + [type], body: HARArchive.Body(Data(text.utf8))))
    }

    private func entry(
        _ url: String, status: Int = 200, text: String = "", headers: [HARArchive.Header] = [],
        requestHeaders: [HARArchive.Header] = []
    ) -> HARArchive.Entry {
        entry("GET", url, status: status, text: text, headers: headers, requestHeaders: requestHeaders)
    }

    private func service(_ replay: HARReplay) -> Service { Service(baseURL: "https://api.test", networking: replay) }

    private func ask(
        _ service: Service, _ path: String, _ method: RequestMethod = .get, body: String? = nil,
        headers: [String: String] = [:]
    ) async -> ResponseInfo {
        let url = URL(string: "https://api.test\(path)")
        return await service.resource(absoluteURL: url).request(method) { request in
            request.httpBody = body.map { Data($0.utf8) }
            if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        }.completion()
    }

    // MARK: By method and URL

    @Test func `Requests receive the recorded responses in order, and then the last one again`() async {
        let archive = HARArchive(entries: [
            entry("/a", text: "1"), entry("/b", text: "other"), entry("POST", "/a", text: "posted"),
            entry("/a", text: "2"),
        ])
        let replay = HARReplay(archive)
        let service = service(replay)
        for text in ["1", "2", "2", "2"] { #expect(await ask(service, "/a").bodyText == text) }
        #expect(await ask(service, "/a", .post).bodyText == "posted")
        #expect(replay.unusedRequests == ["GET https://api.test/b"])
    }

    @Test func `A recording may have URLs with characters that a URL cannot contain`() async {
        let replay = HARReplay(HARArchive(entries: [entry("/q?f[a]=x%20y", text: "1")]))
        let resource = service(replay).resource(absoluteURL: "https://api.test/q?f%5Ba%5D=x%20y")
        #expect(await resource.request(.get).completion().bodyText == "1")
    }

    @Test func `Of several entries, those with the same body are used`() async {
        let replay = HARReplay(
            HARArchive(entries: [
                entry("POST", "/graph", text: "a", body: #"{"q":"a","n":1}"#),
                entry("POST", "/graph", text: "b", body: #"{"q":"b"}"#),
            ]))
        let service = service(replay)
        #expect(await ask(service, "/graph", .post, body: #"{"q": "b"}"#).bodyText == "b")
        #expect(await ask(service, "/graph", .post, body: #"{"n":1.0,"q":"a"}"#).bodyText == "a")
        #expect(await ask(service, "/graph", .post, body: #"{"q":"c"}"#).bodyText == "b")
    }

    @Test func `A 304 answers only a request with the same condition`() async {
        let condition = HARArchive.Header(name: "if-none-match", value: "\"1\"")
        let archive = HARArchive(entries: [
            entry("/a", status: 304, requestHeaders: [condition]), entry("/a", text: "full"),
        ])
        #expect(await ask(service(HARReplay(archive)), "/a").bodyText == "full")
        let other = await ask(service(HARReplay(archive)), "/a", headers: ["If-None-Match": "\"2\""])
        #expect(other.bodyText == "full")
        let first = HARArchive(entries: [archive.entries[0]])
        #expect(await ask(service(HARReplay(first)), "/a").failureCause is HARReplay.NotRecorded)
        let tag = HARArchive.Header(name: "ETag", value: "\"1\"")
        let both = HARArchive(entries: [archive.entries[0], entry("/a", text: "full", headers: [tag])])
        let (replay, resource) = replayed(both, "/a")
        #expect(await resource.load().completion().bodyText == "full")
        let second = await resource.load().completion()
        #expect(second.bodyText == "full")
        #expect(!second.isNew)
        #expect(replay.unusedEntries.isEmpty)
    }

    private func replayed(_ archive: HARArchive, _ path: String) -> (replay: HARReplay, resource: Resource) {
        let replay = HARReplay(archive)
        return (replay, service(replay).resource(path))
    }

    @Test(arguments: [HARReplay.Matching.byMethodAndURL, .strict])
    func `A download that was lost and resumed is replayed`(_ matching: HARReplay.Matching) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        let tag = HARArchive.Header(name: "ETag", value: "\"1\"")
        var lost = entry("/a", text: "abc", headers: [tag, .init(name: "Content-Length", value: "6")])
        lost.errorCode = URLError.Code.networkConnectionLost.rawValue
        let rest = entry(
            "/a", status: 206, text: "def", headers: [tag, .init(name: "Content-Range", value: "bytes 3-5/6")],
            requestHeaders: [.init(name: "Range", value: "bytes=3-")])
        let replay = HARReplay(HARArchive(entries: [lost, rest]), matching: matching)
        let resource = service(replay).resource("/a")
        let first = await resource.download(to: file).completion()
        #expect((first.failureCause as? URLError)?.code == .networkConnectionLost)
        #expect(await resource.download(to: file).completion().failureCause == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "abcdef")
    }

    @Test func `A 206 answers only a request for the same range`() async {
        let archive = HARArchive(entries: [
            entry(
                "/a", status: 206, text: "b", headers: [.init(name: "Content-Range", value: "bytes 1-1/3")],
                requestHeaders: [.init(name: "range", value: "bytes=1-1")]), entry("/a", text: "abc"),
        ])
        #expect(await ask(service(HARReplay(archive)), "/a").bodyText == "abc")
        #expect(await ask(service(HARReplay(archive)), "/a", headers: ["Range": "bytes=0-1"]).bodyText == "abc")
        #expect(await ask(service(HARReplay(archive)), "/a", headers: ["Range": "bytes=1-1"]).bodyText == "b")
    }

    @Test func `A cancelled request is no answer`() async {
        var cancelled = entry("/a", status: 0)
        cancelled.errorCode = URLError.Code.cancelled.rawValue
        let replay = HARReplay(HARArchive(entries: [cancelled, entry("/a", text: "x")]))
        #expect(await ask(service(replay), "/a").bodyText == "x")
    }

    @Test func `A recorded error fails with the same code`() async {
        var failed = entry("/a", status: 0)
        failed.errorCode = URLError.Code.timedOut.rawValue
        let info = await ask(service(HARReplay(HARArchive(entries: [failed]))), "/a")
        #expect((info.failureCause as? URLError)?.code == .timedOut)
    }

    // MARK: Strict

    @Test func `A strict replay demands the order and the bodies`() async throws {
        let archive = HARArchive(entries: [
            entry("/a", text: "1"), entry("POST", "/b", text: "2", body: #"{"n":1}"#), entry("/a", text: "3"),
        ])
        let right = service(HARReplay(archive, matching: .strict))
        #expect(await ask(right, "/a").bodyText == "1")
        #expect(await ask(right, "/b", .post, body: #"{ "n": 1 }"#).bodyText == "2")
        #expect(await ask(right, "/a").bodyText == "3")
        let surplus = try #require(await ask(right, "/a").failureCause as? HARReplay.NotRecorded)
        #expect(surplus.description.contains("All 3 entries of the recording were used."))

        let wrongOrder = service(HARReplay(archive, matching: .strict))
        let order = try #require(await ask(wrongOrder, "/b", .post).failureCause as? HARReplay.NotRecorded)
        #expect(order.description.contains("The next entry of the recording, number 1, is GET https://api.test/a."))
        #expect(await ask(wrongOrder, "/a").bodyText == "1")
        let body = await ask(wrongOrder, "/b", .post, body: #"{"n":2}"#).failureCause as? HARReplay.NotRecorded
        #expect(body?.description.contains("another body") == true)
    }

    @Test func `The digests of equal contents are equal`() async {
        func recorded(_ url: String, _ body: String, _ type: String) -> HARArchive.Entry {
            var entry = entry("POST", url, text: "x")
            entry.request.body = HARArchive.Body(nil, contentType: type)
            entry.request.body?.size = body.utf8.count
            entry.request.body?.digest = HARBodyComparison.digest(of: Data(body.utf8), contentType: type)
            return entry
        }
        let part = "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
        let archive = HARArchive(entries: [
            recorded("/json", #"{"a":1,"b":[2]}"#, "application/json"),
            recorded("/form", "--one\(part)--one--", "multipart/form-data; boundary=one"),
        ])
        let service = service(HARReplay(archive, matching: .strict))
        #expect(await ask(service, "/json", .post, body: #"{"b":[2],"a":2}"#).failureCause is HARReplay.NotRecorded)
        #expect(await ask(service, "/json", .post, body: #"{ "b": [2], "a": 1 }"#).bodyText == "x")
        let form = await ask(
            service, "/form", .post, body: "--two\(part)--two--",
            headers: ["Content-Type": "multipart/form-data; boundary=two"])
        #expect(form.bodyText == "x")
    }

    // MARK: Requests that were not recorded

    @Test func `The error of a request that was not recorded shows at most five nearest entries`() async throws {
        let urls = (0..<20).map { "/users/\($0)\(String(repeating: "x", count: $0))" }
        let entries = urls.map { entry($0) } + [entry("POST", "/users/2y")]
        let error = try #require(
            await ask(service(HARReplay(HARArchive(entries: entries))), "/users/1y").failureCause
                as? HARReplay.NotRecorded)
        #expect(error.nearest.count == 5)
        #expect(error.nearest.first == "GET https://api.test/users/1x")
        #expect(error.nearest.allSatisfy { $0.hasPrefix("GET") })
        #expect(
            error.localizedDescription.hasPrefix("GET https://api.test/users/1y is not in the recording. The nearest"))
    }

    @Test(arguments: [HARRecorder.Redaction.standard, .none])
    func `The error contains no secrets and no line breaks`(_ redaction: HARRecorder.Redaction) async throws {
        let archive = HARArchive(entries: [entry("/a?token=s3cret&q=\n\u{1B}[2J")])
        let replay = HARReplay(archive, redaction: redaction)
        let cause = await ask(service(replay), "/b?token=s3cret").failureCause
        let error = try #require(cause as? HARReplay.NotRecorded)
        #expect(!error.description.contains("s3cret"))
        #expect(!error.description.contains { $0.isNewline || $0 == "\u{1B}" })
    }

    @Test func `The error does not contain the secrets of the app's redaction`() async throws {
        var redaction = HARRecorder.Redaction.standard
        (redaction.secrets, redaction.secretNames) = (["s3cret-user"], ["birthday"])
        let replay = HARReplay(HARArchive(entries: [entry("/users/s3cret-user")]), redaction: redaction)
        let cause = await ask(service(replay), "/people/s3cret-user?birthday=1990-01-02").failureCause
        let error = try #require(cause as? HARReplay.NotRecorded)
        #expect(error.url == "https://api.test/people/REDACTED?birthday=REDACTED")
        #expect(!error.description.contains("s3cret-user"))
    }

    @Test func `The search for the nearest entries is bounded`() async throws {
        let long = String(repeating: "abcdefghij", count: 500)
        let entries = (0..<TestLevel.count(100, nightly: 400)).map { entry("/\($0)\(long)\($0)") }
        let error = await ask(service(HARReplay(HARArchive(entries: entries))), "/x\(long.reversed())").failureCause
        let found = try #require(error as? HARReplay.NotRecorded)
        #expect(found.nearest.count == 5)
        #expect(found.description.utf8.count < 5000)
    }

    @Test(arguments: [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("same", "same", 0), ("aXb", "aYYb", 2)])
    func `The distance of two texts`(_ left: String, _ right: String, _ distance: Int) {
        #expect(NearestAddresses.distance(Array(left.utf8), Array(right.utf8)) == distance)
        #expect(NearestAddresses.distance(Array(right.utf8), Array(left.utf8)) == distance)
    }

    // MARK: Responses

    @Test func `Header fields are joined, and a wrong length is left out`() async {
        let headers = [("X-A", "1"), ("x-a", "2"), ("Content-Length", "99"), (":status", "200"), ("Set-Cookie", "a=b")]
        let replay = HARReplay(
            HARArchive(entries: [entry("/a", text: "x", headers: headers.map { .init(name: $0.0, value: $0.1) })]))
        guard case .success(let entity) = await ask(service(replay), "/a").response else {
            Issue.record("There should be a response")
            return
        }
        #expect(entity.header(forKey: "x-a") == "1, 2")
        #expect(entity.header(forKey: "content-length") == nil)
    }

    @Test(
        arguments: [
            (-5, nil, "status"), (99, nil, "status"), (1_000_000, nil, "status"),
            (200, HARArchive.Header(name: "X\r\nY", value: "a"), "header"),
            (200, HARArchive.Header(name: "X", value: "a\r\nb"), "header"),
        ] as [(Int, HARArchive.Header?, String)])
    func `An impossible response is an error`(_ status: Int, _ header: HARArchive.Header?, _ word: String) async throws
    {
        let archive = HARArchive(entries: [entry("/a", status: status, headers: header.map { [$0] } ?? [])])
        let error = try #require(await ask(service(HARReplay(archive)), "/a").failureCause as? HARReplay.UnusableEntry)
        #expect(error.description.contains(word))
    }

    @Test func `The members of a body with a secret may have another order than in a recording without redaction`()
        async
    {
        let body = #"{"user":"ada","password":"x"}"#
        let archive = HARArchive(entries: [entry("POST", "/log-in", text: "1", body: body)])
        let service = service(HARReplay(archive, matching: .strict))
        #expect(await ask(service, "/log-in", .post, body: #"{"password":"x","user":"ada"}"#).bodyText == "1")
    }

    @Test func `Without redaction, bodies with different secrets are different`() async {
        let entries = ["bad", "good"].map { entry("POST", "/log-in", text: $0, body: #"{"password":"\#($0)"}"#) }
        let service = service(HARReplay(HARArchive(entries: entries)))
        #expect(await ask(service, "/log-in", .post, body: #"{"password":"good"}"#).bodyText == "good")
    }

    @Test func `A missing or cut body is an error`() async throws {
        var (missing, cut) = (entry("/missing"), entry("/cut", text: "abc"))
        (missing.response.body.content, missing.response.body.size) = (nil, 9)
        cut.response.body.isCut = true
        let service = service(HARReplay(HARArchive(entries: [missing, cut])))
        for path in ["/missing", "/cut"] {
            #expect(await ask(service, path).failureCause is HARReplay.UnusableEntry, "\(path)")
        }
    }

    @Test func `Recorded times pass by the clock of the service`() async throws {
        var slow = entry("/a", text: "x")
        slow.time = 2
        let clock = TestClock()
        let replay = HARReplay(HARArchive(entries: [slow]), timing: .recorded)
        let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: replay) }
        let request = service.resource("/a").request(.get)
        try await clock.waitForTimers(1)
        clock.advance(by: 1.9)
        await mainQueueTurn()
        #expect(!request.isCompleted)
        clock.advance(by: 0.1)
        #expect(await request.completion().bodyText == "x")
    }

    @Test func `A delayed request that is cancelled ends at once`() async throws {
        var slow = entry("/a", text: "x")
        slow.time = .infinity
        let replay = HARReplay(HARArchive(entries: [slow]), timing: .recorded)
        let request = service(replay).resource("/a").request(.get)
        request.cancel()
        #expect(await request.completion().bodyText == nil)
    }

    @Test(arguments: ProviderConformance.forDoubles)
    func `A replay obeys the rules for providers`(_ promise: ProviderConformance.Case) async throws {
        let answers = ReplayedOffers()
        let bench = ConformanceBench(answers) { try answers.url(offering: $0) }
        try await promise.run(on: bench)
    }
}

/// A provider that replays the offers of the conformance cases.
@MainActor
private final class ReplayedOffers: NetworkingProvider {
    private var replays: [String: HARReplay] = [:]

    func url(offering offer: ConformanceBench.Offer) throws -> URL {
        let url = "https://api.test/\(UUID().uuidString)"
        var entry = HARArchive.Entry(request: .init(url: url), response: .init(status: 0))
        var timing = HARReplay.Timing.immediate
        switch offer {
        case .response(let status, let headers, let body):
            let fields = headers.map { HARArchive.Header(name: $0.key, value: $0.value) }
            entry.response = .init(status: status, headers: fields, body: .init(body))
        case .failure: entry.errorCode = URLError.Code.networkConnectionLost.rawValue
        case .silence: (timing, entry.time, entry.response.status) = (.recorded, 3600, 200)
        }
        replays[url] = HARReplay(HARArchive(entries: [entry]), timing: timing)
        return try #require(URL(string: url))
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        let replay = replays[request.url?.absoluteString ?? ""] ?? HARReplay(HARArchive())
        return replay.siestaNetworkingProvider.startRequest(request, completion: completion)
    }
}
