import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaTransfers

/// A server of one file that supports ranges (RFC 9110 §14). A test can make it change the file or break off.
final class FileServer: Sendable {
    /// The file, and the way in which it is served.
    struct Content: Sendable {
        var body: Data
        var headers = ["ETag: \"1\"", "Accept-Ranges: bytes"]
        /// The value of `If-Range` for which the server evaluates `Range`.
        var validator = "\"1\""
        /// The number of bytes of a body after which the connection is closed; nil to send all.
        var cut: Int?
        /// Responds to a request for a range. If it returns false, or is nil, the server sends the correct response.
        var answersRange: (@Sendable (ServedExchange, _ offset: Int) throws -> Bool)?
    }

    private let content: Locked<Content>
    private let server: LoopbackServer

    init(_ content: Content) throws {
        let content = Locked(content)
        self.content = content
        server = try LoopbackServer { try Self.answer($0, content.withLock { $0 }) }
    }

    func change(_ change: (inout Content) -> Void) {
        content.withLock(change)
    }

    var url: URL { server.url() }
    var requests: [ReceivedRequest] { server.requests }

    /// The requested ranges; nil for a request without a range.
    var ranges: [String?] { server.requests.map { $0.header("Range") } }

    private static func answer(_ exchange: ServedExchange, _ content: Content) throws {
        let range = exchange.request.header("Range")
        let offset = range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
        guard let offset, exchange.request.header("If-Range") == content.validator else {
            return try send(content.body[...], "200 OK", content.headers, content, to: exchange)
        }
        if let answer = content.answersRange, try answer(exchange, offset) { return }
        let total = content.body.count
        guard offset < total else {
            return try exchange.respond(416, headers: ["Content-Range: bytes */\(total)"])
        }
        let headers = content.headers + ["Content-Range: bytes \(offset)-\(total - 1)/\(total)"]
        try send(content.body[offset...], "206 Partial Content", headers, content, to: exchange)
    }

    private static func send(
        _ body: Data, _ status: String, _ headers: [String], _ content: Content, to exchange: ServedExchange
    ) throws {
        let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)", "", ""]
        try exchange.send(lines.joined(separator: "\r\n"))
        guard let cut = content.cut, cut < body.count else { return try exchange.send(body) }
        try exchange.send(body.prefix(cut))
        exchange.close()
    }
}
