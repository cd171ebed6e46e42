#if os(Linux) || os(Android)
import Isolation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Two netlink sockets: the kernel reports changes of the network to one, and answers requests for routes on the other.
///
/// The sockets belong to the network namespace of the thread that creates this object. They are closed when the object
/// is released.
final class RouteSockets: Sendable {
    // The module of the C library does not contain <linux/netlink.h> and <linux/rtnetlink.h>.
    private static let netlinkFamily: CInt = 16
    private static let rawAndCloseOnExec: CInt = 3 | 0o2_000_000
    private static let routeProtocol: CInt = 0
    /// Links (1), addresses of IPv4 (0x10) and IPv6 (0x100), and routes of IPv4 (0x40) and IPv6 (0x400).
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    private static let getRoutes: UInt16 = 26
    private static let requestAndDump: UInt16 = 0x1 | 0x300

    /// The socket that becomes readable after each change.
    let changes: CInt
    private let answers: CInt

    /// Returns nil if the system refuses the sockets. Android refuses them to apps.
    init?() {
        changes = socket(Self.netlinkFamily, Self.rawAndCloseOnExec, Self.routeProtocol)
        answers = socket(Self.netlinkFamily, Self.rawAndCloseOnExec, Self.routeProtocol)
        guard changes >= 0, answers >= 0, subscribe(), limitWaiting() else { return nil }
    }

    deinit {
        for descriptor in [changes, answers] where descriptor >= 0 { close(descriptor) }
    }

    private func subscribe() -> Bool {
        // The address: family: 2  padding: 2  port: 4  groups: 4
        var address: [UInt32] = [0, 0, Self.groups]
        let length = socklen_t(address.count * MemoryLayout<UInt32>.size)
        return address.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: sa_family_t(Self.netlinkFamily), as: sa_family_t.self)
            guard let start = bytes.baseAddress else { return false }
            return bind(changes, start.assumingMemoryBound(to: sockaddr.self), length) == 0
        }
    }

    /// The kernel prepares an answer while it is read. Therefore the limit is reached only if the system is overloaded.
    private func limitWaiting() -> Bool {
        var limit = timeval(tv_sec: 0, tv_usec: 200_000)
        return setsockopt(answers, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) == 0
    }

    /// Removes all reports of changes that have arrived. Does not wait.
    ///
    /// The error `ENOBUFS` says that reports were lost. It is a report of a change, too.
    func discardReports() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let flags = CInt(MSG_DONTWAIT)
        while uninterrupted({ recv(changes, &bytes, bytes.count, flags) }) > 0 || errno == ENOBUFS {}
    }

    /// Asks the kernel for all routes. Returns false if the kernel refuses.
    func request(sequence: UInt32) -> Bool {
        // The header of the message has 16 bytes, and the header of a route has 12. Family 0 stands for all families.
        var bytes = [UInt8](repeating: 0, count: 28)
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: UInt32(bytes.count), as: UInt32.self)
            bytes.storeBytes(of: Self.getRoutes, toByteOffset: 4, as: UInt16.self)
            bytes.storeBytes(of: Self.requestAndDump, toByteOffset: 6, as: UInt16.self)
            bytes.storeBytes(of: sequence, toByteOffset: 8, as: UInt32.self)
        }
        return uninterrupted { send(answers, bytes, bytes.count, 0) } == bytes.count
    }

    /// Waits at most 0.2 seconds for the next datagram of the answer. Returns nil if none arrives, or if it is too long.
    func nextAnswer(in buffer: inout [UInt8]) -> ArraySlice<UInt8>? {
        let count = uninterrupted { recv(answers, &buffer, buffer.count, CInt(MSG_TRUNC)) }
        guard count > 0, count <= buffer.count else { return nil }
        return buffer.prefix(count)
    }
}
#endif
