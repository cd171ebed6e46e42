import Foundation
import Isolation
import LoopbackServer

import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct LoopbackServerTests {
    private let provider = SessionConfigurationProvider(.ephemeral)

    @Test func `A server records what it receives, in order`() async throws {
        let server = try LoopbackServer { try $0.respond() }
        var request = URLRequest(posting: Data("body".utf8), to: server.url("/a?b=c"))
        request.setValue("yes", forHTTPHeaderField: "X-Test")
        _ = try await provider.answer(request)
        _ = try await provider.answer(server.url("/next"))
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        #expect(server.requests.map(\.target) == ["/a?b=c", "/next"])
        #expect(server.requests.first?.body == Data("body".utf8))
        #expect(server.requests.first?.header("x-test") == "yes")
    }

    @Test func `Connections are kept alive between requests unless a script closes them`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond()
            if exchange.request.target == "/close" { exchange.close() }
        }
        for path in ["/", "/", "/close"] {
            _ = try await provider.answer(server.url(path))
        }
        #expect(server.connectionCount == 1)
        _ = try await provider.answer(server.url())
        #expect(server.connectionCount == 2)
    }

    @Test func `Stopping lets go of scripts that wait, and of their clients`() async throws {
        let arrived = Gate()
        let server = try LoopbackServer { exchange in
            arrived.open()
            try exchange.wait(for: Gate())
        }
        let started = StartedRequest(server.url(), with: provider)
        await arrived.wait()
        server.stop()
        #expect(try await started.answer.error != nil)
    }

    @Test func `A server that is released stops, and its threads let go of the script`() throws {
        let clients: [Socket]
        weak var released: Locked<Int>?
        do {
            let calls = Locked(0)
            released = calls
            let server = try LoopbackServer { exchange in
                calls.withLock { $0 += 1 }
                exchange.waitForDisconnect()
            }
            clients = try (0..<20).map { _ in try Socket.connected(to: server.address) }
            for client in clients {
                try client.send(Data("GET / HTTP/1.1\r\n\r\n".utf8))
            }
        }
        #expect(released == nil)
        for client in clients {
            #expect(client.receive().isEmpty)
            client.close()
        }
    }

    #if os(Linux)
    @Test func `No descriptor is left of a server that has stopped`() async {
        await #expect(processExitsWith: .success) {
            let before = try Self.socketsAndPipes
            let server = try LoopbackServer { $0.waitForDisconnect() }
            let clients = try (0..<20).map { _ in try Socket.connected(to: server.address) }
            for client in clients {
                try client.send(Data("GET / HTTP/1.1\r\n\r\n".utf8))
            }
            #expect(try Self.socketsAndPipes > before)
            server.stop()
            for client in clients {
                client.close()
            }
            #expect(try Self.socketsAndPipes == before)
        }
    }

    private nonisolated static var socketsAndPipes: Int {
        get throws {
            let folder = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
                return target?.hasPrefix("socket:") == true || target?.hasPrefix("pipe:") == true
            }
        }
    }
    #endif
}
