import EmbeddedGitHub
import Foundation
import TestKit
import Testing

/// All tests that open sockets, one after the other, so that a failure names the test that caused it.
@Suite("Over real sockets", .serialized, .timeLimit(.test))
struct OverSockets {}

extension EmbeddedGitHub {
    static let authorised = ["Authorization": "token \(token)"]

    func client() throws -> RawClient {
        try RawClient(port: baseURL.port ?? 0)
    }

    /// One request on a connection of its own.
    func fetch(_ method: String = "GET", _ target: String, _ headers: [String: String] = [:]) throws -> Reply {
        let client = try client()
        client.request(method, target, headers)
        return try #require(client.reply(to: method))
    }
}
