import CacheTorture
import Foundation
import Isolation
import SiestaCaches
import SiestaCore
import SiestaOutboxStorage
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Many durable changes that are based on the same version of a resource.
@MainActor @Suite(.timeLimit(.model))
struct FollowingChangesTests {
    /// A server that applies a change only if its condition names the present version.
    private final class VersionedServer {
        var version = 1

        func answer(to request: URLRequest) -> StubAnswer? {
            guard request.httpMethod == "PATCH" else { return nil }
            guard request.value(forHTTPHeaderField: "If-Match") == "\"\(version)\"" else { return .response(412) }
            version += 1
            return .response(204, headers: ["ETag": "\"\(version)\""])
        }
    }

    private let app = RestartedApp()
    private let server = VersionedServer()
    private let records = MemoryRecordStore()
    private let writes = Locked(0)

    private func start(_ network: StubNetwork) -> Service {
        let store = FaultyOutboxStore(RecordOutboxStore(records, folder: nil))
        store.beforeChange.withLock { [writes] beforeChange in
            beforeChange = { changes in writes.withLock { $0 += changes.count } }
        }
        return app.start(network, Outbox(store)) { service in
            service.configure("/users/*", requestMethods: [.patch]) { $0.precondition = .unchanged }
        }
    }

    @Test(arguments: [false, true])
    func `The number of written records grows with the number of changes`(isRestarted: Bool) async throws {
        let (count, network) = (100, StubNetwork())
        app.connection.isConnected = false
        var service = start(network)
        let user = try await app.loaded(service, network)
        for _ in 0..<count {
            user.mutate(.patch, body: .encoded(["stars": 1]), durable: true) { $0.stars += 1 }
        }
        network.handler = { [server] request in
            isRestarted && server.version > count / 2
                ? .failure(.networkConnectionLost) : server.answer(to: request)
        }
        app.connection.isConnected = true
        await service.outbox?.settled()
        if isRestarted {
            #expect(server.version == count / 2 + 1)
            await service.outbox?.close()
            app.connection.isConnected = false
            let later = StubNetwork()
            later.handler = { [server] request in server.answer(to: request) }
            service = start(later)
            await service.outbox?.isLoaded()
            #expect(service.outbox?.entries.count == count / 2)
            let conditions = Set(service.outbox?.entries.map(\.request.precondition.ifMatch) ?? [])
            #expect(conditions == ["\"\(count / 2 + 1)\""])
            app.connection.isConnected = true
            await service.outbox?.settled()
        }
        #expect(server.version == count + 1)
        #expect(service.outbox?.entries.isEmpty == true)
        // Each change is accepted, started and removed, and gets its condition.
        let written = writes.withLock { $0 }
        #expect(written <= 5 * count)
    }
}
