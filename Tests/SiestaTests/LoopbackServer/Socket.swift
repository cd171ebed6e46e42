import Foundation

@testable import Siesta

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A TCP socket on 127.0.0.1, listening or connected; the only file of the server that talks to the system.
///
/// One thread reads, writes and closes. Any thread may call ``shutDown()``, which makes the others' calls return.
final class Socket: Sendable {
    /// A system call that failed, or a connection that is no more.
    struct Failure: Error {
        let call: String
        let code: CInt

        init(_ call: String, code: CInt = errno) {
            self.call = call
            self.code = code
        }
    }

    private let descriptor: CInt
    private let isOpen = Locked(true)

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close()
    }

    /// Listens on a port that is free now, so that servers never get into each other's way.
    static func listening() throws -> Socket {
        let listener = try refusing()
        guard listen(listener.descriptor, 1024) == 0 else { throw Failure("listen") }
        return listener
    }

    /// Takes a free port and listens to nobody: connecting is refused, and no other server gets the port meanwhile.
    static func refusing() throws -> Socket {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw Failure("socket") }
        let bound = Socket(descriptor: descriptor)
        var address = loopbackAddress
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure("bind") }
        return bound
    }

    /// Connects to a port of this machine, for tests that are clients themselves.
    static func connected(to port: UInt16) throws -> Socket {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw Failure("socket") }
        preventSignals(descriptor)
        let client = Socket(descriptor: descriptor)
        var address = loopbackAddress
        address.sin_port = port.bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure("connect") }
        return client
    }

    /// The port that the socket is bound to.
    var port: UInt16 {
        get throws {
            var address = Self.loopbackAddress
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            guard result == 0 else { throw Failure("getsockname") }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// Waits for the next connection; nil once `wake` has something to read.
    func accepted(unless wake: Pipe) throws -> Socket? {
        while true {
            var events = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&events, 2, -1) >= 0 || errno == EINTR else { throw Failure("poll") }
            if events[1].revents != 0 { return nil }
            guard events[0].revents != 0 else { continue }
            let connection = accept(descriptor, nil, nil)
            if connection >= 0 {
                Self.preventSignals(connection)
                return Socket(descriptor: connection)
            }
            guard [EINTR, ECONNABORTED, EAGAIN].contains(errno) else { throw Failure("accept") }
        }
    }

    /// Waits for bytes; empty at the end of the stream, and once the connection is reset or shut down.
    func receive() -> Data {
        guard isOpen.withLock({ $0 }) else { return Data() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            return Data(buffer.prefix(max(0, count)))
        }
    }

    /// Hands all bytes to the system, waiting while its buffer is full.
    func send(_ data: Data) throws {
        guard isOpen.withLock({ $0 }) else { throw Failure("send", code: EPIPE) }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { system_send(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure("send") }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends both directions: calls that wait return, the peer reads the end of the stream.
    func shutDown() {
        isOpen.withLock { isOpen in
            if isOpen {
                _ = shutdown(descriptor, CInt(SHUT_RDWR))
            }
        }
    }

    /// Frees the descriptor. Closing again does nothing.
    func close() {
        isOpen.withLock { isOpen in
            if isOpen {
                _ = system_close(descriptor)
                isOpen = false
            }
        }
    }

    /// Closes the connection so that the peer gets a reset instead of an end of stream.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    private static var loopbackAddress: sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    #if canImport(Darwin)
    private static let streamType = SOCK_STREAM

    /// Makes writing to a closed connection an error instead of a signal that ends the process.
    private static func preventSignals(_ descriptor: CInt) {
        var option: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &option, socklen_t(MemoryLayout<CInt>.size))
    }
    #elseif canImport(Musl)
    private static let streamType = SOCK_STREAM

    private static func preventSignals(_ descriptor: CInt) {}  // each send does
    #else
    private static let streamType = CInt(SOCK_STREAM.rawValue)

    private static func preventSignals(_ descriptor: CInt) {}  // each send does
    #endif
}

/// `close(2)`, whose name a method hides.
private func system_close(_ descriptor: CInt) -> CInt {
    close(descriptor)
}

/// `send(2)`, whose name a method hides.
private func system_send(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    send(descriptor, bytes, count, 0)
    #else
    send(descriptor, bytes, count, CInt(MSG_NOSIGNAL))
    #endif
}
