import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import SiestaWriting

@testable import SiestaCaches
@testable import SiestaOutboxStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The content of the resources in the tests of durable changes.
struct DurableUser: Codable, Sendable, Equatable {
    var name = "Ada"
    var stars = 0
}

/// An app with durable changes that can be started again.
@MainActor
struct RestartedApp {
    let clock = TestClock()
    let connection = NetworkStatus()

    /// Starts the app with an outbox.
    func start(
        _ network: StubNetwork, _ outbox: Outbox?, _ configure: (Service) -> Void = { _ in }
    ) -> Service {
        let service = clock.whileCurrent {
            Service(baseURL: "http://api.test", standardTransformers: [], networking: network)
        }
        service.decode("/users/*", as: DurableUser.self, requestMethods: [.get])
        service.networkStatus = connection
        configure(service)
        service.outbox = outbox
        return service
    }

    /// Returns a user that is loaded, with the entity tag `"1"`.
    func loaded(_ service: Service, _ network: StubNetwork, _ id: Int = 1) async throws -> TypedResource<DurableUser> {
        network.answer(
            .get, "/users/\(id)", with: .json(#"{"name": "Ada", "stars": 0}"#, headers: ["ETag": "\"1\""]))
        let user: TypedResource<DurableUser> = service.resource("/users/\(id)").typed()
        try await user.get(.always)
        return user
    }
}

extension TypedResource<DurableUser> {
    /// Makes a durable change of the name.
    @MainActor @discardableResult
    func rename(_ name: String, _ method: RequestMethod = .patch, _ options: ChangeOptions = ChangeOptions())
        -> PendingChange
    {
        mutate(method, body: .encoded(["name": name]), options: options, durable: true) { $0.name = name }
    }
}

extension StubNetwork {
    /// The requests that change something.
    @MainActor var writes: [URLRequest] { requests.filter { $0.httpMethod != "GET" } }
}

/// A store whose changes fail or wait as long as the test wants.
final class FaultyOutboxStore: WrappingOutboxStore {
    struct Fault: Error {}

    let base: RecordOutboxStore
    let isFailing = Locked(false)
    /// Called before each call of ``apply(_:)``.
    let beforeChange = Locked<(@Sendable ([OutboxStoreChange]) async -> Void)?>(nil)

    init(_ base: RecordOutboxStore) {
        self.base = base
    }

    func apply(_ changes: [OutboxStoreChange]) async throws {
        await beforeChange.withLock { $0 }?(changes)
        if isFailing.withLock({ $0 }) { throw Fault() }
        try await base.apply(changes)
    }
}
