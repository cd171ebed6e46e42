import Foundation
import SiestaCore

/// The changes that a store does not have yet, the tasks that run between them, and the decision what is next. Pure.
///
/// One writer at a time serves the queue. It begins if ``start()`` returns true, and ends when ``next()`` returns nil.
/// A change is pending until the writer takes it, and then in flight until ``finish(failure:outdated:)``. A removal
/// that has failed is kept, hides its record from reads, and is tried again.
///
/// The functions return the values that they replace, because these belong to the app, and their release may run any
/// code. A caller that holds a lock must release them outside the lock.
struct WriteQueue: Sendable {
    /// Work between two batches of changes. Runs after the changes that were requested before it.
    typealias Task = @Sendable () async -> Void

    /// The changes that the writer makes next, and the tasks that it runs afterwards.
    struct Turn: Sendable {
        let changes: PendingOperations
        let tasks: [Task]
    }

    private var pending = PendingOperations()
    /// The changes that the store is applying.
    private var inFlight = PendingOperations()
    /// The removals and replacements that failed. Reads do not find these records.
    private var unremoved = PendingOperations()
    private var tasks: [Task] = []
    private var isRunning = false
    /// The delay of the next retry, in seconds.
    private var retryDelay: TimeInterval = 1
    private var isRetryPlanned = false
    /// The error of the last changes, if some or all of them were not made.
    private(set) var lastFailure: (any Error)?
    /// The first failure since the last call of ``takeFailure()``.
    private var firstFailure: (any Error)?

    /// Returns the answer for one place of a URL, as far as it is known without the store.
    func answer(forKey key: CacheKey) -> PendingOperations.Answer {
        pending.answer(forKey: key).orElse(inFlight.answer(forKey: key)).orElse(unremoved.answer(forKey: key))
    }

    /// Returns the answer to a read of any variant, as far as it is known without the store. If it is unknown, also returns
    /// the place in which the store must look first, and the `Vary` that the response in the first place will have, if it
    /// is known.
    func answer(for key: CacheKey) -> (answer: PendingOperations.Answer, place: CacheKey, vary: String?) {
        var confirmations = PendingOperations.Confirmations.none
        var vary: String?
        for changes in [pending, inFlight, unremoved] {
            vary = vary ?? changes.newestVary(for: key)
            if let (entry, entity) = changes.newestWrite(for: key) {
                let isReplaced = SelectingHeaders.isReplaced(entity.header(forKey: "Vary"), by: vary)
                guard !isReplaced else { return (.nothing, key, vary) }  // The store has only older responses.
                let newest = PendingOperations.Answer.entity(entity, storedUnder: entry.key)
                return (PendingOperations.Answer.unknown(confirmations).orElse(newest), entry.key, vary)
            }
            switch changes.answer(forKey: key) {
            case .nothing: return (.nothing, key, vary)
            case .unknown(let earlier): confirmations = confirmations.after(earlier)
            case .entity(let other, _):
                vary = vary ?? other.header(forKey: "Vary")
                let (answer, place) = answer(for: key, after: key, namedBy: vary, confirmations)
                return (answer, place, vary)
            }
        }
        return (.unknown(confirmations), key, vary)
    }

    /// Returns the answer from the places after `place`, which has another variant.
    func answer(
        for key: CacheKey, after place: CacheKey, namedBy vary: String?,
        _ confirmations: PendingOperations.Confirmations
    ) -> (answer: PendingOperations.Answer, place: CacheKey) {
        guard let next = key.placeAfter(place, namedBy: vary) else { return (.nothing, place) }
        switch answer(forKey: next) {
        case .nothing: return answer(for: key, after: next, namedBy: vary, confirmations)
        case .unknown(let later): return (.unknown(later.after(confirmations)), next)
        case .entity(let entity, let other):
            guard !key.selects(entity, storedUnder: other) else { return (.entity(entity, storedUnder: other), next) }
            return answer(for: key, after: next, namedBy: vary, confirmations)
        }
    }

    /// Makes a change of the pending changes. There is at most one for each record.
    mutating func change(
        _ change: (inout PendingOperations) -> PendingOperations.Dropped
    ) -> PendingOperations.Dropped {
        change(&pending)
    }

    /// Adds a task that runs after all changes that were added before.
    mutating func add(_ task: @escaping Task) { tasks.append(task) }

    /// Returns true if a writer must begin now.
    mutating func start() -> Bool {
        defer { isRunning = true }
        return !isRunning
    }

    /// Takes all changes and tasks. If the writer has to end, returns nil.
    ///
    /// The turn includes the failed removals if it has tasks, if whole partitions are to be removed, or if it writes variants,
    /// which may be in the places of these removals. Other turns do not: if the disk cannot be written, each retry costs work
    /// for each record.
    mutating func next() -> (turn: Turn, replaced: [PendingOperations])? {
        isRunning = !pending.isEmpty || !tasks.isEmpty
        guard isRunning else { return nil }
        let added = exchange(&pending, with: PendingOperations())
        let tasks = exchange(&tasks, with: [])
        let retries = !tasks.isEmpty || unremoved.hasBulkRemovals || added.hasVariants
        let changes = retries ? unremoved.followed(by: added) : added
        return (Turn(changes: changes, tasks: tasks), [added, exchange(&inFlight, with: changes)])
    }

    /// Ends the changes that are in flight. If there was a failure, keeps their removals.
    ///
    /// - Parameter outdated: the records that failed writes should have replaced, and that could not be removed.
    mutating func finish(
        failure: (any Error)?, outdated: Set<RecordKey>
    ) -> (replaced: [PendingOperations], failure: (any Error)?) {
        let made = exchange(&inFlight, with: PendingOperations())
        let removals = failure == nil ? PendingOperations() : made.removals(and: outdated)
        let left = unremoved.without(made).followed(by: removals)
        if failure == nil { retryDelay = 1 }
        firstFailure = firstFailure ?? failure
        return ([made, exchange(&unremoved, with: left)], exchange(&lastFailure, with: failure))
    }

    /// Returns the first failure since the last call.
    mutating func takeFailure() -> (any Error)? { firstFailure.take() }

    /// Returns the delay, in seconds, after which ``beginRetry()`` must be called; nil if no retry has to be planned.
    /// The delay is twice as long after each failure, up to a minute.
    mutating func planRetry() -> TimeInterval? {
        guard !unremoved.isEmpty, !isRetryPlanned else { return nil }
        isRetryPlanned = true
        defer { retryDelay = min(retryDelay * 2, 60) }
        return retryDelay
    }

    /// Returns true if the planned retry is still needed. Then a task must be added, because it includes the removals.
    mutating func beginRetry() -> Bool {
        isRetryPlanned = false
        return !unremoved.isEmpty
    }
}
