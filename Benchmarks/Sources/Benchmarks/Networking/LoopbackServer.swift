import Foundation

#if canImport(Glibc)
private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
private let streamSocket = SOCK_STREAM
#endif

/// Answers every request on 127.0.0.1 with the same bytes, on a thread of its own for each connection.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let listener: Socket
    private let answer: [UInt8]

    init(body: [UInt8], contentType: String) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n\r\n"
        answer = Array(head.utf8) + body
        listener = try Socket()
        port = try listener.listenOnLoopback()
        Thread.detachNewThread { [listener, answer] in
            while let connection = listener.accept() {
                Thread.detachNewThread { Self.serve(connection, answer) }
            }
        }
    }

    private static func serve(_ connection: Socket, _ answer: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 16384)
        var (filled, matched) = (0, 0)
        while true {
            filled = connection.read(into: &buffer)
            guard filled > 0 else { return }
            for byte in buffer[..<filled] {
                matched = byte == Self.headEnd[matched] ? matched + 1 : (byte == Self.headEnd[0] ? 1 : 0)
                if matched == Self.headEnd.count {
                    matched = 0
                    connection.write(answer)
                }
            }
        }
    }

    private static let headEnd = Array("\r\n\r\n".utf8)

    /// The size of an answer, head included.
    var answerSize: Int { answer.count }
}

/// A connected or listening socket that blocks; closed with its last reference.
final class Socket: Sendable {
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, streamSocket, 0)
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    }

    private init(accepted: Int32) {
        descriptor = accepted
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        close(descriptor)
    }

    func listenOnLoopback() throws -> UInt16 {
        var (address, size) = (Self.loopback(port: 0), socklen_t(MemoryLayout<sockaddr_in>.size))
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, size) == 0, listen(descriptor, 16) == 0,
                    getsockname(descriptor, address, &size) == 0
                else { throw POSIXError(.EADDRNOTAVAIL) }
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    func connect(port: UInt16) throws {
        var address = Self.loopback(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    func accept() -> Socket? {
        let accepted = Foundation.accept(descriptor, nil, nil)
        return accepted < 0 ? nil : Socket(accepted: accepted)
    }

    /// Reads what is there, at least a byte; 0 at the end.
    func read(into buffer: inout [UInt8]) -> Int { max(0, Foundation.read(descriptor, &buffer, buffer.count)) }

    func write(_ bytes: [UInt8]) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            written += count
        }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
