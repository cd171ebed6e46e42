import EmbeddedGitHub
import Foundation
import Testing

extension OverSockets {
    @Suite("A stream of events")
    struct StreamTests {
        private static let star = "/user/starred/lanternworks/lucid-anchor"
        private static let starred = """
            id: 1
            event: starred
            data: {"id":1,"actor":"mira-sato","action":"starred","subject":"lanternworks/lucid-anchor","stars":82}


            """

        private let server: EmbeddedGitHub

        init() throws {
            server = try EmbeddedGitHub()
        }

        private func change(_ method: String, _ target: String) throws {
            #expect(try server.fetch(method, target, EmbeddedGitHub.authorised).status == 204)
        }

        /// Opens a stream, and returns its first bytes.
        private func open(after id: String? = nil, until end: String) throws -> (client: RawClient, text: String) {
            let client = try server.client()
            client.request("GET", "/events/stream", id.map { ["Last-Event-ID": $0] } ?? [:])
            return (client, client.text(until: end))
        }

        @Test("begins at the present, and brings each change")
        func changes() throws {
            let (client, text) = try open(until: "id: 0\n\n")
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.contains("\r\nContent-Type: text/event-stream\r\n"))
            #expect(text.contains("\r\nConnection: close\r\n"))
            #expect(!text.contains("Content-Length"))
            #expect(!text.contains("\r\nLast-Event-ID"))
            try change("PUT", Self.star)
            #expect(client.text(until: "\n\n") == Self.starred)
            try change("PUT", Self.star)  // It is starred already.
            try change("PUT", "/user/following/old-rope")
            let followed = client.text(until: "\n\n")
            #expect(followed.hasPrefix("id: 2\nevent: followed\n"))
            #expect(followed.contains(#""subject":"old-rope","stars":null}"#))
        }

        @Test("goes on after the last event that the client has received, and says so")
        func resumption() throws {
            try change("PUT", Self.star)
            let (_, text) = try open(after: "0", until: Self.starred)
            #expect(text.contains("\r\nLast-Event-ID: 0\r\n"))
            #expect(text.hasSuffix(Self.starred))
            for unknown in ["2", "-1", "x"] {
                let (_, text) = try open(after: unknown, until: "id: 1\n\n")
                #expect(!text.contains("\r\nLast-Event-ID"))
                #expect(text.hasSuffix("\r\n\r\nid: 1\n\n"))
            }
        }

        @Test("ends when the server cuts it, and there is no other one until then")
        func cut() throws {
            let (client, _) = try open(until: "id: 0\n\n")
            server.behaviour.cutsStreams = true
            #expect(client.rest().isEmpty)
            #expect(try open(until: "id: 0\n\n").text.isEmpty)
            #expect(try server.fetch("GET", "/events").status == 200)
            server.behaviour.cutsStreams = false
            #expect(try open(until: "id: 0\n\n").text.hasSuffix("id: 0\n\n"))
        }

        @Test("ends with the server")
        func stop() throws {
            let (client, _) = try open(until: "id: 0\n\n")
            server.stop()
            #expect(client.rest().isEmpty)
        }

        @Test("has a list of its events, and the lists say which event is their last")
        func list() throws {
            #expect(try server.fetch("GET", "/events").headers["last-event-id"] == "0")
            try change("PUT", Self.star)
            try change("DELETE", Self.star)
            let events = try server.fetch("GET", "/events")
            #expect(events.headers["last-event-id"] == "2")
            #expect(events.list.map { $0["action"] as? String } == ["unstarred", "starred"])
            #expect(events.list.map { $0["stars"] as? Int } == [81, 82])
            let stars = try server.fetch("GET", "/repos/lanternworks/lucid-anchor/stars")
            #expect(stars.headers["last-event-id"] == "2")
            #expect(stars.object["count"] as? Int == 81)
            let tag = try #require(stars.headers["etag"])
            let again = try server.fetch("GET", "/repos/lanternworks/lucid-anchor/stars", ["If-None-Match": tag])
            #expect(again.status == 304)
            #expect(again.headers["last-event-id"] == "2")
        }
    }
}
