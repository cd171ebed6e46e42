import Dispatch
import Foundation

/// A store with the code that drives it. Caches of any stages share one storage if they keep their entities in the same
/// place.
///
/// The storage hands changes to the store in batches and in order, and answers reads from changes that have not reached
/// the store yet. All functions may be called on any thread, and none of them blocks. A change takes effect when the
/// function is called; asynchronous functions return when the change has reached the store.
public final class EntityStorage: Sendable {
    let store: any EntityStore
    let options: EntityCacheOptions
    let form: RecordForm
    let state = Locked(State())
    /// The queue for code that uses a cache without the pipeline and may wait.
    let workQueue = DispatchQueue(label: "Siesta stored entity cache", qos: .userInitiated)

    /// Creates a storage for `store`, which no other storage may use.
    public init(_ store: any EntityStore, options: EntityCacheOptions = EntityCacheOptions()) {
        self.store = store
        self.options = options
        form = RecordForm(options)
    }

    /// The kind of the store and its place.
    public var name: String { store.name }

    struct State: Sendable {
        var pending = PendingChanges()
        /// The changes that the store is applying.
        var inFlight = PendingChanges()
        /// The removals and replacements that failed: reads do not find these records, and their removal is tried
        /// again.
        var unremoved = PendingChanges()
        /// The delay of the next retry, in seconds.
        var retryDelay: TimeInterval = 1
        var isRetryPlanned = false
        /// The work to run between two batches, each piece after the changes requested before it.
        var tasks: [@Sendable () async -> Void] = []
        var isWriting = false

        var reads: [Read] = []
        var isReading = false
        /// The number of callers that currently collect reads into one batch.
        var readHolds = 0

        var statistics = EntityCacheStatistics()
        /// The error of the last batch, if some or all of its changes were not written.
        var lastFailure: (any Error)?
        /// The first failure to write since the last flush.
        var failure: (any Error)?

        /// The answer that a read gets without asking the store.
        func answer(forKey key: EntityStoreKey) -> PendingChanges.Answer {
            pending.answer(forKey: key).orElse(inFlight.answer(forKey: key)).orElse(unremoved.answer(forKey: key))
        }
    }

    // MARK: For users

    /// Waits until everything written, changed and removed before is durable, even after a power failure.
    ///
    /// - Throws: the error that prevented this, or the first error of a write since the last flush.
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

    /// Removes all entities of all principals. Reads find none of them from the moment of the call; when the function
    /// returns, the removal is durable, even after a power failure.
    ///
    /// - Throws: the error that prevented the removal. The storage tries it again until it succeeds or the app ends.
    public func clear() async throws {
        try await change { $0.removeAll() }
    }

    /// Removes all entities of a principal. Reads find none of them from the moment of the call; when the function
    /// returns, the removal is durable, even after a power failure.
    ///
    /// - Throws: the error that prevented the removal. The storage tries it again until it succeeds or the app ends.
    public func remove(principal: String) async throws {
        try await change { $0.removePartition(EntityStoreKey.partition(of: principal)) }
    }

    /// Returns the size of the cache and the counts of its operations.
    public func statistics() async -> EntityCacheStatistics {
        let usage = try? await performing { [self] in try await store.usage() }
        var statistics = state.withLock { $0.statistics }
        statistics.usage = usage
        return statistics
    }

    /// Checks all records: removes damaged and too old ones, migrates or removes those of another schema version, and
    /// lets the store give back disk space.
    ///
    /// - Parameter progress: receives the number of records done and the number of all records; called from time to
    ///   time, on any thread, and at the end.
    /// - Throws: the store's error. Changes made before it stay.
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

    /// Makes a change that takes effect at once, and waits until the store has made it durable.
    private func change(_ change: (inout PendingChanges) -> PendingChanges.Dropped) async throws {
        guard !options.isReadOnly else { return }
        try await performing(after: change) { [self] in
            if let failure = state.withLock({ $0.lastFailure }) { throw failure }
            try await store.flush()
        }
    }
}
