import Foundation
import SiestaCore
import SiestaJSON

@testable import SiestaInspector

/// The requests of the page to a running inspector.
struct PageClient {
    let port: UInt16
    let token: String

    init(_ url: URL) {
        port = UInt16(url.port ?? 0)
        token = url.path.split(separator: "/").first.map(String.init) ?? ""
    }

    private var head: String { "HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n" }

    /// Returns a response with its head.
    func response(_ path: String) async throws -> String {
        try await RawClient.exchange(port: port, "GET /\(token)/\(path) \(head)\r\n")
    }

    /// Returns a response as JSON.
    func json(_ path: String) async throws -> JSONValue { try Self.body(of: await response(path)) }

    /// Carries out an action, and returns the response as JSON.
    func act(_ name: String, _ body: String) async throws -> JSONValue {
        let text = """
            POST /\(token)/actions/\(name) \(head)X-Siesta-Inspector: \(token)\r
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        return try Self.body(of: await RawClient.exchange(port: port, text))
    }

    /// Begins to read events, and returns after the stream has begun.
    func events(after id: Int) async throws -> RawClient {
        let client = try RawClient(port: port)
        client.send("GET /\(token)/events?after=\(id) \(head)\r\n")
        _ = await client.read(until: "retry: 1000\n\n")
        return client
    }

    private static func body(of response: String) throws -> JSONValue {
        try JSONValue(parsing: Data((response.components(separatedBy: "\r\n\r\n").last ?? "").utf8))
    }
}

extension JSONValue {
    /// The rows of a kind.
    func rows(_ kind: String) -> [JSONValue] { self[kind]?.elements ?? [] }
}
