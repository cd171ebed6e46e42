import Foundation
import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("The hub carries out writes", .timeLimit(.test))
struct HubWritingTests {
    private static let now = Catalogue.today.adding(days: 1)
    private static let address = "/repos/lanternworks/wick"

    private var hub = Hub(base: "http://x")

    private mutating func answer(
        _ method: String, _ target: String, _ headers: [String: String] = [:], body: String = "",
        token: String? = EmbeddedGitHub.token
    ) throws -> HTTPResponse {
        var fields = headers.map { HTTPHeaders.Field(name: $0.key, value: $0.value) }
        if let token { fields.append(HTTPHeaders.Field(name: "Authorization", value: "token \(token)")) }
        let request = HTTPRequest(
            method: method, target: try #require(RequestTarget(target)), headers: HTTPHeaders(fields),
            body: Array(body.utf8), keepsAlive: true)
        return hub.answer(request, at: Self.now, fault: nil)
    }

    private mutating func describe(_ text: String, _ headers: [String: String] = [:]) throws -> HTTPResponse {
        try answer("PATCH", Self.address, headers, body: "{\"description\": \"\(text)\"}")
    }

    private mutating func description() throws -> String? {
        let object = try JSONSerialization.jsonObject(with: Data(try answer("GET", Self.address).body))
        return (object as? [String: Any])?["description"] as? String
    }

    @Test("of a description if the client has seen the current version")
    mutating func condition() throws {
        let tag = try #require(try answer("GET", Self.address).headers["ETag"])
        #expect(try describe("One", ["If-Match": "\"other\""]).status == 412)
        #expect(try describe("One", ["If-Match": "W/\(tag)"]).status == 412)
        let first = try describe("One", ["If-Match": "\"other\", \(tag)"])
        #expect(first.status == 200)
        #expect(try description() == "One")
        #expect(try first.headers["ETag"] == answer("GET", Self.address).headers["ETag"])
        #expect(try describe("Two", ["If-Match": tag]).status == 412)
        #expect(try describe("Two", ["If-Match": "*"]).status == 200)
        #expect(try describe("Three").status == 200)
        #expect(hub.ledger.writes.map(\.body) == ["One", "Two", "Three"].map { "{\"description\": \"\($0)\"}" })
    }

    @Test("and no others")
    mutating func refusals() throws {
        #expect(try answer("PATCH", Self.address, body: "{}", token: nil).status == 401)
        #expect(try answer("PATCH", Self.address, body: "{\"description\": ").status == 400)
        #expect(try answer("PATCH", "/repos/lanternworks/nothing", body: "{\"description\": \"x\"}").status == 404)
        #expect(try describe(String(repeating: "x", count: 351)).status == 422)
        #expect(try answer("PUT", "/user/following/nobody").status == 404)
        #expect(try answer("PUT", "/user/following/mira-sato", token: nil).status == 401)
        #expect(hub.ledger.writes.isEmpty)
        #expect(try describe(String(repeating: "x", count: 350)).status == 200)
    }

    @Test("of followers")
    mutating func followers() throws {
        let account = try #require(hub.catalogue.account("old-rope"))
        let before = hub.followers(of: account)
        let status = { (response: HTTPResponse) in response.status }
        #expect(status(try answer("GET", "/user/following/old-rope")) == 404)
        for _ in 0..<2 { #expect(status(try answer("PUT", "/user/following/old-rope")) == 204) }
        #expect(status(try answer("GET", "/user/following/old-rope")) == 204)
        #expect(hub.followers(of: account) == before + 1)
        #expect(status(try answer("DELETE", "/user/following/old-rope")) == 204)
        #expect(status(try answer("GET", "/user/following/old-rope")) == 404)
        #expect(hub.followers(of: account) == before)
    }

    @Test("once for each key, and repeats the response")
    mutating func keys() throws {
        let first = try describe("One", ["Idempotency-Key": "\"a\""])
        #expect(try describe("Two", ["Idempotency-Key": "\"b\""]).status == 200)
        let again = try describe("One", ["Idempotency-Key": "\"a\"", "If-Match": "\"other\""])
        #expect(again.status == 200)
        #expect(again.body == first.body)
        #expect(again.headers["ETag"] == first.headers["ETag"])
        #expect(try description() == "Two")
        #expect(hub.ledger.writes.count == 2)
        #expect(try describe("Three").status == 200)
        #expect(try describe("Three").status == 200)
        #expect(hub.ledger.writes.count == 4)
    }

    @Test("again with a key whose first request was refused")
    mutating func refusedKey() throws {
        let key = ["Idempotency-Key": "\"a\""]
        #expect(try describe("One", key.merging(["If-Match": "\"other\""]) { $1 }).status == 412)
        #expect(try describe("One", key).status == 200)
        #expect(hub.ledger.writes.count == 1)
    }
}

extension OverSockets {
    @Suite("A silent server")
    struct SilenceTests {
        @Test("carries out a write, says so to nobody, and answers all else")
        func silence() throws {
            let server = try EmbeddedGitHub()
            server.behaviour.fault = .silentWrites
            let client = try server.client()
            client.request("PUT", "/user/starred/lanternworks/wick", EmbeddedGitHub.authorised)
            let end = Date(timeIntervalSinceNow: 20)
            while server.applied.isEmpty, Date() < end { usleep(1_000) }
            #expect(server.applied.map(\.target) == ["/user/starred/lanternworks/wick"])
            #expect(try server.fetch("GET", "/user/starred/lanternworks/wick", EmbeddedGitHub.authorised).status == 204)
            #expect(try server.fetch("PUT", "/user/starred/a/b", EmbeddedGitHub.authorised).status == 404)
            server.stop()
            #expect(client.rest().isEmpty)
        }
    }
}
