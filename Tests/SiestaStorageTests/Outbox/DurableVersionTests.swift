import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaOutboxStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The versions of data that durable changes have made.
@MainActor @Suite(.timeLimit(.test))
struct DurableVersionTests {
    private let app = RestartedApp()
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func start(_ network: StubNetwork) -> Service {
        let url = folder.url.appendingPathComponent("cache")
        return app.start(network, Outbox(at: folder.url.appendingPathComponent("outbox"))) { service in
            service.configure { $0.pipeline[.model].cacheUsing(.file(at: url, of: DurableUser.self)) }
            service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
        }
    }

    @Test(arguments: [
        StubAnswer.response(204, headers: ["ETag": "\"3\""]), .json("{}", headers: ["ETag": "\"3\""]),
    ])
    func `After a restart, no 304 confirms the result of a durable change that the server has not sent`(
        answer: StubAnswer
    ) async throws {
        let network = StubNetwork()
        let first = start(network)
        let user = try await app.loaded(first, network)
        network.answer(.patch, "/users/1", with: answer)
        _ = try await user.rename("Grace").request.value
        #expect(user.content?.name == "Grace")
        await first.flushCaches()
        await first.outbox?.close()

        let later = StubNetwork()
        later.handler = { request in
            guard request.httpMethod == "GET" else { return nil }
            let isAsked = request.value(forHTTPHeaderField: "If-None-Match") == "\"3\""
            return isAsked ? .notModified : .json(#"{"name": "Grace", "stars": 9}"#, headers: ["ETag": "\"3\""])
        }
        let second = start(later)
        let again: TypedResource<DurableUser> = second.resource("/users/1").typed()
        #expect((try? await again.get(.cached))?.name == "Grace")
        #expect(again.isStale)
        later.answer(.put, "/users/1", with: .response(204, headers: ["ETag": "\"4\""]))
        _ = try await again.rename("Joan", .put).request.value
        #expect(later.writes.map { $0.value(forHTTPHeaderField: "If-Match") } == ["\"3\""])
        #expect(try await again.get() == DurableUser(name: "Grace", stars: 9))
    }
}
