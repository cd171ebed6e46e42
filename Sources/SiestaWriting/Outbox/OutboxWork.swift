/// The decisions of an outbox that are not stored yet. A decision that the store has not taken is repeated.
struct OutboxWork {
    /// What follows if the store fails.
    enum Kind {
        /// The entry is not accepted.
        case acceptance
        /// The decision is made in memory, and the caller is told of the failure.
        case decision
        /// The server has decided.
        case outcome
    }

    struct Job {
        let kind: Kind
        let prepare: (() async throws -> Void)?
        let decide: (inout OutboxRules) throws(OutboxError) -> [OutboxStep]
        let done: (Result<[OutboxStep], any Error>) -> Void
    }

    var waiting: [Job] = []
    var isRunning = false
    var unstored = OutboxUnstored()
    /// True if a repetition is planned.
    var isRepeating = false
}

/// The entries whose last change is not in the store, because the store has failed. Pure.
///
/// After a failure, a store keeps what it had before. Without a repetition, a confirmed or dropped change would be sent
/// again after the next start.
struct OutboxUnstored {
    private var ids: Set<String> = []

    var isEmpty: Bool { ids.isEmpty }

    mutating func add(_ changes: [OutboxStoreChange]) {
        for change in changes {
            switch change {
            case .write(let entry): ids.insert(entry.id)
            case .remove(let id): ids.insert(id)
            }
        }
    }

    /// Returns `changes` and the changes that make the store agree with the rules. Entries are removed last, because
    /// others may get their addresses from them.
    func repeated(around changes: [OutboxStoreChange], by rules: OutboxRules) -> [OutboxStoreChange] {
        guard !ids.isEmpty else { return changes }
        let written = ids.compactMap { rules[$0] }.sorted { $0.number < $1.number }
        let removed = ids.filter { rules[$0] == nil }.sorted()
        return written.map { .write($0) } + changes + removed.map { .remove(id: $0) }
    }
}
