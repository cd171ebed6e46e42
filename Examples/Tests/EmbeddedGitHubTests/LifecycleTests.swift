import Dispatch
import Foundation
import Testing

@testable import EmbeddedGitHub

extension OverSockets {
    @Suite("A server stops at once, leaves nothing behind, and comes back")
    struct LifecycleTests {
        @Test("its port refuses after a stop, which may be called again")
        func refusal() throws {
            let server = try EmbeddedGitHub()
            #expect(try server.fetch("GET", "/users/mira-sato").status == 200)
            server.stop()
            server.stop()
            let refused = #expect(throws: RawClient.Refused.self) { try server.client() }
            #expect(refused?.code == ECONNREFUSED)
        }

        @Test("it comes back on the same port, with the stars that were given")
        func restart() throws {
            let server = try EmbeddedGitHub()
            let star = "/user/starred/lanternworks/wick"
            _ = try server.fetch("PUT", star, EmbeddedGitHub.authorised)
            for _ in 0..<3 {
                server.stop()
                try server.restart()
                #expect(try server.fetch("GET", star, EmbeddedGitHub.authorised).status == 204)
            }
            try server.restart()
            #expect(try server.fetch("GET", "/users/mira-sato").status == 200)
        }

        @Test("a port that is taken is an error that says so")
        func taken() throws {
            let server = try EmbeddedGitHub()
            let port = UInt16(try #require(server.baseURL.port))
            let error = #expect(throws: EmbeddedGitHub.SocketError.self) { try EmbeddedGitHub(port: port) }
            #expect(error?.code == EADDRINUSE)
            #expect(error?.description == "bind: Address already in use")
            server.stop()
            let other = try EmbeddedGitHub(port: port)
            #expect(throws: EmbeddedGitHub.SocketError.self) { try server.restart() }
            other.stop()
            try server.restart()
            #expect(try server.fetch("GET", "/users/mira-sato").status == 200)
        }

        @Test("a stop cuts an answer in the middle")
        func midResponse() throws {
            let server = try EmbeddedGitHub(behaviour: .init(bytesPerSecond: 1))
            let client = try server.client()
            client.request("GET", "/users/mira-sato")
            client.waitForBytes()
            server.stop()
            #expect(client.reply() == nil)
        }

        @Test("a stop cuts a wait before the first byte")
        func midLatency() throws {
            let gate = Gate()
            let server = try EmbeddedGitHub(behaviour: .init(latency: .infinity), limits: Limits(), pause: gate.watch)
            let client = try server.client()
            client.request("GET", "/users/mira-sato")
            _ = gate.nextWait()
            server.stop()
            #expect(gate.nextEnding() == .stopped)
            #expect(client.rest().isEmpty)
            #expect(server.served.isEmpty)
        }

        @Test("a stop waits neither for idle clients, nor for those who take nothing, nor for halves of requests")
        func stubbornClients() throws {
            let server = try EmbeddedGitHub()
            let clients = try (0..<3).map { _ in try server.client() }
            clients[1].send("GET /us")
            for _ in 0..<200 { clients[2].request("GET", "/orgs/lanternworks/repos?per_page=100") }
            clients[2].waitForBytes()
            server.stop()
            #expect(clients[0].rest().isEmpty)
            #expect(clients[1].rest().isEmpty)
        }

        // In a process of its own, because other tests open descriptors, too.
        @Test("nothing is left: neither descriptors nor threads")
        func leaks() async {
            await #expect(processExitsWith: .success) {
                try LifecycleTests.useAndStop()
                let before = try LifecycleTests.descriptorCount()
                for _ in 0..<5 { try LifecycleTests.useAndStop() }
                #expect(try LifecycleTests.descriptorCount() == before)
                while try LifecycleTests.threadCount() > 0 { sched_yield() }
            }
        }

        @Test("a server that nobody holds stops")
        func release() throws {
            var server: EmbeddedGitHub? = try EmbeddedGitHub()
            let client = try #require(try server?.client())
            let port = try #require(server?.baseURL.port)
            client.request("GET", "/users/mira-sato")
            #expect(client.reply()?.status == 200)
            server = nil
            #expect(client.rest().isEmpty)
            #expect(throws: RawClient.Refused.self) { try RawClient(port: port) }
        }

        @Test("everything may be called from everywhere at once")
        func concurrently() throws {
            let server = try EmbeddedGitHub()
            DispatchQueue.concurrentPerform(iterations: 60) { index in
                switch index % 6 {
                case 0: server.stop()
                case 1: try? server.restart()
                case 2: server.behaviour = .init(latency: 0.001, bytesPerSecond: 100_000)
                case 3: _ = server.served
                default: ask(server)
                }
            }
            try server.restart()
            #expect(try server.fetch("GET", "/users/mira-sato").status == 200)
        }

        /// Asks, and takes what comes, also if it is nothing.
        private func ask(_ server: EmbeddedGitHub) {
            let client = try? server.client()
            client?.request("GET", "/users/mira-sato")
            _ = client?.reply()
        }

        private static func useAndStop() throws {
            let server = try EmbeddedGitHub()
            let clients = try (0..<20).map { _ in try server.client() }
            for client in clients { client.request("GET", "/users/mira-sato") }
            for client in clients.prefix(10) { #expect(client.reply()?.status == 200) }
            server.stop()
        }

        private static func descriptorCount() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
        }

        /// The threads of all servers; always 0 where the system does not list them.
        private static func threadCount() throws -> Int {
            #if os(Linux)
            let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
            let names = tasks.map { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
            return names.filter { $0 == "embedded-github\n" }.count
            #else
            return 0
            #endif
        }
    }
}
