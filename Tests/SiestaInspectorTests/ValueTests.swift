import Foundation
import SiestaCore
import SiestaJSON
import TestKit
import Testing

@testable import SiestaInspector

@Suite(.timeLimit(.test))
struct ValueTests {
    @Test func `JSON escapes texts and leaves out what is missing`() throws {
        var json = JSONText()
        json.object { json in
            json.member("a", "\"\\\n\u{1}é")
            json.member("none", nil as String?)
            json.member("number", 1.23456)
            json.member("whole", 2.0)
            json.member("infinite", Double.infinity)
            json.member("list", [1, 2]) { $1.value($0) }
            json.member("empty", [Int]()) { $1.value($0) }
        }
        let expected = #"{"a":"\"\\\u000a\u0001é","number":1.235,"whole":2,"infinite":null,"list":[1,2]}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
        #expect(throws: Never.self) { try JSONValue(parsing: Data(json.bytes)) }
    }

    @Test func `a history replays events, and knows when some are missing`() {
        var history = EventHistory(count: 2, bytes: 1000)
        for text in ["a", "b", "c"] { _ = history.append(Array(text.utf8)) }
        #expect(history.events(after: 3)?.isEmpty == true)
        #expect(history.events(after: 1)?.count == 2)
        #expect(history.events(after: 0) == nil)
        #expect(history.events(after: 4) == nil)
        history.skip()
        #expect(history.events(after: 3) == nil)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b", 400), ("GET / HTTP/1.1\r\nA : b", 400),
        ("GET / HTTP/1.1\nHost: a", 400), ("GET / HTTP/1.1\r\n folded", 400), ("GET  / HTTP/1.1", 400),
        ("GET http://a/ HTTP/1.1", 400), ("POST / HTTP/1.1\r\nContent-Length: -1", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 11", 413),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999", 413),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked", 501), ("G\u{0}T / HTTP/1.1", 400),
    ])
    func `a head that could be read in two ways is refused`(head: String, status: Int) {
        #expect {
            try HTTPRequestHead(Array(head.utf8)[...], bodyLimit: 10)
        } throws: { ($0 as? HTTPRequestHead.Malformation)?.rawValue == status }
    }

    @Test func `a connection collects a request byte by byte, and has a deadline for all of it`() {
        var connection = ClientConnection(ServerLimits(), at: 5)
        #expect(connection.deadline == 15)
        let text = "POST /a?b=c HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"
        for byte in text.utf8.dropLast() {
            guard case .wait = connection.receive([byte]) else { return _ = Issue.record("Too early") }
            #expect(connection.deadline == 15)
        }
        guard case .request(let request) = connection.receive(Array("}".utf8)[...]) else {
            return _ = Issue.record("Not complete")
        }
        #expect(request.head.path == "/a")
        #expect(request.head.query == "b=c")
        #expect(request.body == Array("{}".utf8))
        #expect(connection.deadline == .infinity)
    }

    @Test func `a slow reader of a response has a deadline, and a slow reader of events a limit`() {
        var limits = ServerLimits()
        limits.streamBacklog = 300
        var connection = ClientConnection(limits, at: 0)
        connection.reply(HTTPReply(status: 404), at: 2)
        #expect(connection.deadline == 12)
        connection.sent(1, at: 4)
        #expect(connection.deadline == 14)
        var stream = ClientConnection(limits, at: 0)
        stream.beginStream(at: 0)
        let isTooMuch = !stream.stream([UInt8](repeating: 0, count: 300), at: 1)
        #expect(isTooMuch)
        while let bytes = stream.nextOutput { stream.sent(bytes.count, at: 1) }
        #expect(stream.deadline == .infinity)
        let isEnough = stream.stream([0], at: 2)
        #expect(isEnough)
        #expect(stream.deadline == 12)
    }

    @Test func `switches decide by origin and by chance`() {
        var switches = NetworkSwitches()
        #expect(switches.isOff)
        #expect(switches.decision(for: "a", random: 0).substitute == nil)
        switches.failureRate = 0.5
        #expect(switches.decision(for: "a", random: 0.5).substitute == nil)
        guard case .status(503) = switches.decision(for: "a", random: 0.4).substitute else {
            return _ = Issue.record("No failure")
        }
        switches = NetworkSwitches(["delay": 100, "rate": 7, "status": 0, "origins": ["b"]])
        #expect(switches.delay == 60)
        #expect(switches.failureRate == 1)
        #expect(switches.failureStatus == nil)
        #expect(switches.failingOrigins == ["b"])
    }

    @Test func `a model knows the request of an event, and drops old rows`() {
        var model = InspectorModel()
        let date = Date(timeIntervalSince1970: 0)
        for id in 1...1500 {
            let start = ActivityEvent.Kind.requestStarted(method: "GET", isLoad: true)
            model.note(
                ActivityEvent(id: id, date: date, uptime: 0, address: "https://a.test/1", kind: start))
        }
        #expect(model.requestOrder.count <= 2 * InspectorModel.requestLimit)
        #expect(model.requests.count == model.requestOrder.count)
        let end = ActivityEvent.RequestEnd(outcome: .failure, status: 500, failure: "bad", metrics: nil)
        model.note(
            ActivityEvent(
                id: 1501, cause: 1400, date: date, uptime: 3, address: "https://a.test/1", kind: .requestEnded(end)))
        #expect(model.requests[1400]?.duration == 3)
        #expect(model.origins["https://a.test:443"]?.failures == 1)
        #expect(model.resourceCount == 1)
        for number in 0..<2500 {
            let use = ActivityEvent.Kind.cache(.hit, stage: "model", duration: nil)
            model.note(
                ActivityEvent(
                    id: 2000 + number, date: date, uptime: 0, address: "https://a.test/\(number)", kind: use))
        }
        #expect(model.caches.count == InspectorModel.cacheLimit)
    }

    @Test func `the end of a request that was dropped changes no other one`() {
        var model = InspectorModel()
        func note(_ id: Int, because cause: Int? = nil, _ path: String, _ kind: ActivityEvent.Kind) {
            let date = Date(timeIntervalSince1970: 0)
            model.note(
                ActivityEvent(
                    id: id, cause: cause, date: date, uptime: 0, address: "https://a.test/\(path)", kind: kind))
        }
        let start = ActivityEvent.Kind.requestStarted(method: "GET", isLoad: true)
        let end = ActivityEvent.Kind.requestEnded(
            .init(outcome: .cancelled, status: nil, failure: nil, metrics: nil))
        note(1, "live", start)
        for id in 2...(3 * InspectorModel.requestLimit) {
            note(2 * id, "a", start)
            note(2 * id + 1, because: 2 * id, "a", end)
        }
        #expect(model.requests[1] == nil)
        #expect(model.origins["https://a.test:443"]?.running == 0)
        note(10_000_000, "live", start)
        note(10_000_001, because: 1, "live", .requestSent(attempt: 2, reason: .retry, trace: nil))
        note(10_000_002, because: 1, "live", end)
        #expect(model.requests[10_000_000]?.outcome == nil)
        #expect(model.origins["https://a.test:443"]?.retries == 0)
    }

    @Test func `without a page, the noted changes are bounded`() {
        var model = InspectorModel()
        let date = Date(timeIntervalSince1970: 0)
        let start = ActivityEvent.Kind.requestStarted(method: "GET", isLoad: true)
        for id in 1...InspectorModel.changeLimit {
            model.note(
                ActivityEvent(
                    id: id, date: date, uptime: 0, address: "https://a.test/\(id)", kind: start))
        }
        let changes = model.takeChanges()
        #expect(changes.hasMissed)
        #expect(changes.count <= InspectorModel.changeLimit)
        model.keep(["https://a.test/1"])
        #expect(model.resourceCount == 1)
        #expect(model.changes.hasMissed)
    }

    @Test(
        arguments: [
            "privateKey", "accessKey", "authCode", "code_verifier", "assertion", "csrf", "cvv", "idJwt", "passcode",
            "userPin", "refresh_token", "X-Api-Key",
        ])
    func `members whose names sound secret are redacted`(name: String) {
        let json = RedactedJSON.redacted(.object([name: .string("s3cret"), "author": .string("Ada")]))
        #expect(json[name]?.text == "<redacted>")
        #expect(json["author"]?.text == "Ada")
        let grant = RedactedJSON.redacted(.object(["grant_type": .string("code"), "code": .string("s3cret")]))
        #expect(grant["code"]?.text == "<redacted>")
        #expect(RedactedJSON.redacted(.object(["code": .string("E12")]))["code"]?.text == "E12")
    }

    @Test func `JSON that was edited keeps the originals of what the page cannot see`() throws {
        let content =
            #"{"token":"a","text":"one\ntwo","list":[{"pin":"1"},{"pin":"2"},"x"],"url":"https://a.test/?q=1"}"#
        let original = try JSONValue(parsing: Data(content.utf8))
        let shown = RedactedJSON.redacted(original)
        #expect(shown != original)
        #expect(RedactedJSON.restored(shown, from: Data(content.utf8)) == original)
        let edited = JSONValue.object(
            [
                "token": .string("edited"), "list": .array([.string("x"), .string("new")]),
                "url": try #require(shown["url"]),
            ])
        let restored = RedactedJSON.restored(edited, from: Data(content.utf8))
        #expect(restored["token"]?.text == "edited")
        #expect(restored["text"] == nil)
        #expect(restored["list"] == .array([.string("x"), .string("new")]))
        #expect(restored["url"]?.text == "https://a.test/?q=1")
    }

    @Test func `An edit that changes only the bytes of a character is kept`() {
        let edited = JSONValue.object(["name": .string("Zoe\u{308}")])
        let restored = RedactedJSON.restored(edited, from: Data("{\"name\":\"Zo\u{EB}\"}".utf8))
        #expect(restored["name"]?.text?.unicodeScalars.count == 4)
    }

    @Test func `Numbers that a browser has rounded keep their value, and edits of bytes in a list are kept`() throws {
        let content = Data(#"{"id":9007199254740993,"list":[{"id":9007199254740995},7],"name":"Ada"}"#.utf8)
        // What a browser sends back after an edit of the name.
        let edited = #"{"id":9007199254740992,"list":[7,{"id":9007199254740996}],"name":"Eve"}"#
        let restored = RedactedJSON.restored(try JSONValue(parsing: Data(edited.utf8)), from: content)
        let expected = #"{"id":9007199254740993,"list":[7,{"id":9007199254740995}],"name":"Eve"}"#
        #expect(restored.description == expected)
        let list = JSONValue.array([.string("Zoe\u{308}"), .object(["name": .string("Zoe\u{308}")])])
        let names = Data("[\"Zo\u{EB}\",{\"name\":\"Zo\u{EB}\"}]".utf8)
        #expect(RedactedJSON.restored(list, from: names).data == list.data)
    }
}
