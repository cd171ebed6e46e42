import Foundation
import HTTPRules
import SiestaCore

/// The changes that the server has confirmed, and that are becoming part of the data.
extension Outbox {
    /// A change that is becoming part of the data.
    struct Settling {
        let change: PendingChange
        /// The entries of the scope whose requests wait for the end of the change, and the files of their bodies.
        var held: [(id: String, file: URL?)] = []
    }

    /// Makes a change that the server has confirmed a part of the data. The next change of its scope is sent afterwards:
    /// its condition is the version that this change has made, which a load may have to find out.
    func settle(_ change: PendingChange, _ response: Entity<Any>, _ info: ResponseInfo) {
        guard change.isPending else { return left(change.entryID ?? "") }  // It was cancelled while this was stored.
        settling[change.scope] = Settling(change: change, held: settling[change.scope]?.held ?? [])
        // The outbox may have ended when the caches are read, and its context is nil then.
        whenCachesAreRead(for: change) { change.resource.context.feature(Changes.self).settle(change, response, info) }
    }

    /// Waits for the data that the edits of an earlier process change. Otherwise, the next read of the cache would show the
    /// data without a change that the server has confirmed.
    private func whenCachesAreRead(for change: PendingChange, _ settle: @escaping () -> Void) {
        guard change.isRestored else { return settle() }
        change.pass(to: .settling)
        resolvingCount += 1
        Task {
            defer { resolved() }
            for resource in change.resources { await resource.cacheIsRead() }
            if change.isPending { settle() }
        }
    }

    /// Returns true if the request of an entry waits until an earlier change of its scope is part of the data.
    func waits(_ entry: Outbox.Entry, _ file: URL?) -> Bool {
        settling[ExactText(entry.scope)]?.held.append((entry.id, file)) != nil
    }

    /// Notes that a change has ended: it has failed, or is part of the data.
    func hasEnded(_ change: PendingChange) {
        if let id = change.entryID { left(id, change) }
        guard settling[change.scope]?.change === change else { return }
        let held = settling.removeValue(forKey: change.scope)?.held ?? []
        if !held.isEmpty { MainQueue.async { for (id, file) in held { self.send(id, file) } } }
    }

    /// Removes the entry of a change that has ended from the list of entries, and from the store.
    func left(_ id: String, _ change: PendingChange? = nil) {
        forget(id, after: change)
        guard ending[id] != nil else { return }
        entriesChanged { ending[id] = nil }
        resumeWaiting()
    }
}
