import Foundation
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import HTTPRules

@testable import SiestaCore
@testable import SiestaNetworking

/// The headers of data that a 304 has confirmed (RFC 9111 §4.3.4).
@MainActor @Suite(.timeLimit(.test))
struct ConfirmedHeadersTests {
    private let stub = StubbedResource(standardTransformers: [])

    /// Loads data, and then receives a 304 with these headers.
    @discardableResult
    private func confirm(_ old: [String: String], by new: [String: String]) async -> ResponseInfo {
        let headers = old.merging(["ETag": "\"1\""]) { given, _ in given }
        await stub.load(.response(200, headers: headers, body: Data("x".utf8)))
        return await stub.load(.response(304, headers: new))
    }

    private func header(_ name: String) -> String? { stub.resource.latestData?.header(forKey: name) }

    @Test func `New fields replace and complete the stored fields`() async throws {
        let info = await confirm(
            ["Link": "</old>; rel=next", "X-Total-Count": "5", "X-Other": "kept"],
            by: ["LINK": "</new>; rel=next", "x-total-count": "6", "X-New": "1", "Date": "today"])
        #expect(header("Link") == "</new>; rel=next")
        #expect(header("X-Total-Count") == "6")
        #expect(header("X-Other") == "kept")
        #expect(header("X-New") == "1")
        #expect(header("Date") == "today")
        #expect(header("ETag") == "\"1\"")
        #expect(!info.isNew)
        #expect(stub.resource.snapshot.source == .revalidated)
        let entity = try info.response.get()
        #expect(entity.header(forKey: "Link") == "</new>; rel=next")
        #expect(entity.content as? Data == Data("x".utf8))
        await stub.load(.response(304, headers: ["Link": "</newest>; rel=next"]))
        #expect(header("Link") == "</newest>; rel=next")
        #expect(header("X-Total-Count") == "6")
    }

    @Test(
        arguments: [
            "Content-Length", "Content-Encoding", "Content-Type", "Connection", "Transfer-Encoding",
            "Vary", "Last-Modified", "Keep-Alive", "Content-MD5", "Repr-Digest",
        ])
    func `Fields that describe the content or the connection stay`(_ name: String) async {
        await confirm([name: "old"], by: [name: "new"])
        #expect(header(name) == "old")
        await confirm([:], by: [name: "new"])
        #expect(header(name) == nil)
    }

    @Test(
        arguments: [
            "Content-Type", "Content-Length", "Content-Encoding", "Content-Range", "Content-MD5", "Content-Digest",
            "Digest", "Repr-Digest",
        ], [FreshnessRule.fixed, .http])
    func `Fields that describe the stored bytes stay with each rule of freshness`(
        _ name: String, _ rule: FreshnessRule
    ) async {
        stub.service.configure { $0.freshness = rule }
        // A response that is the first of its resource may have none of these fields.
        await confirm(["X": "1"], by: [name: "new"])
        #expect(header(name) == nil)
        guard name != "Content-Range" else { return }  // No response with the whole content has this field.
        await stub.load(.response(200, headers: ["ETag": "\"2\"", name: "old"], body: Data("x".utf8)))
        await stub.load(.response(304, headers: [name: "new", "X": "2"]))
        #expect(header(name) == "old")
        #expect(header("X") == "2")
    }

    @Test(arguments: ["Content-Type", "Content-Encoding", "Repr-Digest"])
    func `The response to a HEAD request does not change the fields that describe the stored bytes`(
        _ name: String
    ) async {
        stub.service.configure { $0.freshness = .http }
        await stub.load(.response(200, headers: ["ETag": "\"1\"", name: "old", "X": "1"], body: Data("x".utf8)))
        stub.network.answer(.head, "/thing", with: .response(200, headers: ["ETag": "\"1\"", name: "new", "X": "2"]))
        _ = await stub.resource.request(.head).completion()
        #expect(header(name) == "old")
        #expect(header("X") == "2")
    }

    // MARK: Another version

    @Test(arguments: [("Sun, 06 Nov 1994 08:49:37 GMT", 2), ("Mon, 07 Nov 1994 08:49:37 GMT", 3)])
    func `With HTTP freshness, a strong entity tag confirms content with the weak one of the same date`(
        _ date: String, requests: Int
    ) async {
        // As nginx does if it compresses the content.
        let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
        let fields = ["ETag": "W/\"1\"", "Last-Modified": modified, "Date": "Mon, 07 Nov 1994 08:49:37 GMT"]
        stub.service.configure { $0.freshness = .http }
        await stub.load(.response(200, headers: fields, body: Data("x".utf8)))
        stub.network.answer(
            .get, "/thing", with: .response(304, headers: ["ETag": "\"1\"", "Last-Modified": date]),
            .response(200, headers: fields, body: Data("y".utf8)))
        _ = await stub.resource.load().completion()
        #expect(stub.network.requests.count == requests)
    }

    @Test(arguments: [
        (["ETag": "\"1\""], ["ETag": "\"2\""], true), (["ETag": "W/\"1\""], ["ETag": "W/\"2\""], true),
        (["ETag": "\"1\"", "Last-Modified": "a"], ["ETag": "\"2\"", "Last-Modified": "a"], true),
        (["Last-Modified": "a"], ["Last-Modified": "b"], true),
        (["ETag": "\"1\""], ["ETag": "\"1\""], false), (["ETag": "W/\"1\""], ["ETag": "\"1\""], false),
        (["ETag": "\"1\""], ["ETag": "W/\"1\""], false), (["ETag": "\"1\"", "Last-Modified": "a"], [:], false),
        (["ETag": "\"1\"", "Last-Modified": "a"], ["Last-Modified": "b"], false),
        (["Last-Modified": "a"], ["ETag": "\"1\"", "Last-Modified": "a"], false), (["Last-Modified": "a"], [:], false),
    ])
    func `A 304 that names another version confirms nothing`(
        _ old: [String: String], _ new: [String: String], isOther: Bool
    ) async {
        await stub.load(.response(200, headers: old, body: Data("old".utf8)))
        stub.network.answer(
            .get, "/thing", with: .response(304, headers: new), .response(200, body: Data("new".utf8)))
        let info = await stub.resource.load().completion()
        #expect(info.isNew == isOther)
        #expect(stub.resource.latestData?.content as? Data == Data((isOther ? "new" : "old").utf8))
        #expect(stub.network.requests.count == (isOther ? 3 : 2))
    }

    @Test(arguments: [1, 40])
    func `The rules hold for any number of fields`(_ count: Int) async {
        var old = ["X-Other": "kept", "Content-Type": "text/plain"]
        for number in 0..<count { old["X-\(number)"] = "old" }
        var new = ["Content-Type": "text/html", "X-New": "1"]
        for number in 0..<count { new["x-\(number)"] = "new" }
        await confirm(old, by: new)
        #expect((0..<count).allSatisfy { header("X-\($0)") == "new" })
        #expect(header("X-New") == "1")
        #expect(header("X-Other") == "kept")
        #expect(header("Content-Type") == "text/plain")
    }

    @Test func `A 304 does not change the version of the data`() async {
        await confirm(["ETag": "W/\"1\""], by: ["ETag": "\"1\"", "Last-Modified": "today"])
        #expect(header("ETag") == "W/\"1\"")
        #expect(header("Last-Modified") == nil)
        #expect(await stub.load(.notModified).isNew == false)
        #expect(stub.network.requests.count == 3)
    }

    @Test func `A 304 that does not confirm the data changes no headers`() async {
        await stub.load(.response(200, headers: ["ETag": "\"1\"", "Link": "<a>"], body: Data()))
        stub.resource.overrideLocalContent(with: "local")
        let request = stub.resource.request(.get) { $0.setValue("\"2\"", forHTTPHeaderField: "If-None-Match") }
        stub.network.answer(.get, "/thing", with: .response(304, headers: ["Link": "<b>"]))
        _ = await request.completion()
        #expect(header("Link") == "<a>")
    }

    @Test func `Bytes of the transport are updated as fields are`() {
        var bytes = [("Link", "<a>"), ("link", "<b>"), ("Content-Type", "text/plain"), ("X", "1")]
            .reduce(into: HeaderBytes()) { $0.append($1.0.utf8, $1.1.utf8) }
        let stored = HeaderFields(bytes)
        #expect(NotModified.updates(of: stored, by: stored).isEmpty)
        bytes.append("x".utf8, "2".utf8)
        let updates = NotModified.updates(of: stored, by: HeaderFields(bytes))
        #expect(updates == ["x": "1, 2"])
        #expect(
            stored.setting(updates).dictionary == ["link": "<a>, <b>", "content-type": "text/plain", "x": "1, 2"])
    }
}
