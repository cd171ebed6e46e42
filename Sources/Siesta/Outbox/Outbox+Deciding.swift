import Foundation

/// The decisions of the app.
extension Outbox {
    /// Gives a change up: removes it from the disk and from the screen. Its request is not sent any more.
    ///
    /// - Throws: ``OutboxError/isBeingSent(id:)``, ``OutboxError/unknownEntry(id:)``, or the failure of the store.
    public func drop(_ id: OutboxEntry.ID) async throws {
        try await performed { rules throws(OutboxError) in [try rules.drop(id)] }
        guard let change = changes.removeValue(forKey: id) else { return }
        context?.changes?.fail(change, change.cancellation)
    }

    /// Sends a change again that the server has refused.
    ///
    /// - Throws: ``OutboxError/needsNoDecision(id:)``, ``OutboxError/unknownEntry(id:)``, or the failure of the store.
    public func retry(_ id: OutboxEntry.ID) async throws {
        let now = now
        try await performed { rules throws(OutboxError) in [try rules.retry(id, at: now)] }
        changes[id]?.state = .waiting
    }

    /// Changes the request of an entry that was not sent, or that the server has refused, and sends it.
    ///
    /// - Throws: ``OutboxError/mayBeApplied(id:)``, ``OutboxError/isBeingSent(id:)``,
    ///   ``OutboxError/unknownEntry(id:)``, a limit, or the failure of the store.
    public func edit(_ id: OutboxEntry.ID, _ change: @escaping (inout OutboxRequest) -> Void) async throws {
        let now = now
        try await performed { rules throws(OutboxError) in [try rules.edit(id, at: now) { change(&$0.request) }] }
        changes[id]?.state = .waiting
    }

    /// Sends what waits after a failed attempt, without the rest of the delay.
    public func sendNow() {
        rules.resumeAll()
        run()
    }

    /// Removes the stored changes that cannot be read.
    public func discardUnreadable() async throws {
        try await store.discardUnreadable()
        unreadableCount = 0
    }

    var now: Date { Date(timeIntervalSinceReferenceDate: (context?.clock ?? .system).wallTime) }
}
