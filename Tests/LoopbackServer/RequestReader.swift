import Foundation

/// Reads one request after another from a connection.
struct RequestReader {
    private let socket: Socket
    private var buffer = Data()

    init(_ socket: Socket) {
        self.socket = socket
    }

    /// Waits for the head of a request. Returns nil if the connection ended, or the received bytes are not HTTP.
    mutating func head() -> ReceivedRequest? {
        guard let head = bytes(upTo: "\r\n\r\n"), var request = ReceivedRequest(head: head) else { return nil }
        request.bytes += Data("\r\n\r\n".utf8)
        return request
    }

    /// Waits for the whole body of a request and stores it in the request. Returns false if the connection ended
    /// before.
    mutating func readBody(of request: inout ReceivedRequest) throws -> Bool {
        if request.header("Expect")?.lowercased() == "100-continue" {
            try socket.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        guard request.header("Transfer-Encoding")?.lowercased() != "chunked" else {
            return readChunkedBody(of: &request)
        }
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        guard let body = bytes(count: length) else { return false }
        request.body = body
        request.bytes += body
        return true
    }

    /// Waits for any bytes. Returns no bytes if the connection has ended.
    mutating func someBytes() -> Data {
        defer { buffer = Data() }
        return buffer.isEmpty ? socket.receive() : buffer
    }

    private mutating func readChunkedBody(of request: inout ReceivedRequest) -> Bool {
        while let line = bytes(upTo: "\r\n"), let size = Self.chunkSize(line) {
            guard let chunk = bytes(count: size), let end = bytes(upTo: "\r\n"), end.isEmpty else { return false }
            request.body += chunk
            request.bytes += line + Data("\r\n".utf8) + chunk + Data("\r\n".utf8)
            if size == 0 { return true }
        }
        return false
    }

    /// Returns the size in the first line of a chunk. The line may have extensions.
    private static func chunkSize(_ line: Data) -> Int? {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        return Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// Removes all bytes up to and including `separator`. Returns the bytes before it.
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
        let more = socket.receive()
        buffer.append(more)
        return !more.isEmpty
    }
}
