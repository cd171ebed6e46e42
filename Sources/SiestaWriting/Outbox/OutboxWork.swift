import SiestaCore

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
