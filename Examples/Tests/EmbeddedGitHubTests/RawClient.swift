import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A client that sends and sees bytes rather than requests, so that nothing a server does wrong is hidden from a test.
///
/// Every read and write gives up after 20 seconds. For one thread at a time; the socket is closed with the last
/// reference.
final class RawClient {
    /// Why there is no connection.
    struct Refused: Error {
        let code: Int32
    }

    private let descriptor: Int32
    private var unread: [UInt8] = []

    init(port: Int) throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        setTimeouts()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        // A server that turns a client away may reset the connection before `connect` returns.
        guard isConnected || errno == ECONNRESET else { throw Refused(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    private func setTimeouts() {
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Makes the end of the connection a reset.
    func resetWhenClosed() {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write($0) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func write(_ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.send(descriptor, buffer.baseAddress, buffer.count, 0)
        #else
        Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    /// Sends a request with the headers that every request needs.
    func request(_ method: String, _ target: String, _ headers: [String: String] = [:]) {
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        send("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(lines)\r\n")
    }

    /// Reads one answer; nil if the connection ends before it is whole.
    func reply(to method: String = "GET") -> Reply? {
        while true {
            if let reply = Reply(unread, isHead: method == "HEAD") {
                unread.removeFirst(reply.length)
                return reply
            }
            guard let bytes = receive() else { return nil }
            unread += bytes
        }
    }

    /// Everything until the end of the connection.
    func rest() -> [UInt8] {
        while let bytes = receive() { unread += bytes }
        defer { unread = [] }
        return unread
    }

    /// Everything until the bytes contain a text, or until the end of the connection.
    func text(until end: String) -> String {
        while !String(decoding: unread, as: UTF8.self).contains(end), let bytes = receive() { unread += bytes }
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// Waits for the first bytes of an answer, which stay unread.
    func waitForBytes() {
        while unread.isEmpty, let bytes = receive() { unread += bytes }
    }

    private func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }
}
