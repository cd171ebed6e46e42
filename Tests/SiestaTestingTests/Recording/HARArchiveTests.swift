import Foundation
import SiestaNetworking
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reading and writing HAR files.
@Suite(.timeLimit(.model))
struct HARArchiveTests {
    private func read(_ text: String) throws -> HARArchive { try HARArchive(data: Data(text.utf8)) }

    private func entry(_ response: String, request: String = #"{"method":"GET","url":"https://api.test/"}"#) -> String {
        #"{"log":{"entries":[{"request":\#(request),"response":\#(response)}]}}"#
    }

    @Test func `An archive survives its file`() throws {
        var entry = HARArchive.Entry(
            request: .init(
                method: "POST", url: "https://api.test/?a=b%20c", headers: [.init(name: "Accept", value: "é")],
                body: .init(Data([0xFF, 0, 1]), contentType: "image/png")),
            response: .init(status: 201, body: .init(Data("text".utf8), contentType: "text/plain")),
            started: Date(timeIntervalSinceReferenceDate: 812_345_678.125), time: 0.75,
            timings: .init(wait: 0.5, receive: 0.25))
        (entry.error, entry.errorCode, entry.comment) = ("lost", -1005, "A redirect was followed.")
        (entry.response.body.isCut, entry.response.body.digest, entry.response.url) = (true, "00", "https://api.test/b")
        entry.timings.secureConnect = 0.125
        let archive = HARArchive(entries: [entry, entry], comment: "2 older entries were dropped.")
        let data = try archive.data
        #expect(try HARArchive(data: data) == archive)
        #expect(try HARArchive(data: data).data == data)
    }

    @Test func `A file has all fields that the format demands`() throws {
        let archive = HARArchive(entries: [
            .init(request: .init(url: "https://api.test/?a=b%20c&d"), response: .init(status: 200))
        ])
        let file = try #require(JSONSerialization.jsonObject(with: archive.data) as? [String: [String: Any]])
        let log = try #require(file["log"])
        #expect(log["version"] as? String == "1.2")
        let entry = try #require((log["entries"] as? [[String: Any]])?.first)
        #expect(entry["startedDateTime"] as? String == "1970-01-01T00:00:00.000Z")
        #expect(Set(entry.keys) == ["startedDateTime", "time", "request", "response", "cache", "timings"])
        let request = try #require(entry["request"] as? [String: Any])
        #expect(
            Set(request.keys) == [
                "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
            ])
        #expect(
            request["queryString"] as? [[String: String]] == [
                ["name": "a", "value": "b c"], ["name": "d", "value": ""],
            ])
        let response = try #require(entry["response"] as? [String: Any])
        #expect(
            Set(response.keys) == [
                "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
                "bodySize",
            ])
        let timings = try #require(entry["timings"] as? [String: Double])
        #expect(timings == ["blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": 0, "receive": 0])
    }

    @Test func `The times of an entry do not change however often it is written`() throws {
        for number in 0..<TestLevel.count(100, nightly: 2_000) {
            let offset = Double(number) * 7.001 - 5000
            let entry = HARArchive.Entry(
                request: .init(url: "x"), response: .init(status: 200), started: Date(timeIntervalSince1970: offset),
                time: offset * 0.001, timings: .init(wait: Double(number) * 0.001_234_567))
            let first = try HARArchive(entries: [entry]).data
            let read = try HARArchive(data: first)
            #expect(try read.data == first, "\(offset)")
            #expect(abs(read.entries[0].started.timeIntervalSince1970 - offset) < 0.000_6)
        }
    }

    @Test func `A file of a browser is read`() throws {
        let archive = try read(
            #"""
            {"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "128.0"},
              "browser": {"name": "Firefox", "version": "128.0"}, "pages": [{"id": "page_1"}],
              "entries": [{"startedDateTime": "2024-05-01T10:00:00.250+02:00", "pageref": "page_1", "time": null,
                "request": {"bodySize": 0, "method": "GET", "url": "https://api.test/", "httpVersion": "HTTP/2",
                  "headers": [{"name": "Host", "value": "api.test"}], "cookies": [],
                  "queryString": [], "headersSize": 9},
                "response": {"status": 200, "statusText": "", "httpVersion": "HTTP/2", "headers": [], "cookies": [],
                  "content": {"mimeType": "image/gif", "size": 3, "encoding": "base64", "text": "R0lG"},
                  "redirectURL": "", "headersSize": 5, "bodySize": 8},
                "cache": {},
                "timings": {"blocked": 0, "dns": -1, "connect": 2, "ssl": 1, "send": 1, "wait": 5, "receive": 0},
                "serverIPAddress": "127.0.0.1", "connection": "443", "_priority": "High"}]}}
            """#)
        let entry = try #require(archive.entries.first)
        #expect(archive.creator == "Firefox")
        #expect(entry.started == Date(timeIntervalSince1970: 1_714_550_400.25))
        #expect(entry.response.body.content == Data("GIF".utf8))
        #expect(entry.timings.wait == 0.006)
        #expect(entry.timings.nameLookup == nil)
    }

    @Test(arguments: [
        "", "null", "7", "[]", "{}", #"{"log":null}"#, #"{"log":[]}"#, #"{"log":{}}"#, #"{"log":{"entries":{}}}"#,
        #"{"log":{"entries":[1]}}"#, #"{"log":{"entries":[{}]}}"#, #"{"log":{"entries":[null]}}"#, "\u{0}\u{1}",
        "{\"log\"",
    ])
    func `Text that is no recording is an error`(_ text: String) {
        #expect(throws: DecodingError.self) { try read(text) }
    }

    @Test(arguments: [
        #"{}"#, #"{"status":"200"}"#, #"{"status":1.5}"#, #"{"status":1e400}"#, #"{"status":99999999999999999999}"#,
        #"{"status":200,"headers":{}}"#, #"{"status":200,"headers":[{"name":"a"}]}"#,
        #"{"status":200,"content":[]}"#, #"{"status":200,"content":{"size":"big"}}"#,
        #"{"status":200,"content":{"text":5}}"#, #"{"status":200,"content":{"text":"%%%","encoding":"base64"}}"#,
        #"{"status":200,"content":{"text":"x","encoding":"rot13"}}"#,
    ])
    func `A response of a wrong type is an error`(_ response: String) {
        #expect(throws: DecodingError.self) { try read(entry(response)) }
    }

    @Test func `Negative sizes and times are taken as unknown`() throws {
        let archive = try read(
            #"""
            {"log":{"entries":[{"request":{"method":"GET","url":"x","bodySize":-9},"time":-1e300,
            "response":{"status":-1,"content":{"size":-9223372036854775808,"text":"abc"}},
            "timings":{"wait":-1e308,"receive":-5,"dns":-7}}]}}
            """#)
        #expect(archive.entries[0].response.body.size == 0)
        #expect(archive.entries[0].timings == HARArchive.Timings())
        #expect(try HARArchive(data: archive.data).entries.count == 1)
    }

    @Test(arguments: ["[", #"{"log":"#, #"{"log":{"entries":["#, #"{"log":{"entries":[{"request":["#])
    func `Deep nesting is an error`(_ start: String) {
        let depth = TestLevel.count(100_000, nightly: 500_000)
        #expect(throws: DecodingError.self) { try read(start + String(repeating: "[", count: depth)) }
        #expect(throws: DecodingError.self) { try read(start + String(repeating: #"{"a":"#, count: depth)) }
    }

    @Test func `A file that is too large, missing or garbage is an error that names it`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        for content in [nil, Data(repeating: 0x20, count: 2000), Data("garbage".utf8)] {
            try content?.write(to: file)
            let error = #expect(throws: HARReplay.UnreadableFile.self) {
                try HARArchive(contentsOf: file, maximumSize: 1000)
            }
            #expect(error?.localizedDescription.contains(file.lastPathComponent) == true)
        }
    }

    @Test func `A write removes what a killed process has left`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("half".utf8).write(to: folder.appendingPathComponent(".a.har.new"))
        try HARArchive(entries: []).write(to: folder.appendingPathComponent("a.har"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.har"])
    }

    @Test func `Several processes can write one file at the same time`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.har")
        let entry = HARArchive.Entry(request: .init(url: "https://api.test/"), response: .init(status: 200))
        let archive = HARArchive(entries: Array(repeating: entry, count: 20))
        let writers = (0..<2).map { _ in
            let (errors, continuation) = AsyncStream.makeStream(of: (any Error).self)
            Thread.detachNewThread {
                for _ in 0..<20 {
                    do { try archive.write(to: file) } catch { continuation.yield(error) }
                }
                continuation.finish()
            }
            return errors
        }
        for errors in writers {
            for await error in errors { Issue.record("\(error)") }
        }
        #expect(try HARArchive(contentsOf: file) == archive)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.har"])
    }

    @Test func `The error of a wrong file names the member that is wrong`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let right = #"{"request":{"method":"GET","url":"https://api.test/"},"response":{"status":200}}"#
        try Data(#"{"log":{"entries":[\#(right),{"request":7}]}}"#.utf8).write(to: file)
        let error = #expect(throws: HARReplay.UnreadableFile.self) { try HARArchive(contentsOf: file) }
        #expect(error?.description.contains("at log.entries[1].request: ") == true)
    }

    @Test func `A damaged file is read or is an error, and never ends the process`() async throws {
        let entry = HARArchive.Entry(
            request: .init(
                method: "POST", url: "https://api.test/?a=b", headers: [.init(name: "A", value: "b")],
                body: .init(Data([0xFF, 0]), contentType: "multipart/form-data; boundary=b")),
            response: .init(status: 200, body: .init(Data([0xFF, 1, 2]), contentType: "application/json")),
            time: 1.5)
        let file = try [UInt8](HARArchive(entries: [entry, entry]).data)
        let pieces = ["-", "9", "\"", "\\", "[", "]", "{", "}", ",", ":", "null", "1e999", "-1", "\u{0}", "é", "x", ""]
        var state = TestSeed.current
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var readCount = 0
        let count = TestLevel.count(200, nightly: 1_000)
        for _ in 0..<count {
            var damaged = file
            for _ in 0...random(2) {
                let start = random(damaged.count)
                damaged.replaceSubrange(
                    start..<min(start + random(3), damaged.count), with: Array(pieces[random(pieces.count)].utf8))
            }
            guard let archive = try? HARArchive(data: Data(damaged)) else { continue }
            readCount += 1
            _ = try archive.data
            await replayAll(archive)
        }
        #expect(readCount > TestLevel.count(0, nightly: count / 20), "seed \(TestSeed.current)")
    }

    /// Sends the requests of an archive to its replays.
    @MainActor
    private func replayAll(_ archive: HARArchive) {
        for matching in [HARReplay.Matching.strict, .byMethodAndURL] {
            let replay = HARReplay(archive, matching: matching).siestaNetworkingProvider
            for entry in archive.entries {
                guard let url = URL(string: entry.request.url) else { continue }
                var request = URLRequest(url: url)
                request.httpMethod = entry.request.method
                request.httpBody = entry.request.body?.content
                _ = replay.startRequest(request) { _, _, error in _ = "\(error as Any)" }
            }
        }
    }

    @Test func `Megabytes of garbage are an error`() {
        let size = TestLevel.count(2_000_000, nightly: 100_000_000)
        for piece in ["[1,", "{\"log\":", "\"\\u0000", "é", "{\"log\":{\"entries\":[{\"request\":"] {
            let data = Data(String(repeating: piece, count: size / piece.utf8.count).utf8)
            #expect(throws: DecodingError.self) { try HARArchive(data: data) }
        }
    }

    @Test func `The size limit holds behind a link, and a pipe is an error`() throws {
        let folder = try TemporaryFolder()
        let large = try folder.file("large.har", Data(repeating: 0x20, count: 2000))
        let link = folder.url.appendingPathComponent("link.har")
        let pipe = folder.url.appendingPathComponent("pipe.har")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: large)
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for (file, reason) in [(link, "2000 bytes"), (pipe, "not a regular file"), (folder.url, "not a regular file")] {
            let error = #expect(throws: HARReplay.UnreadableFile.self) {
                try HARArchive(contentsOf: file, maximumSize: 1000)
            }
            #expect(error?.description.contains(reason) == true)
        }
    }
}
