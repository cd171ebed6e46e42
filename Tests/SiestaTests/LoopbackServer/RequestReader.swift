import Foundation

/// Reads one request after another from a connection.
struct RequestReader {
    private let connection: Socket
    private var buffer = Data()

    init(_ connection: Socket) {
        self.connection = connection
    }

    /// Waits for a request and its body; nil if the connection ended, or what came is not HTTP.
    mutating func next() throws -> ReceivedRequest? {
        guard let head = bytes(upTo: "\r\n\r\n"), var request = ReceivedRequest(head: head) else { return nil }
        if request.header("Expect")?.lowercased() == "100-continue" {
            try connection.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        let isChunked = request.header("Transfer-Encoding")?.lowercased() == "chunked"
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        guard let body = isChunked ? chunkedBody() : bytes(count: length) else { return nil }
        request.body = body
        return request
    }

    private mutating func chunkedBody() -> Data? {
        var body = Data()
        while let line = bytes(upTo: "\r\n"), let size = Int(String(decoding: line, as: UTF8.self), radix: 16) {
            guard let chunk = bytes(count: size), bytes(upTo: "\r\n") != nil else { return nil }
            if size == 0 { return body }
            body.append(chunk)
        }
        return nil
    }

    /// Takes what comes before `separator`, and the separator away.
    private mutating func bytes(upTo separator: String) -> Data? {
        let separator = Data(separator.utf8)
        while true {
            if let range = buffer.range(of: separator) {
                let result = buffer[..<range.lowerBound]
                buffer = Data(buffer[range.upperBound...])
                return Data(result)
            }
            guard fill() else { return nil }
        }
    }

    private mutating func bytes(count: Int) -> Data? {
        while buffer.count < count {
            guard fill() else { return nil }
        }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    private mutating func fill() -> Bool {
        let more = connection.receive()
        buffer.append(more)
        return !more.isEmpty
    }
}
