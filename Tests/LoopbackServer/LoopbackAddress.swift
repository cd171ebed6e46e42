#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The address of a server that only this machine can reach.
package enum LoopbackAddress: Sendable, Hashable {
    /// 127.0.0.1. Port 0 selects a free port.
    case ipv4(port: UInt16 = 0)
    /// ::1. Port 0 selects a free port.
    case ipv6(port: UInt16 = 0)
    /// All IPv4 addresses of the calling thread's network namespace, which must be separate from the machine's. Port 0
    /// selects a free port.
    case namespace(port: UInt16 = 0)
    /// A Unix socket. Its file must not exist before. The creator of the server removes it.
    case unix(path: String)

    /// The port; 0 for a Unix socket.
    package var port: UInt16 {
        switch self {
        case .ipv4(let port), .ipv6(let port), .namespace(let port): port
        case .unix: 0
        }
    }

    /// The host in the form for a URL.
    package var host: String {
        switch self {
        case .ipv4, .namespace: "127.0.0.1"
        case .ipv6: "[::1]"
        case .unix: "localhost"
        }
    }

    var family: CInt {
        switch self {
        case .ipv4, .namespace: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Returns the address with the port that the system has chosen, as reported by `getsockname`.
    func completed(by storage: sockaddr_storage) -> LoopbackAddress {
        withUnsafeBytes(of: storage) { bytes in
            switch self {
            case .ipv4: .ipv4(port: UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_port))
            case .namespace: .namespace(port: UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_port))
            case .ipv6: .ipv6(port: UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port))
            case .unix: self
            }
        }
    }

    /// Calls `body` with the address in the form for system calls.
    func withSystemAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) throws -> CInt {
        switch self {
        case .ipv4(let port), .namespace(let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            if case .ipv4 = self { address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian }
            return Self.with(&address, body)
        case .ipv6(let port):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return Self.with(&address, body)
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let isShortEnough = withUnsafeMutableBytes(of: &address.sun_path) { field in
                guard path.utf8.count < field.count else { return false }
                field.copyBytes(from: path.utf8)
                return true
            }
            guard isShortEnough else { throw Socket.Failure("bind", code: ENAMETOOLONG) }
            return Self.with(&address, body)
        }
    }

    private static func with<Address>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
