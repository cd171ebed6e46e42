import Foundation
import HTTPRules
import SiestaCore

/// The changes that the server has confirmed, and that are becoming part of the data.
extension Outbox {
    /// A change that is becoming part of the data.
    struct Settling {
        let change: PendingChange
        /// The entry of the change, if the response does not name the version that the change has made; nil otherwise.
        let unversioned: Outbox.Entry?
        /// The entries of the scope whose requests wait for the end of the change, and the files of their bodies.
        var held: [(id: String, file: URL?)] = []
    }

    /// Makes a change that the server has confirmed a part of the data. The next change of its scope is sent afterwards:
    /// its condition is the version that this change has made, which a load may have to find out.
    func settle(_ change: PendingChange, _ response: Entity<Any>, _ info: ResponseInfo) {
        guard change.isPending else { return left(change.entryID ?? "") }  // It was cancelled while this was stored.
        let hasVersion = Outbox.Condition(unchanged: change.version(in: response)) != nil
        // After a conflict, the version also contains a change that the later entries do not know.
        let entry = hasVersion || change.conflictCount > 0 ? nil : change.entryID.flatMap { finished.shown[$0] }
        settling[change.scope] = Settling(
            change: change, unversioned: entry, held: settling[change.scope]?.held ?? [])
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

    /// Notes that a change has ended: it has failed, or is part of the data. If a load has found out the version that it has
    /// made, the next entry gets this version as its condition, also in the store.
    func hasEnded(_ change: PendingChange) {
        if let id = change.entryID { left(id, change) }
        guard let ended = settling[change.scope], ended.change === change else { return }
        guard let entry = ended.unversioned, change.state == .succeeded, change.reloads[change.target] != nil,
            let version = Outbox.Condition(unchanged: change.target.basis.entity)
        else { return sendHeld(after: change) }
        // Until this is stored, later requests wait: the start of one may already be on its way to the disk.
        perform(
            .outcome,
            deciding: { rules throws(OutboxError) in [rules.rebased(behind: entry, on: version)] },
            { [self] _ in sendHeld(after: change) })
    }

    /// Sends the requests that have waited until a change is part of the data.
    private func sendHeld(after change: PendingChange) {
        guard settling[change.scope]?.change === change else { return }
        let held = settling.removeValue(forKey: change.scope)?.held ?? []
        if !held.isEmpty { MainQueue.async { for (id, file) in held { self.send(id, file) } } }
    }

    /// Removes the entry of a change that has ended from the list of entries, and from the store.
    func left(_ id: String, _ change: PendingChange? = nil) {
        forget(id, after: change)
        guard finished.shown[id] != nil else { return }
        entriesChanged { finished.hide(id) }
        resumeWaiting()
    }
}

/// The entries that the server has confirmed, and that stay in the store until the caches have their changes.
///
/// If the process ends in between, the caches have the data without the change, which the next process would take for fresh.
/// It finds these entries, and takes the data for stale. It never sends them.
extension Outbox {
    /// Returns a step that keeps an entry which the server has confirmed, if caches may have the data of its resources. Runs
    /// no code of the app, because the rules are being changed.
    ///
    /// If the store fails, the entry is removed as soon as possible; see ``OutboxUnstored``.
    func keepingConfirmed(_ step: OutboxStep, mayBeCached: Bool) -> OutboxStep {
        guard var kept = step.entry, kept.state == .confirmed, context == nil || mayBeCached else { return step }
        (kept.request.headers, kept.request.body) = ([:], .none)
        kept.edits = kept.edits.map { Outbox.StoredEdit(address: $0.address, delta: Data()) }
        finished.store(kept)
        var step = step
        step.changes = step.changes.map { $0 == .remove(id: kept.id) ? .write(kept) : $0 }
        return step
    }

    /// Returns true if caches may have the data of an entry's resources. Runs configuration closures of the app.
    func mayBeCached(_ entry: Outbox.Entry) -> Bool {
        resources(of: entry).contains { $0.resolvedConfiguration(for: .get).processing.hasCache }
    }

    /// Removes a confirmed entry from the store when the caches have its change.
    ///
    /// If the change has not become part of the data, makes its resources stale, also in the caches. The caches of another
    /// principal are not accessible. Then the entry stays until this principal is back.
    ///
    /// - Parameter change: the change, if it has ended in this process.
    func forget(_ id: String, after change: PendingChange? = nil) {
        guard let context, let entry = finished.takeStored(id) else { return }
        let settled = change?.state == .succeeded ? change : nil
        let all = resources(of: entry)
        let isOwn = { [self] in entry.owner == .named(principal) }
        var doubtful = all.filter { isOwn() || !$0.isPersonal }
        if let settled {  // Its result lacks data that was still in a cache, and that is stale already.
            doubtful = settled.resources.filter { !$0.state.hasData && $0 !== settled.deleted }
        } else {
            for resource in doubtful { context.feature(Dependencies.self).invalidate(resource) }
        }
        let isAccessible = { isOwn() || !all.contains(where: \.isPersonal) }
        guard settled != nil || isAccessible() else { return finished.store(entry) }
        let storages = context.storages.compactMap(\.storage)
        resolvingCount += 1
        Task { [doubtful] in
            defer { resolved() }
            for resource in doubtful {
                resource.beginReadingCache()
                await resource.cacheIsRead()
            }
            guard doubtful.isEmpty || isAccessible(), doubtful.allSatisfy({ $0.storeAsStale() }) else {
                return finished.store(entry)
            }
            for resource in all { await resource.cachesAreWritten() }
            do {
                for storage in storages { try await storage.flush() }
            } catch {
                return finished.store(entry)
            }
            perform(.decision, deciding: { _ in [OutboxStep(changes: [.remove(id: id)], entry: nil, lanes: [])] })
        }
    }

    /// Makes the resources of the confirmed entries stale that have not become part of the data.
    func forgetConfirmed() {
        for id in finished.onlyStored { forget(id) }
    }

    private func resources(of entry: Outbox.Entry) -> [Resource] {
        ([entry.request.address] + entry.edits.map(\.address)).compactMap { context?.resource(at: $0) }.uniqued
    }
}
