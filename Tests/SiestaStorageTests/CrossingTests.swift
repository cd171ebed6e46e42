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
}
