import EmbeddedGitHub
import Foundation
import Testing

/// All tests that open sockets, one after the other, because one of them counts descriptors.
@Suite("Over real sockets", .serialized, .timeLimit(.minutes(2)))
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
