import Foundation
import Isolation
import LoopbackServer
import SiestaSessions
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests of authenticators, over sockets.
@MainActor @Suite(.timeLimit(.test))
struct AuthenticationNetworkTests {
    @Test(arguments: [200, 400, 503])
    func `A response is returned whatever its status`(status: Int) async throws {
        let server = try LoopbackServer { try $0.respond(status, headers: ["X-A: 1"], text: "body") }
        let response = try await AuthenticationNetwork.real().send(URLRequest(url: server.url("/")))
        #expect(response.status == status)
        #expect(response.body == Data("body".utf8))
        #expect(response.header("x-A") == "1")
        #expect(response.header("X-B") == nil)
    }

    @Test func `A response without a body has an empty one`() async throws {
        let server = try LoopbackServer { try $0.respond(204) }
        #expect(try await AuthenticationNetwork.real().send(URLRequest(url: server.url("/"))).body.isEmpty)
    }

    @Test func `A large response arrives`() async throws {
        let body = Data(repeating: 0x20, count: 100_000)
        let server = try LoopbackServer { try $0.respond(body: body) }
        #expect(try await AuthenticationNetwork.real().send(URLRequest(url: server.url("/"))).body == body)
    }

    @Test func `The error of the network is thrown`() async throws {
        let server = try LoopbackServer { $0.reset() }
        let error = await #expect(throws: RequestError.self) {
            _ = try await AuthenticationNetwork.real().send(URLRequest(url: server.url("/?token=s3cret")))
        }
        #expect(error?.code == .network)
        #expect(error?.requestURL?.path == "/")
        #expect(String(describing: error).contains("GET"))
        #expect(!String(describing: error).contains("s3cret"))
    }

    @Test func `An error counts even if there is a response, and no result at all is an error`() async throws {
        let request = URLRequest(url: try #require(URL(string: "https://auth.test/")))
        var cut = NetworkResponse(200, "{")
        cut.error = URLError(.networkConnectionLost)
        for answer in [cut, NetworkResponse(head: nil, body: nil, error: nil)] {
            let error = await #expect(throws: RequestError.self) {
                _ = try await TokenNetwork(answer).network.send(request)
            }
            #expect(error?.code == .network)
        }
    }

    @Test func `The cancellation of the task ends the wait, and closes the connection`() async throws {
        let (arrived, closed) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            arrived.open()
            exchange.waitForDisconnect()
            closed.open()
        }
        let request = URLRequest(url: server.url("/"))
        let network = AuthenticationNetwork.real()
        let task = Task { try await network.send(request) }
        await arrived.wait()
        task.cancel()
        #expect(await isCancelled(task))
        await closed.wait()
    }

    @Test func `A task that was cancelled before sends nothing`() async throws {
        let network = TokenNetwork("{}")
        let request = URLRequest(url: try #require(URL(string: "https://auth.test/")))
        let gate = Gate()
        let task = Task {
            await gate.wait()
            return try await network.network.send(request)
        }
        task.cancel()
        #expect(await isCancelled(task))
        await mainQueueTurn()
        #expect(network.requests.isEmpty)
    }

    @Test func `A provider may complete during the call, and after a cancellation`() async throws {
        let request = URLRequest(url: try #require(URL(string: "https://auth.test/")))
        #expect(try await TokenNetwork("{}").network.send(request).status == 200)
        let late = Locked<(@Sendable (NetworkResponse) -> Void)?>(nil)
        let started = Gate()
        let network = AuthenticationNetwork(clock: .system) { _, completion in
            late.withLock { $0 = completion }
            started.open()
            return Silent()
        }
        let task = Task { try await network.send(request) }
        await started.wait()
        task.cancel()
        #expect(await isCancelled(task))
        late.withLock { $0 }?(NetworkResponse(200, "late"))
    }

    private func isCancelled(_ task: Task<AuthenticatedResponse, any Error>) async -> Bool {
        let error = await #expect(throws: RequestError.self) { _ = try await task.value }
        return error?.code == .cancelled
    }

    @Test func `The error of a custom provider is the cause, and a request that the network cancels is cancelled`()
        async throws
    {
        struct Jammed: Error {}
        let request = URLRequest(url: try #require(URL(string: "https://auth.test/")))
        for (cause, code) in [(Jammed(), .other), (URLError(.cancelled), .cancelled)]
            as [(any Error, RequestError.Code)]
        {
            let network = TokenNetwork(NetworkResponse(head: nil, body: nil, error: cause))
            let error = await #expect(throws: RequestError.self) { _ = try await network.network.send(request) }
            #expect(error?.code == code)
            #expect(error?.timestamp == network.clock.clock.wallTime)
        }
    }

    /// A provider that ignores cancellations.
    private struct Silent: RequestNetworking {
        func cancel() {}
        var transferMetrics: RequestTransferMetrics { .nothing }
    }

    @Test func `The time is the clock's`() {
        let network = TokenNetwork()
        #expect(network.network.now == Date(timeIntervalSinceReferenceDate: network.clock.clock.wallTime))
    }
}
