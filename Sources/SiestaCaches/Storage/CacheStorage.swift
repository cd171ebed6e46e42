import Foundation
import Isolation
import SiestaCore

/// A store, together with the changes that have not reached it yet. Caches that keep their entities in the same folder
/// or database share one storage, even if they belong to different stages.
///
/// The storage passes changes to the store in batches and in order. Reads find a change as soon as the function that
/// makes the change has been called, even before the change reaches the store. All public functions may be called on
/// any thread, and no function blocks. An asynchronous function that makes a change returns when the change has reached
/// the store.
public final class CacheStorage: Sendable {
    let store: any RecordStore
    let options: EntityCacheOptions
    let form: RecordCoder
    let state = Locked(State())

    /// Creates a cache storage that keeps its records in `store`. No other storage may use the same store.
    public init(_ store: any RecordStore, options: EntityCacheOptions = EntityCacheOptions()) {
        self.store = store
        self.options = options
        form = RecordCoder(options)
    }

    /// The name of the store, for example the path of its folder.
    public var name: String { store.name }

    struct State: Sendable {
        var reads = ReadQueue()
        var writes = WriteQueue()
        var statistics = EntityCacheStatistics()
    }

    // MARK: For users

    /// Waits until all earlier writes, changes and removals are durable, so that they survive a power failure.
    ///
    /// - Throws: The first error of a write since the last flush, or the error of this flush. It is then uncertain
    ///   whether the changes are durable.
    @concurrent
    public func flush() async throws {
        try await performing { [self] in
            if let failure = state.withLock({ $0.writes.takeFailure() }) { throw failure }
            if !options.isReadOnly { try await store.flush() }
        }
    }

    /// Removes all entities of all principals. Reads after the call do not find these entities. When the function
    /// returns, the removal is durable: it survives a power failure.
    ///
    /// - Throws: The store's error if the removal fails. The storage then hides the entities, and repeats the removal
    ///   until it succeeds or the app ends.
    @concurrent
    public func clear() async throws {
        try await change { $0.removeAll() }
    }

    /// Removes all entities of a principal. Reads after the call do not find these entities. When the function returns,
    /// the removal is durable: it survives a power failure.
    ///
    /// - Throws: The store's error if the removal fails. The storage then hides the entities, and repeats the removal
    ///   until it succeeds or the app ends.
    @concurrent
    public func remove(principal: String) async throws {
        try await change { $0.removePartition(RecordKey.partition(of: principal)) }
    }

    /// Returns the size of the storage, and counts of its operations.
    @concurrent
    public func statistics() async -> EntityCacheStatistics {
        let usage = try? await performing { [self] in try await store.usage() }
        var statistics = state.withLock { $0.statistics }
        statistics.usage = usage
        return statistics
    }

    /// Checks all records. Removes damaged records and records that exceed the age limit, migrates or removes records
    /// of another schema version, and lets the store free disk space.
    ///
    /// - Parameter progress: A closure that receives the number of checked records and the total number of records. It
    ///   is called from time to time and at the end, on any thread.
    /// - Throws: The store's error, if the store fails; earlier changes are kept. If an entity cannot be encrypted with
    ///   the current key, this entity does not change, and its error is thrown after all other changes have been made.
    @concurrent
    public func compact(
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws {
        try await compact(at: SiestaClock.current.wallTime, progress)
    }

    func compact(at now: TimeInterval, _ progress: @escaping @Sendable (Int, Int) -> Void) async throws {
        guard !options.isReadOnly else { return }
        let keys = try await performing { [self] in try await store.allKeys() }
        var failure: (any Error)?
        for start in stride(from: 0, to: keys.count, by: Self.pageLength) {
            progress(start, keys.count)
            let page = Array(keys[start..<min(start + Self.pageLength, keys.count)])
            let refusal = try await performing { [self] in try await sweep(page, now: now) }
            failure = failure ?? refusal
        }
        try await performing { [self] in try await store.compact() }
        progress(keys.count, keys.count)
        if let failure { throw failure }
    }

    /// Makes a change that takes effect at once, and waits until it is durable in the store.
    private func change(_ change: (inout PendingOperations) -> PendingOperations.Dropped) async throws {
        guard !options.isReadOnly else { return }
        try await performing(after: change) { [self] in
            if let failure = state.withLock({ $0.writes.lastFailure }) { throw failure }
            try await store.flush()
        }
    }
}
