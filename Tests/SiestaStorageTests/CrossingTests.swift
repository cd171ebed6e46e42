import CacheTorture
import Foundation
import Isolation
import LoopbackServer
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import Siesta
@testable import SiestaStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Two features at once.
@MainActor @Suite(.timeLimit(.test))
struct CrossingTests {
    private let app = RestartedApp()
    private let network = StubNetwork()

    @Test func `A 304 of another resource, to which a redirect now leads, confirms nothing`() async throws {
        let target = Locked(1)
        let server = try LoopbackServer { exchange in
            let number = target.withLock { $0 }
            switch exchange.request.target {
            case "/current": try exchange.respond(302, headers: ["Location: /documents/\(number)"])
            default:
                if exchange.request.header("If-None-Match") == "\"1\"" {
                    return try exchange.respond(304, headers: ["ETag: \"1\""])
                }
                try exchange.respond(headers: ["Content-Type: text/plain", "ETag: \"1\""], text: "document \(number)")
            }
        }
        let service = Service(baseURL: server.url("/"))
        let current: TypedResource<String> = service.resource("/current").typed()
        try await current.load()
        #expect(current.content == "document 1")
        target.withLock { $0 = 2 }
        try await current.load()
        #expect(current.content == "document 2")
    }

    @Test func `The condition of a change does not belong to the resource to which a 303 leads`() async throws {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("PUT", _): try exchange.respond(303, headers: ["Location: /receipts/9"])
            case (_, "/receipts/9"):
                if exchange.request.header("If-Match") != nil { return try exchange.respond(412) }
                try exchange.respond(headers: ["Content-Type: text/plain"], text: "done")
            default:
                try exchange.respond(
                    headers: ["Content-Type: application/json", "ETag: \"1\""], text: #"{"name": "Ada", "stars": 0}"#)
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.decode("/users/*", as: DurableUser.self, requestMethods: [.get])
        service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
        let user: TypedResource<DurableUser> = service.resource("/users/1").typed()
        try await user.load()
        let result = await user.mutate(.put, body: DurableUser(name: "Grace")) { $0.name = "Grace" }.change.request
            .response.response
        if case .failure(let error) = result { Issue.record("\(error)") }
    }

    @Test(arguments: [true, false])
    func `Data that was asked for before a deletion does not bring the resource back`(isSeed: Bool) async throws {
        let service = app.start(network, nil)
        let user = try await app.loaded(service, network)
        let list = service.resource("/list")
        let owner = NSObject()
        list.addObserver(owner: owner) { _, event in
            guard case .newData = event else { return }
            if isSeed {
                service.seed(DurableUser(name: "Older"), for: user)
            } else {
                service.seed(Entity(content: DurableUser(name: "Older"), headers: [:]), for: user.resource)
            }
        }
        network.answer(.get, "/list", with: .held)
        let load = list.load()
        let sent = try await network.exchange(2)
        app.clock.advance(by: 1)
        network.answer(.delete, "/users/1", with: .response(204))
        _ = try await user.mutate(.delete).value
        #expect(user.content == nil)
        app.clock.advance(by: 1)
        sent.respond(with: .response(200, body: Data("x".utf8)))
        await load.completion()
        #expect(user.content == nil)
        app.clock.advance(by: 1)
        service.seed(DurableUser(name: "Newer"), for: user)
        #expect(user.content?.name == "Newer")
        extendLifetime(owner)
    }
}
