package import Foundation
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

/// A socket of this machine, listening or connected. Only this file of the server makes system calls for sockets.
///
/// One thread reads, writes and closes. Any thread may call ``shutDown()``, which makes the calls of other threads
/// return.
package final class Socket: Sendable {
    /// A system call that failed, or a connection that has ended.
    package struct Failure: Error {
        package let call: String
        package let code: CInt

        init(_ call: String, code: CInt = errno) {
            self.call = call
            self.code = code
        }
    }

    private let descriptor: CInt
    private let boundTo: LoopbackAddress
    private let isOpen = Locked(true)

    private init(descriptor: CInt, address: LoopbackAddress) {
        self.descriptor = descriptor
        boundTo = address
    }

    private convenience init(_ address: LoopbackAddress) throws {
        let descriptor = socket(address.family, Self.streamType, 0)
        guard descriptor >= 0 else { throw Failure("socket") }
        Self.preventSignals(descriptor)
        self.init(descriptor: descriptor, address: address)
    }

    deinit {
        close()
    }

    /// Listens on the given port, or on a free port that the system chooses, so that servers do not conflict.
    package static func listening(at address: LoopbackAddress = .ipv4(), backlog: CInt = 1024) throws -> Socket {
        let listener = try refusing(at: address)
        guard listen(listener.descriptor, backlog) == 0 else { throw Failure("listen") }
        return listener
    }

    /// Takes a free port without listening. Connections are refused, and no other server gets the port meanwhile.
    package static func refusing(at address: LoopbackAddress = .ipv4()) throws -> Socket {
        let bound = try Socket(address)
        if address.port != 0 {  // a given port must be usable again while old connections linger
            var option: CInt = 1
            setsockopt(bound.descriptor, SOL_SOCKET, SO_REUSEADDR, &option, socklen_t(MemoryLayout<CInt>.size))
        }
        let result = try address.withSystemAddress { bind(bound.descriptor, $0, $1) }
        guard result == 0 else { throw Failure("bind") }
        return bound
    }

    /// Connects to a server of this machine, for tests that are clients themselves.
    package static func connected(to address: LoopbackAddress) throws -> Socket {
        let client = try Socket(address)
        let result = try address.withSystemAddress { connect(client.descriptor, $0, $1) }
        guard result == 0 else { throw Failure("connect") }
        return client
    }

    /// Starts to connect to a server of this machine, and does not wait for the result.
    package static func connecting(to address: LoopbackAddress) throws -> Socket {
        let client = try Socket(address)
        let flags = fcntl(client.descriptor, F_GETFL)
        guard fcntl(client.descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else { throw Failure("fcntl") }
        let result = try address.withSystemAddress { connect(client.descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else { throw Failure("connect") }
        return client
    }

    /// Returns the address of the socket.
    package var address: LoopbackAddress {
        get throws {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let result = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            guard result == 0 else { throw Failure("getsockname") }
            return boundTo.completed(by: storage)
        }
    }

    /// The port of the socket.
    package var port: UInt16 {
        get throws { try address.port }
    }

    /// Waits for the next connection. Returns nil when `wake` becomes readable.
    package func accepted(unless wake: Pipe) throws -> Socket? {
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
                return Socket(descriptor: connection, address: boundTo)
            }
            guard [EINTR, ECONNABORTED, EAGAIN].contains(errno) else { throw Failure("accept") }
        }
    }

    /// Waits until connecting has succeeded or failed, but at most this number of seconds. Returns false if neither
    /// happened.
    package func isReady(within seconds: Double) -> Bool {
        var events = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
        return poll(&events, 1, CInt(seconds * 1000)) > 0
    }

    /// Waits for bytes. Returns no bytes at the end of the stream, or if the connection was reset or shut down.
    package func receive() -> Data {
        guard isOpen.withLock({ $0 }) else { return Data() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            return Data(buffer.prefix(max(0, count)))
        }
    }

    /// Passes all bytes to the system, and waits while the system's buffer is full.
    package func send(_ data: Data) throws {
        guard isOpen.withLock({ $0 }) else { throw Failure("send", code: EPIPE) }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { system_send(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure("send") }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends both directions: waiting calls return, and the peer reads the end of the stream.
    package func shutDown() {
        isOpen.withLock { isOpen in
            if isOpen {
                _ = shutdown(descriptor, CInt(SHUT_RDWR))
            }
        }
    }

    /// Ends the sending direction: the peer reads the end of the stream, and can still send.
    package func finishSending() {
        isOpen.withLock { isOpen in
            if isOpen {
                _ = shutdown(descriptor, CInt(SHUT_WR))
            }
        }
    }

    /// Frees the descriptor. Closing again has no effect.
    ///
    /// The peer reads the end of the stream at once, even if a process that is being started still has a copy of the
    /// descriptor.
    package func close() {
        close(afterEnd: true)
    }

    private func close(afterEnd: Bool) {
        isOpen.withLock { isOpen in
            if isOpen {
                if afterEnd { shutdown(descriptor, Int32(SHUT_WR)) }
                _ = system_close(descriptor)
                isOpen = false
            }
        }
    }

    /// Closes the connection so that the peer gets a reset instead of an end of stream.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(afterEnd: false)
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
