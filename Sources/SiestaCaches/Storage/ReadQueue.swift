import Foundation
import SiestaCore

/// The reads that wait for a store, and the decision when the store gets them as one batch. Pure.
///
/// One reader at a time serves the queue. It begins if ``start()`` returns true, and ends when ``next()`` returns nil.
struct ReadQueue: Sendable {
    /// A read that waits for the store.
    struct Read: Sendable {
        let key: CacheKey
        /// The key of the place in which the store looks; see ``CacheKey/slot``.
        let place: CacheKey
        /// The `Vary` of the response that the first place has or will have, which has another variant; nil before it is
        /// known.
        var vary: String?
        /// The server's confirmations that may be newer than the store's record.
        let confirmations: PendingOperations.Confirmations
        let clock: SiestaClock
        /// True if the completion runs on a thread of the system's pool, and not on the thread that serves all reads.
        let mayTakeLong: Bool
        let completion: @Sendable (UncheckedSendable<Entity<Any>?>) -> Void
    }

    /// The reads that one call of the store serves.
    struct Batch: Sendable {
        let reads: [Read]

        /// The keys of the records, each once.
        var keys: [RecordKey] { Array(Set(reads.map(\.place.storeKey))) }

        /// The reads that the reader completes itself, in order.
        var quickReads: some Sequence<Read> { reads.lazy.filter { !$0.mayTakeLong } }

        /// The reads that threads of the system's pool complete, in parts of at most ``partLength``.
        var longParts: [ArraySlice<Read>] {
            let long = reads.filter(\.mayTakeLong)
            return stride(from: 0, to: long.count, by: Self.partLength).map { long[$0...].prefix(Self.partLength) }
        }

        /// Small enough that several threads decode, and large enough that few threads wake up.
        static let partLength = 32
    }

    private var waiting: [Read] = []
    private var isRunning = false
    /// The number of callers that are collecting reads for one batch now.
    private var holds = 0

    mutating func add(_ read: Read) { waiting.append(read) }

    /// Collects reads until ``release()``.
    mutating func hold() { holds += 1 }

    mutating func release() { holds -= 1 }

    /// Returns true if a reader must begin now.
    mutating func start() -> Bool {
        guard !isRunning, isReady else { return false }
        isRunning = true
        return true
    }

    /// Takes the next batch. If the reader has to end, returns nil.
    mutating func next() -> Batch? {
        isRunning = isReady
        return isRunning ? Batch(reads: exchange(&waiting, with: [])) : nil
    }

    private var isReady: Bool { holds == 0 && !waiting.isEmpty }
}
