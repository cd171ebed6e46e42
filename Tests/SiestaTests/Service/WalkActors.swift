import Foundation
import SiestaCore
import SiestaTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
import TestDoubles
#endif

// Objects that a walk passes to the library. The library calls each of them, and each then visits the library.

struct VisitingPattern: ConfigurationPatternConvertible {
    let walk: Walk

    init(_ walk: Walk) { self.walk = walk }

    func configurationPattern(for service: Service) -> (URL) -> Bool {
        walk.visit()
        return { _ in
            walk.visit()
            return true
        }
    }

    var configurationPatternDescription: String {
        walk.visit()
        return "visiting"
    }
}

final class VisitingCache: EntityCache {
    private let walk: Walk

    init(_ walk: Walk) { self.walk = walk }

    @MainActor func key(for resource: Resource) -> String? {
        walk.visit()
        return resource.url.path
    }

    func readEntity(forKey key: String) -> Entity<Any>? { nil }
    func writeEntity(_ entity: Entity<Any>, forKey key: String) {}
    func removeEntity(forKey key: String) {}
}

struct VisitingWork: RequestDelegate {
    let walk: Walk
    let ends: Bool
    let farewell: WalkFarewell?

    init(_ walk: Walk, ends: Bool = true, _ farewell: WalkFarewell? = nil) {
        (self.walk, self.ends, self.farewell) = (walk, ends, farewell)
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        walk.visit()
        if ends { completionHandler.broadcastResponse(.text("done")) }
        walk.visit()
    }

    func cancelUnderlyingOperation() { walk.visit() }

    func repeated() -> any RequestDelegate {
        walk.visit()
        return self
    }

    func computeProgress() -> Double {
        walk.visit()
        return Double(walk.visits % 100) / 100
    }

    var progressReportingInterval: TimeInterval {
        walk.visit()
        return 0.01
    }

    var requestDescription: String {
        walk.visit()
        return "visiting"
    }
}

struct VisitingProvider: NetworkingProvider {
    let walk: Walk
    let visits: Bool

    init(_ walk: Walk, visits: Bool = true) {
        (self.walk, self.visits) = (walk, visits)
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        if visits { walk.visit() }
        completion(nil, Data(), nil)
        return Networking(walk: walk, visits: visits, farewell: walk.farewell())
    }

    @MainActor
    private final class Networking: RequestNetworking {
        let walk: Walk
        let visits: Bool
        let farewell: WalkFarewell

        init(walk: Walk, visits: Bool, farewell: WalkFarewell) {
            (self.walk, self.visits, self.farewell) = (walk, visits, farewell)
        }

        func cancel() { if visits { walk.visit() } }

        var transferMetrics: RequestTransferMetrics {
            if visits { walk.visit() }
            return RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
        }

        var requestMetrics: RequestMetrics? {
            if visits { walk.visit() }
            return nil
        }
    }
}

/// Observers whose identities visit the library when they are read, compared and hashed.
enum VisitingIdentity {
    struct Key: Hashable {
        let walk: Walk

        static func == (left: Key, right: Key) -> Bool {
            MainActor.assumeIsolated { left.walk.visit() }
            return true
        }

        func hash(into hasher: inout Hasher) {
            MainActor.assumeIsolated { walk.visit() }
            hasher.combine(1)
        }
    }

    struct Value: ResourceObserver {
        let walk: Walk

        init(_ walk: Walk) { self.walk = walk }

        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}

        var observerIdentity: AnyHashable {
            walk.visit()
            return Key(walk: walk)
        }
    }

    final class Object: ResourceObserver {
        let walk: Walk

        init(_ walk: Walk) { self.walk = walk }

        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}

        var observerIdentity: AnyHashable {
            walk.visit()
            return Key(walk: walk)
        }
    }
}

/// An observer that removes itself from the resource when it is released, as in older apps.
final class SelfRemovingListener: ResourceObserver {
    private let resource: Resource
    private let walk: Walk

    init(_ resource: Resource, _ walk: Walk) {
        (self.resource, self.walk) = (resource, walk)
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}

    isolated deinit {
        resource.removeObservers(ownedBy: self)
        walk.visit()
    }
}

/// An observer with an identity of its own. When it is released, it adds another observer to the resource.
final class FarewellListener: ResourceObserver {
    private let number: Int
    private let walk: Walk

    init(_ number: Int, _ walk: Walk) {
        (self.number, self.walk) = (number, walk)
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
    var observerIdentity: AnyHashable { number }

    isolated deinit {
        walk.target.addObserver(IdentifiedListener(identity: number, log: EventLog()), owner: walk.owner)
        walk.visit()
    }
}

/// An object that is equal to all others of its type.
final class HashableFarewell: Hashable {
    private let farewell: WalkFarewell

    @MainActor
    init(_ walk: Walk) { farewell = walk.farewell() }

    static func == (left: HashableFarewell, right: HashableFarewell) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

struct FarewellError: Error {
    let farewell: WalkFarewell
}

struct FarewellTransformer: ResponseTransformer {
    let farewell: WalkFarewell

    func process(_ response: Response) -> Response { response }
}

/// Performs an action when it is released, on any thread.
final class SendableFarewell: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    deinit { action() }
}
