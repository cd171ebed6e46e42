import Foundation
import Isolation
import Siesta

/// A store, together with its pending changes. Caches of any stages share one storage if they keep their entities in
/// the same place.
///
/// The storage passes changes to the store in batches and in order. Reads also see changes that have not reached the
/// store yet. All public functions may be called on any thread, and none of them blocks. A change takes effect when its
/// function is called. Asynchronous functions return when the change has reached the store.
public final class CacheStorage: Sendable {
    let store: any RecordStore
    let options: EntityCacheOptions
    let form: RecordCoder
    let state = Locked(State())

    /// Creates a storage for `store`. No other storage may use the same store.
    public init(_ store: any RecordStore, options: EntityCacheOptions = EntityCacheOptions()) {
        self.store = store
        self.options = options
        form = RecordCoder(options)
    }

    /// The kind of the store and its place.
    public var name: String { store.name }

    struct State: Sendable {
        var pending = PendingChanges()
        /// The changes that the store is applying.
        var inFlight = PendingChanges()
        /// The removals and replacements that failed. Reads do not find these records, and the storage retries their
        /// removal.
        var unremoved = PendingChanges()
        /// The delay of the next retry, in seconds.
        var retryDelay: TimeInterval = 1
        var isRetryPlanned = false
        /// The work to run between two batches. Each piece runs after the changes that were requested before it.
        var tasks: [@Sendable () async -> Void] = []
        var isWriting = false

        var reads: [Read] = []
        var isReading = false
        /// The number of callers that are collecting reads for one batch now.
        var readHolds = 0

        var statistics = EntityCacheStatistics()
        /// The error of the last batch, if some or all of its changes were not written.
        var lastFailure: (any Error)?
        /// The first failure to write since the last flush.
        var failure: (any Error)?

        /// The answer to a read, as far as it is known without the store.
        func answer(forKey key: RecordKey) -> PendingChanges.Answer {
            pending.answer(forKey: key).orElse(inFlight.answer(forKey: key)).orElse(unremoved.answer(forKey: key))
        }
    }

    // MARK: For users

    /// Waits until all earlier writes, changes and removals are durable, even after a power failure.
    ///
    /// - Throws: the error of the flush, or the first error of a write since the last flush.
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

    /// Removes all entities of all principals. Reads after the call do not find them. When the function returns, the
    /// removal is durable, even after a power failure.
    ///
    /// - Throws: the error of the removal. The storage retries the removal until it succeeds or the app ends.
    public func clear() async throws {
        try await change { $0.removeAll() }
    }

    /// Removes all entities of a principal. Reads after the call do not find them. When the function returns, the
    /// removal is durable, even after a power failure.
    ///
    /// - Throws: the error of the removal. The storage retries the removal until it succeeds or the app ends.
    public func remove(principal: String) async throws {
        try await change { $0.removePartition(RecordKey.partition(of: principal)) }
    }

    /// Returns the size of the cache and the counts of its operations.
    public func statistics() async -> EntityCacheStatistics {
        let usage = try? await performing { [self] in try await store.usage() }
        var statistics = state.withLock { $0.statistics }
        statistics.usage = usage
        return statistics
    }

    /// Checks all records. Removes damaged records and records over the age limit, migrates or removes records of
    /// another schema version, and lets the store free disk space.
    ///
    /// - Parameter progress: receives the number of checked records and the number of all records. It is called from
    ///   time to time and at the end, on any thread.
    /// - Throws: the store's error. Changes that were made before the error are kept.
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

    /// Makes a change that takes effect at once, and waits until it is durable in the store.
    private func change(_ change: (inout PendingChanges) -> PendingChanges.Dropped) async throws {
        guard !options.isReadOnly else { return }
        try await performing(after: change) { [self] in
            if let failure = state.withLock({ $0.lastFailure }) { throw failure }
            try await store.flush()
        }
    }
}
