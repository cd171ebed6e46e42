/// One answer before it is put on the wire.
struct HTTPResponse: Sendable, Equatable {
    var status: Int
    var headers = HTTPHeaders()
    var body: [UInt8] = []

    /// The number of the event after which all events follow the content, without an end; nil for an answer with an end.
    var streamsAfter: Int?

    /// An answer with content.
    init(_ status: Int, contentType: String, body: [UInt8]) {
        (self.status, self.body) = (status, body)
        headers = ["Content-Type": contentType]
    }

    /// An answer whose content is JSON.
    init(_ status: Int, json: JSON) {
        self.init(status, contentType: "application/json; charset=utf-8", body: json.utf8)
    }

    /// An answer without content.
    init(_ status: Int) {
        self.status = status
    }

    /// Whether this status may have content at all (RFC 9110 section 6.4.1).
    var mayHaveContent: Bool {
        status >= 200 && status != 204 && status != 304
    }

    /// The bytes up to and including the empty line.
    ///
    /// `Content-Length` is the size of the body, also when the body is then left out because the request was a HEAD.
    func head(keepsAlive: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.reason(for: status))\r\n"
        for field in headers.fields {
            text += "\(field.name): \(field.value)\r\n"
        }
        if mayHaveContent, streamsAfter == nil { text += "Content-Length: \(body.count)\r\n" }
        text += "Connection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
        return Array(text.utf8)
    }

    private static func reason(for status: Int) -> String {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 302: "Found"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 422: "Unprocessable Entity"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 505: "HTTP Version Not Supported"
        default: "Status \(status)"
        }
    }
}
