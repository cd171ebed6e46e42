import CacheTorture
import Foundation
import SiestaCore
import TestKit
import Testing

@testable import SiestaWriting

@Suite(.timeLimit(.test))
struct OutboxEntryTests {
    private static let states: [Outbox.Entry.State] = [
        .queued, .sending, .confirmed, .refused(status: 404, message: "Missing"), .refused(status: nil, message: "Old"),
        .conflict(status: 412),
    ]
    private static let bodies: [Outbox.Body] = [
        .none, .bytes(Data()), .bytes(Data([0, 255])), .kept(name: "name", length: 1 << 40),
        .referenced(path: "/tmp/ä", length: 5, modified: -1),
    ]

    @Test(arguments: states, bodies)
    func `An entry is the same after encoding and decoding`(state: Outbox.Entry.State, body: Outbox.Body) throws {
        var entry = Outbox.Entry.full
        (entry.state, entry.request.body) = (state, body)
        #expect(try Outbox.Entry(encoded: entry.encoded()) == entry)
        let bare = Outbox.Entry.sample("", scope: "", method: "", address: .url(""), body: body)
        #expect(try Outbox.Entry(encoded: bare.encoded()) == bare)
    }

    @Test(arguments: ["\"\u{E9}\"", "\"e\u{301}\""])
    func `A stored condition has the bytes of the entity tag`(tag: String) throws {
        var entry = Outbox.Entry.full
        entry.request.precondition = Outbox.Condition(ifMatch: tag)
        let stored = try Outbox.Entry(encoded: entry.encoded()).request.precondition
        #expect(stored.ifMatch.map { Array($0.utf8) } == Array(tag.utf8))
    }

    @Test func `Truncated entries and entries with further bytes are damaged`() {
        let bytes = Outbox.Entry.full.encoded()
        for count in 0..<bytes.count {
            #expect(throws: Outbox.Entry.Malformation.damaged) { try Outbox.Entry(encoded: bytes.prefix(count)) }
        }
        #expect(throws: Outbox.Entry.Malformation.damaged) { try Outbox.Entry(encoded: bytes + [0]) }
        var newer = bytes
        newer[3] = 3
        #expect(throws: Outbox.Entry.Malformation.newer(version: 3)) { try Outbox.Entry(encoded: newer) }
    }

    @Test func `An entry without former conditions has the first version of the format`() throws {
        var entry = Outbox.Entry.full
        #expect(entry.encoded()[3] == 2)
        entry.formerConditions = []
        let bytes = entry.encoded()
        #expect(bytes[3] == 1)
        #expect(try Outbox.Entry(encoded: bytes) == entry)
        for count in 0..<bytes.count {
            #expect(throws: Outbox.Entry.Malformation.damaged) { try Outbox.Entry(encoded: bytes.prefix(count)) }
        }
        var unknown = bytes
        unknown[3] = 0
        #expect(throws: Outbox.Entry.Malformation.damaged) { try Outbox.Entry(encoded: unknown) }
    }

    @Test(arguments: [(ChangeOptions.Settlement.response, UInt8(0)), (.reload, 1), (.edit, 2)])
    func `The stored number of a settlement stays the same`(settlement: ChangeOptions.Settlement, number: UInt8) {
        #expect(settlement.number == number)
        #expect(ChangeOptions.Settlement(stored: number) == settlement)
    }

    @Test func `Noise and changed bits never crash`() {
        var random = SeededGenerator(seed: TestSeed.current)
        let bytes = Outbox.Entry.full.encoded()
        var decoded = 0
        for round in 0..<TestLevel.count(2_000, nightly: 20_000) {
            var changed =
                round % 2 == 0
                ? bytes : bytes.prefix(4) + Data((0..<200).map { _ in UInt8.random(in: 0...255, using: &random) })
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                changed[changed.startIndex + index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            guard let entry = try? Outbox.Entry(encoded: changed) else { continue }
            decoded += 1
            _ = (entry.size, entry.description, OutboxRules([entry, entry]).count)
        }
        // Some changes only change a value.
        #expect(decoded > TestLevel.count(0, nightly: 50), "seed \(TestSeed.current)")
    }

    @Test func `Secret header fields are not kept`() throws {
        var request = Outbox.StoredRequest(
            method: "PUT", address: .url("https://api.test/"),
            headers: ["Authorization": "Bearer x", "cookie": "a=b", "X-API-Key": "k", "X-Trace": "1"])
        #expect(request.headers == ["X-Trace": "1"])
        request.headers["Proxy-Authorization"] = "Basic x"
        #expect(request.headers == ["X-Trace": "1"])
    }

    @Test func `The description contains neither URL nor body`() {
        let text = "\(Outbox.Entry.full)"
        #expect(text == "Outbox entry 77 (PATCH, refused with status 422)")
        var dumped = ""
        dump(Outbox.Entry.full, to: &dumped)
        #expect(!dumped.contains("Grace"))
        #expect(!dumped.contains("api.test"))
    }

    @Test(arguments: [
        ("", "https://api.test/items/7?v=1"), ("comments", "https://api.test/items/7/comments"),
        ("/comments", "https://api.test/items/7/comments"), ("?full=1", "https://api.test/items/7?full=1"),
    ])
    func `A path is below the URL of the created resource`(path: String, url: String) {
        let address = Outbox.Address.created(by: "c", path: path)
        #expect(address.resolved("c", at: "https://api.test/items/7?v=1#part") == .url(url))
        #expect(address.resolved("other", at: "https://api.test/items/7") == address)
    }

    @Test(arguments: [
        ("POST", "7", "https://api.test/7"), ("POST", "/items/7", "https://api.test/items/7"),
        ("POST", "https://other.test/x", nil), ("POST", nil, nil),
        ("PUT", "https://other.test/x", nil), ("POST", "https://API.test:443/x", "https://API.test:443/x"),
        ("PUT", nil, "https://api.test/items"),
        ("POST", "http://api.test/7", nil), ("POST", "file:///etc/passwd", nil), ("POST", "javascript:x", nil),
        ("POST", "", nil), ("DELETE", nil, nil),
    ])
    func `The URL of a created resource comes from the response`(method: String, location: String?, url: String?) {
        let found = Outbox.Address.ofCreated(method: method, request: "https://api.test/items", location: location)
        #expect(found == url)
    }

    @Test(
        arguments: [
            ("POST", "https://api.test/new/", "7", "https://api.test/new/7"),
            ("POST", "https://api.test/new", "/new", nil), ("POST", "https://api.test/new", "/items", nil),
            ("POST", "https://other.test/items", "7", nil), ("POST", "https://other.test/", "https://api.test/7", nil),
            ("PUT", "https://api.test/new/1", "7", "https://api.test/new/7"),
            ("PUT", "https://api.test/new", nil, "https://api.test/items"), ("PUT", "https://other.test/7", "8", nil),
            ("PUT", "https://other.test/7", "https://api.test/7", "https://api.test/7"),
        ] as [(String, String, String?, String?)])
    func `After a redirect, a location is relative to the URL that has answered`(
        method: String, answer: String, location: String?, url: String?
    ) {
        let found = Outbox.Address.ofCreated(
            method: method, request: "https://api.test/items", answeredAt: answer, location: location)
        #expect(found == url)
    }

    @Test(arguments: [
        ("/caf%c3%a9", "/caf%C3%A9"), ("/posts", "/%70osts"), ("/posts", "/posts?"), ("/posts?", "posts"),
        ("/posts", "/a/../posts"), ("/posts", "/a/%2e%2E/./posts/"), ("/posts", "//api.test/a/../posts"),
        ("/posts?q=%7e", "/posts?q=~"), ("/posts", "HTTPS://API.test:443/%2E/posts#new"), ("/a%2fb", "/a%2Fb"),
    ])
    func `After a POST, another spelling of the URL of the request is not the URL of a created resource`(
        path: String, location: String
    ) {
        for (request, location) in [(path, location), (location, path)] {
            guard let url = URL(string: request, relativeTo: URL(string: "https://api.test/")) else {
                Issue.record("\(request) is no URL")
                continue
            }
            let found = Outbox.Address.ofCreated(method: "POST", request: url.absoluteString, location: location)
            #expect(found == nil, "\(request) \(location)")
        }
    }

    @Test(arguments: [("/a%2Fb", "/a/b"), ("/posts", "/Posts"), ("/posts", "/posts?a"), ("/p%2570", "/p%70")])
    func `A URL that only resembles that of the request is the URL of a created resource`(
        path: String, location: String
    ) {
        let found = Outbox.Address.ofCreated(
            method: "POST", request: "https://api.test" + path, location: "https://api.test" + location)
        #expect(found == "https://api.test" + location)
    }

    @Test func `Addresses with different bytes are different`() {
        let texts = ["caf\u{e9}", "cafe\u{301}"]
        let addresses: [Outbox.Address] = texts.flatMap { text in
            [.url(text), .created(by: "c", path: text), .created(by: text, path: "")]
        }
        #expect(Set(addresses).count == 6)
        for address in addresses { #expect(addresses.count { $0 == address } == 1) }
    }
}
