public import Foundation
public import Siesta

/// A cache in memory that remembers what was asked of it, by URL.
///
/// All of it may be called from any thread.
public final class InMemoryCache: EntityCache {
    /// Something that was asked of the cache; the text is the key.
    public enum Operation: Hashable, Sendable {
        /// The entity was looked for.
        case read(String)
        /// The entity was stored.
        case write(String)
        /// The timestamp of the entity was changed.
        case updateTimestamp(String)
        /// The entity was removed.
        case remove(String)
    }

    private struct State: Sendable {
        var entities: [String: UncheckedTransfer<Entity<Any>>] = [:]
        var operations: [Operation] = []
        var gate: DispatchSemaphore?
    }

    private let state = Locked(State())

    /// Creates an empty cache.
    public init() {}

    /// What was asked so far, in order.
    public var operations: [Operation] { state.withLock { $0.operations } }

    /// The entities in the cache, by key.
    public var entities: [String: Entity<Any>] {
        get { state.withLock { state in UncheckedTransfer(state.entities.mapValues(\.value)) }.value }
        set {
            let entities = newValue.mapValues { UncheckedTransfer($0) }
            _ = state.withLock { exchange(&$0.entities, with: entities) }
        }
    }

    /// Makes reads wait until the returned closure is called, once for each read.
    public func holdReads() -> @Sendable () -> Void {
        let gate = DispatchSemaphore(value: 0)
        state.withLock { $0.gate = gate }
        return { gate.signal() }
    }

    /// The URL.
    @MainActor public func key(for resource: Resource) -> String? {
        resource.url.absoluteString
    }

    /// The entity stored under `key`.
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
        let entity = UncheckedTransfer(entity)
        // What was there is released without the lock, since that may run any code; so below.
        _ = state.withLock {
            $0.operations.append(.write(key))
            return $0.entities.updateValue(entity, forKey: key)
        }
    }

    /// Changes the timestamp of the entity stored under `key`.
    public func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: String) {
        state.withLock { state in
            state.operations.append(.updateTimestamp(key))
            guard var entity = state.entities[key]?.value else { return }
            entity.timestamp = timestamp
            state.entities[key] = UncheckedTransfer(entity)
        }
    }

    /// Removes what is stored under `key`.
    public func removeEntity(forKey key: String) {
        _ = state.withLock {
            $0.operations.append(.remove(key))
            return $0.entities.removeValue(forKey: key)
        }
    }
}
