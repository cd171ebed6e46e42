import Foundation
import Isolation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A descriptor of the inspector's server: its listener, or a connection. Only this file makes system calls for sockets.
///
/// No call blocks. The owner closes the descriptor; copies become invalid.
struct ServerSocket: Sendable {
    let number: CInt

    /// A system call that failed.
    struct Failure: Error, CustomStringConvertible {
        let call: String
        let code: CInt

        init(_ call: String, code: CInt = errno) { (self.call, self.code) = (call, code) }

        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// Listens on 127.0.0.1.
    ///
    /// - Parameter port: the port; 0 for a free port that the system chooses.
    static func listening(port: UInt16) throws(Failure) -> ServerSocket {
        let number = socket(AF_INET, streamType, 0)
        guard number >= 0 else { throw Failure("socket") }
        let result = ServerSocket(number: number)
        do throws(Failure) {
            try result.listen(port: port)
            return result
        } catch {
            result.close()
            throw error
        }
    }

    private func listen(port: UInt16) throws(Failure) {
        prepare()
        var option: CInt = 1  // so that a given port can be used again while old connections linger
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &option, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0 else { throw Failure("bind") }
        // A longer queue than the limit of connections: a client that finds it full would try again only after a second.
        guard system_listen(number, 1024) == 0 else { throw Failure("listen") }
    }

    /// The port of the socket.
    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : 0
    }

    /// Returns the next connection; nil if none waits, or if the process has too many descriptors.
    func accepted() -> ServerSocket? {
        while true {
            let connection = accept(number, nil, nil)
            if connection >= 0 {
                let socket = ServerSocket(number: connection)
                socket.prepare()
                return socket
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// The result of a read or a write.
    enum Transfer {
        case bytes(Int)
        case later
        case ended
    }

    /// Reads bytes that have arrived.
    func receive(_ buffer: inout [UInt8]) -> Transfer {
        let size = buffer.count
        let count = buffer.withUnsafeMutableBytes { bytes in uninterrupted { recv(number, bytes.baseAddress, size, 0) }
        }
        if count > 0 { return .bytes(count) }
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .later : .ended
    }

    /// Writes as many bytes as the system takes. A closed connection is no signal.
    func send(_ bytes: ArraySlice<UInt8>) -> Transfer {
        let count = bytes.withUnsafeBytes { bytes in
            uninterrupted { system_send(number, bytes.baseAddress, bytes.count) }
        }
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EWOULDBLOCK ? .later : .ended
    }

    /// Ends the sending direction.
    func finishSending() { _ = shutdown(number, CInt(SHUT_WR)) }

    func close() { _ = system_close(number) }

    /// Makes calls return at once, keeps the descriptor out of child processes, and makes a write to a closed connection
    /// an error instead of a signal.
    private func prepare() {
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        var option: CInt = 1
        setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &option, socklen_t(MemoryLayout<CInt>.size))
        #endif
    }

    #if canImport(Glibc)
    private static let streamType = CInt(SOCK_STREAM.rawValue)
    #else
    private static let streamType: CInt = SOCK_STREAM
    #endif
}

/// `listen(2)`, whose name a method hides.
private func system_listen(_ descriptor: CInt, _ backlog: CInt) -> CInt { listen(descriptor, backlog) }

/// `close(2)`, whose name a method hides.
private func system_close(_ descriptor: CInt) -> CInt { close(descriptor) }

/// `send(2)`, whose name a method hides.
private func system_send(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    send(descriptor, bytes, count, 0)
    #else
    send(descriptor, bytes, count, CInt(MSG_NOSIGNAL))
    #endif
}
