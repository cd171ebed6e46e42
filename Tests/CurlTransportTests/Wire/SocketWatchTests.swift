#if os(Linux)
import Foundation
import TestKit
import Testing

@testable import CurlTransport

/// The sockets that are closed because bytes have arrived on them.
@Suite(.timeLimit(.test))
struct SocketWatchTests {
    @Test(arguments: [0, 1])
    func `Of two connections with the same local port, the one that carries HTTP/1.1 is looked at`(_ index: Int) throws
    {
        let port = in_port_t.random(in: 20_000..<30_000)
        let servers = try ["127.0.0.1", "127.0.0.2"].map { try RawSocket(listeningAt: $0) }
        let clients = try servers.map { try RawSocket(connectedTo: $0, from: port) }
        let peers = try servers.map { try $0.accepted() }
        var watch = try SocketWatch()
        for client in clients { watch.note(client.number, isHTTP1: false) }
        watch.noteHTTP1(port: Int32(port), or: clients[index].number)
        peers[1 - index].send("x")
        let isQuietBefore = watch.isQuiet(port: Int32(port))
        peers[index].send("x")
        let isQuietAfter = watch.isQuiet(port: Int32(port))
        #expect(isQuietBefore, "the other one may carry HTTP/2")
        #expect(!isQuietAfter)
        withExtendedLifetime((servers, clients, peers)) {}
    }
}

/// A socket of the system with a local port that a test chooses.
private final class RawSocket {
    let number: Int32
    private var address = sockaddr_in()

    struct Failure: Error {
        let code = errno
    }

    private init(_ number: Int32) throws {
        self.number = number
        guard number >= 0 else { throw Failure() }
    }

    convenience init(listeningAt host: String) throws {
        try self.init(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, host, &address.sin_addr)
        guard withAddress(bind) == 0, listen(number, 5) == 0 else { throw Failure() }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
        }
    }

    convenience init(connectedTo server: RawSocket, from port: in_port_t) throws {
        try self.init(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var option: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &option, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(number, SOL_SOCKET, SO_REUSEPORT, &option, socklen_t(MemoryLayout<Int32>.size))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard withAddress(bind) == 0, server.withAddress({ connect(number, $1, $2) }) == 0 else { throw Failure() }
    }

    deinit { close(number) }

    func accepted() throws -> RawSocket { try RawSocket(accept(number, nil, nil)) }

    /// Sends text and waits until it has arrived. On one machine, it arrives at once.
    func send(_ text: String) {
        _ = Glibc.send(number, text, text.utf8.count, 0)
    }

    private func withAddress(_ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
#endif
