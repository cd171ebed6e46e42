/// The response of the inspector to one request. Pure.
struct HTTPReply: Sendable {
    let status: Int
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// Creates a response without content, which says nothing but its status.
    init(status: Int) { self.status = status }

    /// Creates a response with content.
    init(_ type: String, _ body: [UInt8]) {
        status = 200
        fields = [("Content-Type", type)]
        self.body = body
    }

    /// Creates a response with JSON.
    static func json(_ body: [UInt8]) -> HTTPReply { HTTPReply("application/json", body) }

    /// The head as it is sent. A stream of events has no length, and ends with its connection.
    func head(isStream: Bool = false) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.phrases[status] ?? "Error")\r\n"
        for (name, value) in fields + Self.common { text += "\(name): \(value)\r\n" }
        if !isStream { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "Connection: close\r\n\r\n").utf8)
    }

    /// The fields of every response. `Cross-Origin-Resource-Policy` keeps pages of other origins from embedding it.
    private static let common = [
        (name: "Cache-Control", value: "no-store"), (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "X-Frame-Options", value: "DENY"), (name: "Referrer-Policy", value: "no-referrer"),
        (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    ]

    private static let phrases = [
        200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        408: "Request Timeout", 409: "Conflict", 413: "Content Too Large", 422: "Unprocessable Content",
        431: "Request Header Fields Too Large", 501: "Not Implemented", 503: "Service Unavailable",
    ]
}
