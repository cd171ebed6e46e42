import Dispatch
import Foundation

/// A store and all that drives it: what caches of any stages share when they keep their entities in the same place.
///
/// It hands changes to the store in batches, in order, and answers reads from changes that have not got there yet. All
/// functions may be called from any thread, and none of them blocks: what has an effect has it when the function is
/// called, and those that are asynchronous return when it has reached the store.
public final class EntityStorage: Sendable {
    let store: any EntityStore
    let options: EntityCacheOptions
    let form: RecordForm
    let state = Locked(State())
    /// Where those may wait who use a cache without the pipeline.
    let workQueue = DispatchQueue(label: "Siesta stored entity cache", qos: .userInitiated)

    /// Creates a storage; the store must not be used by any other.
    public init(_ store: any EntityStore, options: EntityCacheOptions = EntityCacheOptions()) {
        self.store = store
        self.options = options
        form = RecordForm(options)
    }

    /// What the store is, and where.
    public var name: String { store.name }

    struct State: Sendable {
        var pending = PendingChanges()
        /// What the store is just being told.
        var inFlight = PendingChanges()
        /// What it could not remove, or not replace: nobody sees it, and removing it is tried again.
        var unremoved = PendingChanges()
        /// How long the next trial waits, in seconds, and whether one is planned.
        var retryDelay: TimeInterval = 1
        var isRetryPlanned = false
        /// What is to be done between two batches, each after the changes that were asked for before it.
        var tasks: [@Sendable () async -> Void] = []
        var isWriting = false

        var reads: [Read] = []
        var isReading = false
        /// How many want several reads to be put together.
        var readHolds = 0

        var statistics = EntityCacheStatistics()
        /// Why the last batch was not written, or not all of it.
        var lastFailure: (any Error)?
        /// The first failure to write since the last flush.
        var failure: (any Error)?

        /// What a read finds without the store.
        func answer(forKey key: EntityStoreKey) -> PendingChanges.Answer {
            pending.answer(forKey: key).orElse(inFlight.answer(forKey: key)).orElse(unremoved.answer(forKey: key))
        }
    }

    // MARK: For users

    /// Waits until everything that was written, changed and removed before has outlasted even a failure of power.
    ///
    /// - Throws: what kept the store from it; also if a write failed since the last flush.
    public func flush() async throws {
        try await performing { [self] in
            let failure = state.withLock { state in
                defer { state.failure = nil }
                return state.failure
            }
            if let failure { throw failure }
            if !options.isReadOnly { try await store.flush() }
        }
    }

    /// Removes all entities of all principals; nobody sees them any more from when this is called, and when it returns
    /// they are gone for good, even if the power fails.
    ///
    /// - Throws: what kept the store from it. It is tried again until it succeeds, or the app ends.
    public func clear() async throws {
        try await change { $0.removeAll() }
    }

    /// Removes all entities of a principal; nobody sees them any more from when this is called, and when it returns they
    /// are gone for good, even if the power fails.
    ///
    /// - Throws: what kept the store from it. It is tried again until it succeeds, or the app ends.
    public func remove(principal: String) async throws {
        try await change { $0.removePartition(EntityStoreKey.partition(of: principal)) }
    }

    /// What the cache holds and has done.
    public func statistics() async -> EntityCacheStatistics {
        let usage = try? await performing { [self] in try await store.usage() }
        var statistics = state.withLock { $0.statistics }
        statistics.usage = usage
        return statistics
    }

    /// Goes through all records: removes those that are damaged or too old, migrates or removes those of another schema
    /// version, and has the store give back space.
    ///
    /// - Parameter progress: how many of how many records are done; called now and then, on any thread, and at the end.
    /// - Throws: what the store cannot do. What it has done until then stays.
    public func compact(
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws {
        try await compact(at: SiestaClock.current.wallTime, progress)
    }

    func compact(at now: TimeInterval, _ progress: @escaping @Sendable (Int, Int) -> Void) async throws {
        guard !options.isReadOnly else { return }
        let keys = try await performing { [self] in try await store.allKeys() }
        let pageLength = 64
        for start in stride(from: 0, to: keys.count, by: pageLength) {
            progress(start, keys.count)
            let page = Array(keys[start..<min(start + pageLength, keys.count)])
            try await performing { [self] in try await sweep(page, now: now) }
        }
        try await performing { [self] in try await store.compact() }
        progress(keys.count, keys.count)
    }

    /// Makes a change that is in force at once, and waits until the store knows it for good.
    private func change(_ change: (inout PendingChanges) -> PendingChanges.Dropped) async throws {
        guard !options.isReadOnly else { return }
        try await performing(after: change) { [self] in
            if let failure = state.withLock({ $0.lastFailure }) { throw failure }
            try await store.flush()
        }
    }
}
