import CacheTorture
import Dispatch
import Foundation
import LoopbackServer

import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The resources that a session leaves behind are counted in separate processes, in which no other test opens or closes
/// descriptors.
@MainActor @Suite(.timeLimit(.test))
struct ExchangeSessionTests {
    @Test func `A storm of requests, half of them cancelled at random: each completes once, and no descriptor is left`()
        async
    {
        await #expect(processExitsWith: .success) { @MainActor in
            try await Storm.rage(requests: 64, inFlight: 32)
            let before = try Descriptors.count
            try await Storm.rage(requests: TestLevel.count(1_024, nightly: 4_000), inFlight: 32)
            try await Descriptors.fall(to: before)
        }
    }

    @Test func `A provider that goes away takes its session along, connections and all`() async {
        await #expect(processExitsWith: .success) { @MainActor in
            try await Storm.rage(requests: 64, inFlight: 32)
            let before = try Descriptors.count
            let server = try LoopbackServer { try $0.respond() }
            weak var released: SessionConfigurationProvider?
            for _ in 0..<20 {
                let provider = SessionConfigurationProvider(.ephemeral)
                released = provider
                _ = try await provider.answer(server.url())
            }
            #expect(released == nil)
            #expect(server.connectionCount == 20)
            server.stop()
            try await Descriptors.fall(to: before)
        }
    }

    @Test func `A request outlives the provider that started it`() async throws {
        let answerIt = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.wait(for: answerIt)
            try exchange.respond(exchange.request.target == "/" ? 302 : 200, headers: ["Location: /next"])
        }
        var provider: SessionConfigurationProvider? = SessionConfigurationProvider(.ephemeral)
        weak let released = provider
        let started = try StartedRequest(server.url(), with: #require(provider))
        provider = nil
        #expect(released == nil)
        answerIt.open()
        #expect(try await started.answer.status == 200)
    }

    @Test func `A process may exit while TLS requests are in flight`() async {
        await #expect(processExitsWith: .exitCode(7)) { @MainActor in
            let arrived = Gate()
            let server = try LoopbackServer.serving { connection in
                arrived.open()
                connection.waitForDisconnect()
            }
            let provider = SessionConfigurationProvider(.ephemeral)
            for _ in 0..<32 {
                let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
                _ = provider.startRequest(URLRequest(url: url)) { _, _, _ in }
            }
            await arrived.wait()
            exit(7)
        }
    }

    @Test func `Exchanges count from their start, before the session has tasks for them`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "done") }
        let mayLoad = DispatchSemaphore(value: 0)
        let cookies = SessionCookies(
            loading: {
                mayLoad.wait()
                return []
            }, onChange: nil)
        let session = ExchangeSession(configuration: .ephemeral, limits: ExchangeLimits())
        let gates = (0..<6).map { _ in Gate() }
        let exchanges = gates.map { gate in
            session.exchange(URLRequest(url: server.url()), cookies: cookies) { _, _, _, _ in gate.open() }
        }
        #expect(session.count == 6)
        mayLoad.signal()
        for gate in gates { await gate.wait() }
        #expect(session.count == 0)
        extendLifetime(exchanges)
    }
}

/// Many requests at once, of which many are cancelled.
@MainActor
private enum Storm {
    /// Sends several requests at a time, and cancels half of them at a random moment.
    /// Expects that each completes exactly once, and that the provider still works afterwards.
    static func rage(requests: Int, inFlight: Int) async throws {
        let server = try LoopbackServer { exchange in
            switch exchange.request.target {
            case "/redirect": try exchange.respond(302, headers: ["Location: /plain"])
            case "/challenge": try exchange.respond(401, headers: [#"WWW-Authenticate: Basic realm="x""#], text: "who?")
            case "/large": try exchange.respond(body: Data(count: 200_000))
            case "/broken": exchange.close()
            default: try exchange.respond(text: "plain")
            }
        }
        let provider = SessionConfigurationProvider(.ephemeral)
        let lanes = (0..<inFlight).map { lane in
            Task { try await self.lane(lane, requests: requests / inFlight, to: server, with: provider) }
        }
        var started: [StartedRequest] = []
        for lane in lanes {
            started += try await lane.value
        }
        #expect(try await provider.answer(server.url("/plain")).text == "plain")
        #expect(started.count == requests)
        #expect(started.allSatisfy { $0.completionCount == 1 })
        server.stop()
    }

    private static func lane(
        _ number: Int, requests: Int, to server: LoopbackServer, with provider: SessionConfigurationProvider
    ) async throws -> [StartedRequest] {
        let paths = ["/plain", "/redirect", "/challenge", "/large", "/broken"]
        var random = SeededGenerator(seed: UInt64(number))
        var result: [StartedRequest] = []
        for _ in 0..<requests {
            let started = StartedRequest(server.url(paths[Int.random(in: 0..<5, using: &random)]), with: provider)
            if Bool.random(using: &random) {
                await Moment.after(.microseconds(Int.random(in: 0..<1000, using: &random)))
                started.networking.cancel()
            }
            _ = try await started.answer
            result.append(started)
        }
        return result
    }
}

/// The open descriptors of this process.
private enum Descriptors {
    static var count: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count }
    }

    /// Polls until there are at most `wanted`: the kernel does not report that a descriptor is closed.
    static func fall(to wanted: Int) async throws {
        try await Poll.until { try count <= wanted }
    }
}
