#if os(Linux)
import CurlTransport
import Foundation
import LoopbackServer
import TestDoubles
import TestKit
import Testing
import Waiting

import SiestaRetrying
@testable import SiestaCore
@testable import SiestaNetworking

@MainActor @Suite(.timeLimit(.test))
struct SystemNetworkStatusTests {
    private final class Owner {
        var calls: [Bool] = []
    }

    @Test func `The status of this machine is known at once`() {
        let status = NetworkStatus.system
        let sockets = RouteSockets()
        var reader = sockets.map { RouteReader($0) }
        #expect(reader?.read() ?? true == status.isConnected)
    }

    @Test func `Without access to the routes, the status is always true`() {
        #expect(NetworkStatus(nil).isConnected)
    }

    @Test func `A released status stops watching and closes its sockets`() async throws {
        weak var sockets: RouteSockets?
        do {
            let new = try #require(RouteSockets())
            sockets = new
            _ = NetworkStatus(new)
        }
        try await Poll.until { sockets == nil }
    }

    @Test(.enabled(if: NetworkNamespace.obstacle == nil, "\(NetworkNamespace.obstacle ?? "")"))
    func `The status follows the interfaces of a network namespace`() async throws {
        let namespace = NetworkNamespace()
        let sockets = try #require(try await namespace.run { RouteSockets() })
        let (status, owner) = (NetworkStatus(sockets), Owner())
        status.onChange(owner: owner) { [unowned owner] in owner.calls.append(status.isConnected) }
        #expect(!status.isConnected)

        try await namespace.ip("link set lo up")
        try await namespace.ip("link add veth0 type veth peer name veth1")
        try await namespace.ip("address add 192.0.2.1/24 dev veth0")
        try await namespace.ip("link set veth1 up")
        #expect(!status.isConnected)
        for _ in 1...2 {
            try await namespace.ip("link set veth0 up")
            try await Poll.until { status.isConnected }
            try await namespace.ip("link set veth0 down")
            try await Poll.until { !status.isConnected }
        }
        try await namespace.ip("link set veth0 up")
        try await Poll.until { status.isConnected }
        try await namespace.ip("link set veth1 down")  // veth0 has no carrier
        try await Poll.until { !status.isConnected }
        #expect(owner.calls == [true, false, true, false, true, false])
    }

    @Test(.enabled(if: NetworkNamespace.obstacle == nil, "\(NetworkNamespace.obstacle ?? "")"))
    func `A global network of IPv6 counts as a connection, and a link-local network does not`() async throws {
        let namespace = NetworkNamespace()
        let sockets = try #require(try await namespace.run { RouteSockets() })
        try await namespace.ip("link add veth0 type veth peer name veth1")
        try await namespace.ip("link set veth1 up")
        try await namespace.ip("link set veth0 up")
        try await namespace.ip("-6 route add fe80:1::/64 dev veth0")
        let status = NetworkStatus(sockets)
        #expect(!status.isConnected)
        try await namespace.ip("-6 address add 2001:db8::1/64 dev veth0 nodad")
        try await Poll.until { status.isConnected }
        try await namespace.ip("-6 address del 2001:db8::1/64 dev veth0")
        try await Poll.until { !status.isConnected }
    }

    @Test(.enabled(if: NetworkNamespace.obstacle == nil, "\(NetworkNamespace.obstacle ?? "")"))
    func `A table with thousands of routes is read in parts`() async throws {
        let namespace = NetworkNamespace()
        let sockets = try #require(try await namespace.run { RouteSockets() })
        try await changeThousandsOfRoutes("add", in: namespace)
        sockets.discardReports()
        var reader = RouteReader(sockets)
        #expect(reader.read(maximum: 1) == nil)
        #expect(reader.read(maximum: 1) == nil)
        #expect(reader.read() == false)
        #expect(reader.read() == false)
        let status = NetworkStatus(sockets)
        try await Poll.until { !status.isConnected }

        // The reports of so many changes exceed the buffer of the socket, and interrupt the answers of the kernel.
        try await namespace.ip("link add veth0 type veth peer name veth1")
        try await namespace.ip("address add 192.0.2.1/24 dev veth0")
        try await namespace.ip("link set veth1 up")
        try await changeThousandsOfRoutes("delete", in: namespace)
        try await namespace.ip("link set veth0 up")
        try await changeThousandsOfRoutes("add", in: namespace)
        try await Poll.until { status.isConnected }
        try await changeThousandsOfRoutes("delete", in: namespace)
        try await namespace.ip("link set veth0 down")
        try await Poll.until { !status.isConnected }
    }

    @Test(.enabled(if: NetworkNamespace.obstacle == nil, "\(NetworkNamespace.obstacle ?? "")"))
    func `A load without a network waits until the interface returns, and then succeeds`() async throws {
        let (client, server) = (NetworkNamespace(), NetworkNamespace())
        let sockets = try #require(try await client.run { RouteSockets() })
        try await client.ip("link add veth0 type veth peer name veth1")
        try await client.move("veth1", to: server)
        try await client.ip("address add 192.0.2.1/24 dev veth0")
        try await server.ip("address add 192.0.2.2/24 dev veth1")
        try await server.ip("link set veth1 up")
        // A kept connection would wait for the interface itself.
        let http = try await server.run {
            try LoopbackServer(.namespace()) { try $0.respond(headers: ["Connection: close"], text: "here") }
        }
        defer { http.stop() }
        // A transport with cookies has a thread of its own, which belongs to the namespace of its creator.
        let transport = try await client.run {
            var options = TransportOptions()
            options.keepsCookies = true
            return try CurlTransport(options: options)
        }
        let service = Service(
            baseURL: "http://192.0.2.2:\(http.address.port)", networking: CurlProvider(transport: transport))
        service.networkStatus = NetworkStatus(sockets)
        service.configure { $0.offline = .wait(upTo: 60) }
        let resource = service.resource("/")

        for _ in 1...2 {
            let request = resource.load()
            try await Poll.until { resource.retry?.reason == .offline }
            #expect(resource.isLoading)
            try await client.ip("link set veth0 up")
            let entity = try await request.value
            #expect(entity.content as? Data == Data("here".utf8))
            #expect(resource.retry == nil)
            #expect(!resource.isLoading)
            try await client.ip("link set veth0 down")
            try await Poll.until { !service.networkStatus.isConnected }
        }
    }

    private func changeThousandsOfRoutes(_ command: String, in namespace: NetworkNamespace) async throws {
        let lines = (0..<5000).map { "route \(command) blackhole 10.\($0 >> 8).\($0 & 255).0/24\n" }.joined()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("routes-\(UUID().uuidString)")
        try Data(lines.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await namespace.ip("-batch \(file.path)")
    }
}
#endif
