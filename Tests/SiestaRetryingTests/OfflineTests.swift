import Foundation
import LoopbackServer
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
import Waiting
#endif

/// Requests that fail because there is no network.
@MainActor @Suite(.timeLimit(.test))
struct OfflineTests {
    private func offline(_ configure: @escaping (inout Configuration) -> Void) -> TryingService {
        let trying = TryingService(configure)
        let status = trying.status
        trying.network.handler = { _ in status.isConnected ? .text("a") : .failure(.cannotConnectToHost) }
        status.isConnected = false
        return trying
    }

    @Test func `A load waits for the network, and tells why`() async {
        let trying = offline { $0.offline = .wait(upTo: 60) }
        let load = trying.resource.load()
        await trying.pass(30)
        #expect(trying.sentCount == 1)
        #expect(trying.resource.isLoading)
        #expect(trying.resource.retry?.reason == .offline)
        #expect(trying.resource.retry?.date == nil)
        trying.status.isConnected = true
        await trying.pass(1)
        #expect(load.isCompleted)
        #expect(trying.resource.latestData != nil)
        #expect(trying.sentCount == 2)
        #expect(trying.resource.retry == nil)
    }

    @Test func `After the time, the load fails with its error`() async {
        let trying = offline { $0.offline = .wait(upTo: 60) }
        let load = trying.resource.load()
        await trying.pass(60.1, step: 1)
        #expect(load.isCompleted || trying.sentCount == 1)
        await trying.pass(2)
        #expect(load.isCompleted)
        #expect(trying.sentCount == 1)
        #expect(trying.resource.retry == nil)
        trying.status.isConnected = true
        await trying.pass(5)
        #expect(trying.sentCount == 1)
    }

    @Test func `By default, and with an interval that is not positive, it fails at once`() async {
        for policy in [OfflinePolicy.attempt, .wait(upTo: 0), .wait(upTo: -1), .wait(upTo: .nan)] {
            let trying = offline { $0.offline = policy }
            let load = trying.resource.load()
            await trying.settle()
            #expect(load.isCompleted)
        }
    }

    @Test func `While there is a network, a failure is a failure`() async {
        let trying = offline { $0.offline = .wait(upTo: 60) }
        trying.status.isConnected = true
        trying.network.handler = { _ in .failure(.cannotConnectToHost) }
        let load = trying.resource.load()
        await trying.settle()
        #expect(load.isCompleted)
        #expect(trying.sentCount == 1)
    }

    @Test func `A POST whose outcome is unknown does not wait, one that was not sent does`() async {
        let trying = offline { $0.offline = .wait(upTo: 60) }
        let unsent = trying.resource.request(.post)
        await trying.settle()
        #expect(!unsent.isCompleted)
        trying.network.handler = { _ in .failure(.networkConnectionLost) }
        let unknown = trying.resource.request(.post)
        await trying.settle()
        #expect(unknown.isCompleted)
        #expect(!unsent.isCompleted)
        unsent.cancel()
        #expect(unsent.isCompleted)
        #expect(trying.resource.retry == nil)
    }

    @Test func `A network that comes and goes does not make a hot loop`() async {
        let trying = offline { $0.offline = .wait(upTo: 1000) }
        trying.network.handler = { _ in .failure(.notConnectedToInternet) }
        let load = trying.resource.load()
        for _ in 0..<100 {
            await trying.settle()
            trying.status.isConnected = true
            trying.status.isConnected = false
            trying.clock.advance(by: 0.01)
        }
        await trying.settle()
        #expect(trying.sentCount <= 11)
        load.cancel()
    }

    @Test func `All waits of a request together do not exceed its limit`() async {
        let trying = offline { $0.offline = .wait(upTo: 10) }
        trying.network.handler = { _ in .failure(.notConnectedToInternet) }
        let load = trying.resource.load()
        for _ in 0..<4 {
            await trying.pass(2)
            trying.status.isConnected = true
            trying.status.isConnected = false
        }
        await trying.pass(1)
        #expect(!load.isCompleted)
        #expect(trying.resource.retry?.reason == .offline)
        await trying.pass(1.1)
        #expect(load.isCompleted)
        #expect(trying.resource.retry == nil)
    }

    @Test func `After the last wait for the network, the policy decides`() async {
        let trying = offline {
            $0.retry = .standard
            $0.offline = .wait(upTo: 5)
        }
        trying.network.handler = { _ in .failure(.cannotConnectToHost) }
        let load = trying.resource.load()
        await trying.pass(4.8)
        trying.status.isConnected = true
        trying.status.isConnected = false
        await trying.pass(0.6)
        #expect(!load.isCompleted)
        #expect(trying.sentCount == 2)
        #expect(trying.resource.retry?.reason == .connection)
        #expect(trying.resource.retry?.number == 1)
        load.cancel()
    }

    @Test func `A wait ends when a source with a network replaces one without`() async {
        let trying = offline { $0.offline = .wait(upTo: 60) }
        let load = trying.resource.load()
        await trying.pass(5)
        trying.network.handler = { _ in .text("a") }
        trying.service.networkStatus = NetworkStatus()
        await trying.pass(1)
        #expect(load.isCompleted)
        #expect(trying.resource.latestData != nil)
    }

    @Test func `Waits for the network do not count as retries`() async {
        let trying = offline {
            $0.retry = .standard
            $0.offline = .wait(upTo: 60)
        }
        let load = trying.resource.load()
        await trying.settle()
        trying.network.answer(
            .get, "/thing", with: .response(503), .response(503), .response(503), .text("done"))
        trying.network.handler = nil
        trying.status.isConnected = true
        await trying.pass(0.7)
        #expect(trying.resource.retry?.number == 1)
        #expect(trying.resource.retry?.attempt == 3)
        await trying.pass(8)
        #expect(load.isCompleted)
        #expect(trying.sentCount == 5)
        #expect(trying.resource.latestData != nil)
    }

    @Test func `A network that returns just before the end of the wait is used`() async {
        let trying = offline { $0.offline = .wait(upTo: 60) }
        let load = trying.resource.load()
        await trying.pass(59.8, step: 0.1)
        trying.status.isConnected = true
        await trying.pass(2)
        #expect(load.isCompleted)
        #expect(trying.sentCount == 2)
        #expect(trying.resource.latestData != nil)
    }

    @Test func `A cancelled request is released although its timer is due later`() async {
        let trying = offline { $0.offline = .wait(upTo: 3600) }
        weak var held: NSObject?
        do {
            let object = NSObject()
            held = object
            let load = trying.resource.request(.put) { _ in withExtendedLifetime(object) {} }
            await trying.settle()
            #expect(trying.resource.retry?.reason == .offline)
            load.cancel()
        }
        await trying.settle()
        #expect(held == nil)
        #expect(trying.clock.timers.count == 1)
    }

    @Test func `A POST that was answered by a redirect to nowhere does not wait`() async throws {
        let nobody = try Socket.refusing()
        let target = "http://127.0.0.1:\(try nobody.port)/"
        let server = try LoopbackServer { try $0.respond(303, headers: ["Location: \(target)"]) }
        let (service, status) = (Service(baseURL: server.url()), NetworkStatus())
        service.networkStatus = status
        service.configure { $0.offline = .wait(upTo: 60) }
        status.isConnected = false
        let resource = service.resource("/orders")
        let request = resource.request(.post, text: "x")
        try await Poll.until { request.isCompleted || resource.retry != nil }
        #expect(request.isCompleted)
        #expect(server.requests.count == 1)
        request.cancel()
    }

    @Test func `An attempt that is never made does not count`() async throws {
        let trying = offline { $0.offline = .wait(upTo: 5) }
        let load = trying.resource.load()
        await trying.pass(5.1)
        #expect(trying.sentCount == 1)
        #expect(try await trying.completion(of: load).metrics?.attempts ?? 1 == 1)
    }
}
