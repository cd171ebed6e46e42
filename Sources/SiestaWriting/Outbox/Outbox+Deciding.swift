import Foundation
import SiestaCore

/// The decisions of the app.
extension Outbox {
    /// Drops a change: removes it from disk and from the screen, and does not send its request again. If the server may
    /// have carried out the change, the edited resources become stale.
    ///
    /// - Throws: ``OutboxError/isBeingSent(id:)``, ``OutboxError/unknownEntry(id:)``, or an error of the store.
    public func drop(_ id: Outbox.Entry.ID) async throws {
        var dropped: Outbox.Entry?
        try await performed { [self] rules throws(OutboxError) in
            let step = try rules.drop(id)
            dropped = step.entry
            if changes[id] != nil, let entry = step.entry { finished.show(entry) }
            return [step]
        } then: { [self] in
            // If the decision was refused, the server may have confirmed the change, which is becoming part of the data.
            guard let dropped else { return }
            if let change = changes.remove(id) {
                if dropped.mayBeApplied { context?.changes?.noteDoubt(change, nil, nil) }
                context?.changes?.fail(change, change.cancellation)
            }
            left(id)
        }
    }

    /// Queues a refused or conflicting change, so that the outbox sends it again.
    ///
    /// - Throws: ``OutboxError/needsNoDecision(id:)``, ``OutboxError/unknownEntry(id:)``, or an error of the store.
    public func retry(_ id: Outbox.Entry.ID) async throws {
        let now = now
        try await performed { rules throws(OutboxError) in
            [try rules.retry(id, at: now)]
        } then: { [self] in
            noteQueued(id)
        }
    }

    /// Shows that an entry is sent again, even if this could not be stored yet.
    func noteQueued(_ id: String) {
        if rules[id]?.state == .queued { changes[id]?.pass(to: .waiting) }
    }

    /// Edits the request of an entry, and queues the entry, so that the outbox sends the edited request. This is
    /// possible only if the entry has not been sent yet, or if the server has refused it.
    ///
    /// This method passes the current request to `change`, and then stores the result. If the stored request has
    /// changed in the meantime, the method calls `change` again with the new request.
    ///
    /// - Throws: ``OutboxError/mayBeApplied(id:)``, ``OutboxError/isBeingSent(id:)``,
    ///   ``OutboxError/unknownEntry(id:)``, ``OutboxError/tooManyBytes(limit:)``, ``OutboxError/credentialsInAddress``,
    ///   or an error of the store.
    public func edit(_ id: Outbox.Entry.ID, _ change: (inout Outbox.StoredRequest) -> Void) async throws {
        try await performed { _ in [] }  // The entry may not be accepted yet.
        while true {
            guard let old = rules[id]?.request else { throw OutboxError.unknownEntry(id: id) }
            var new = old
            change(&new)
            if try await replace(old, by: new, of: id) { return }
        }
    }

    /// Replaces the request of an entry. Returns false if the request is no longer `old`.
    ///
    /// Code of the app does not run while the rules change, because it may use the outbox.
    private func replace(_ old: Outbox.StoredRequest, by new: Outbox.StoredRequest, of id: String) async throws -> Bool
    {
        let now = now
        var isReplaced = false
        try await performed { rules throws(OutboxError) in
            guard rules[id].map({ $0.request == old }) ?? true else { return [] }
            let step = try rules.edit(id, at: now) { $0.request = new }
            isReplaced = true
            return [step]
        } then: { [self] in
            noteQueued(id)
            // The data of the old URL says nothing about the new one.
            let isOther = old.precondition != new.precondition || old.address != new.address
            if isReplaced, isOther { changes[id]?.hasStoredCondition = true }
        }
        return isReplaced
    }

    /// Ends the delays after failed attempts, so that the outbox sends the delayed changes at once.
    public func sendNow() {
        rules.resumeAll()
        run()
    }

    /// Deletes the stored changes that the outbox cannot read; see ``unreadableCount``.
    public func discardUnreadable() async throws {
        await isLoaded()
        guard !isClosed else { throw OutboxError.hasEnded }
        try requireOpenStore()
        try await store.discardUnreadable()
        unreadableCount = 0
    }

    /// Throws if the store could not be opened. It would open now, and would keep others from using it.
    func requireOpenStore() throws {
        if !isOpen, let failure { throw failure }
    }

    var now: Date { Date(timeIntervalSinceReferenceDate: (context?.clock ?? .system).wallTime) }
}
