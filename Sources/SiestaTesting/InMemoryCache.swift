public import Foundation
import Isolation
public import SiestaCore

/// A cache in memory that records its operations. Its keys are the identifiers of the resources.
///
/// The cache may be used on any thread.
public final class InMemoryCache: EntityCache {
    /// An operation of the cache, with its key.
    public enum Operation: Equatable, Sendable {
        /// A read of the cache, with or without a result.
        case read(String)
        /// An entity was written.
        case write(String)
        /// The timestamp of an entity was changed.
        case updateTimestamp(String)
        /// An entity was removed.
        case remove(String)
    }

    private struct State: Sendable {
        var entities: [String: UncheckedSendable<Entity<Any>>] = [:]
        var operations: [Operation] = []
        var gate: DispatchSemaphore?
    }

    private let state = Locked(State())

    /// Creates an empty cache.
    public init() {}

    /// The operations so far, in order.
    public var operations: [Operation] { state.withLock { $0.operations } }

    /// The entities in the cache, by key.
    public var entities: [String: Entity<Any>] {
        get { state.withLock { state in UncheckedSendable(state.entities.mapValues(\.value)) }.value }
        set {
            let entities = newValue.mapValues { UncheckedSendable($0) }
            _ = state.withLock { exchange(&$0.entities, with: entities) }
        }
    }

    /// Makes all later reads wait. Each call to the returned closure releases one read.
    public func holdReads() -> @Sendable () -> Void {
        let gate = DispatchSemaphore(value: 0)
        state.withLock { $0.gate = gate }
        return { gate.signal() }
    }

    /// Returns the identifier of the resource. For most resources, the identifier is the URL.
    @MainActor public func key(for resource: Resource) -> String? {
        resource.identifier
    }

    /// Returns the entity stored for `key`; nil if there is no such entity.
    public func readEntity(forKey key: String) -> Entity<Any>? {
        let gate = state.withLock { state in
            state.operations.append(.read(key))
            return state.gate
        }
        gate?.wait()
        return state.withLock { $0.entities[key] }?.value
    }

    /// Stores `entity`.
    public func writeEntity(_ entity: Entity<Any>, forKey key: String) {
        let entity = UncheckedSendable(entity)
        // The replaced entity is released outside the lock, because its release may run any code. The same applies below.
        _ = state.withLock {
            $0.operations.append(.write(key))
            return $0.entities.updateValue(entity, forKey: key)
        }
    }

    /// Changes the timestamp of the entity stored for `key`.
    public func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: String) {
        state.withLock { state in
            state.operations.append(.updateTimestamp(key))
            guard var entity = state.entities[key]?.value else { return }
            entity.timestamp = timestamp
            state.entities[key] = UncheckedSendable(entity)
        }
    }

    /// Removes the entity stored for `key`.
    public func removeEntity(forKey key: String) {
        _ = state.withLock {
            $0.operations.append(.remove(key))
            return $0.entities.removeValue(forKey: key)
        }
    }
}
