#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A TCP socket that never blocks and never raises SIGPIPE; whoever made it calls ``release()`` or ``reset()`` once.
struct Socket: Sendable {
    /// What came of reading.
    enum Arrival: Sendable, Equatable {
        case bytes([UInt8])

        /// Nothing yet.
        case nothing

        /// The other side has said all, or has gone.
        case end
    }

    let descriptor: Int32

    // MARK: - Listening

    /// Listens on 127.0.0.1; port 0 takes any free one.
    static func listening(on port: UInt16) throws -> Socket {
        let socket = Socket(descriptor: stream())
        guard socket.descriptor >= 0 else { throw EmbeddedGitHub.SocketError("socket") }
        do {
            try socket.bindAndListen(port)
        } catch {
            socket.release()
            throw error
        }
        return socket
    }

    private func bindAndListen(_ port: UInt16) throws {
        enable(SO_REUSEADDR, at: SOL_SOCKET)
        prepare()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound else { throw EmbeddedGitHub.SocketError("bind") }
        guard listen(descriptor, 256) == 0 else { throw EmbeddedGitHub.SocketError("listen") }
    }

    /// The port that it is bound to; 0 if it is not.
    var port: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : 0
    }

    /// The next connection that waits to be taken; nil if there is none or no descriptor is left for it.
    func takeConnection() -> Socket? {
        let connection = Socket(descriptor: accept(descriptor, nil, nil))
        guard connection.descriptor >= 0 else { return nil }
        connection.prepare()
        connection.enable(Int32(TCP_NODELAY), at: Int32(IPPROTO_TCP))
        return connection
    }

    // MARK: - Bytes

    /// Reads what is there, at most 16 KB of it.
    func read() -> Arrival {
        receive(flags: 0, capacity: 16 * 1024)
    }

    /// Whether the other side has closed its half, as far as the bytes that nobody has read yet do not hide it.
    var hasEnded: Bool {
        receive(flags: Self.peek, capacity: 1) == .end
    }

    /// Writes as much as fits now; nil if the other side has gone.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.writeFlags) }
        if count >= 0 { return count }
        return Self.isTransient(errno) ? 0 : nil
    }

    private func receive(flags: Int32, capacity: Int) -> Arrival {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, used in
            count = recv(descriptor, buffer.baseAddress, capacity, flags)
            used = max(count, 0)
        }
        if count > 0 { return .bytes(bytes) }
        return count < 0 && Self.isTransient(errno) ? .nothing : .end
    }

    // MARK: - Ending

    /// Says that no more bytes will follow.
    func finishWriting() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Gives the descriptor back; bytes already written still arrive.
    func release() {
        _ = close(descriptor)
    }

    /// Gives the descriptor back and resets the connection: bytes under way are dropped.
    func reset() {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        release()
    }

    // MARK: - Platform

    private func prepare() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if canImport(Darwin)
        enable(SO_NOSIGPIPE, at: SOL_SOCKET)
        #endif
    }

    private func enable(_ option: Int32, at level: Int32) {
        var on: Int32 = 1
        _ = setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func isTransient(_ code: Int32) -> Bool {
        code == EAGAIN || code == EWOULDBLOCK || code == EINTR
    }

    #if canImport(Darwin)
    private static let writeFlags: Int32 = 0  // SO_NOSIGPIPE does it
    private static let peek = MSG_PEEK

    private static func stream() -> Int32 { socket(AF_INET, SOCK_STREAM, 0) }
    #else
    private static let writeFlags = Int32(MSG_NOSIGNAL)
    private static let peek = Int32(MSG_PEEK)

    private static func stream() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    #endif
}
