import SiestaCore

/// The changes that the server has not carried out because the resource has changed.
extension Changes {
    /// Returns the function that decides on the conflicts of a change: its own, or the latest of the service. Nil if the
    /// resource was created by another change: its content and its edits are not known.
    func resolver(for change: PendingChange) -> UntypedResolver? {
        if change.isOfCreated { return nil }
        return change.resolver ?? resolvers.last { $0.matches(change.resource.url) }?.resolve
    }

    /// Asks the app about the conflict of a change, and sends the change again or ends it. A change in an outbox whose
    /// conflict stays unresolved waits there. Returns false if nobody can be asked.
    func resolve(_ change: PendingChange, _ error: RequestError, _ info: ResponseInfo) -> Bool {
        guard let resolver = resolver(for: change), change.conflictCount < Self.conflictLimit else { return false }
        let outbox = change.outbox
        // If the app retries or edits the entry, it gets another key. Then this conflict is decided.
        let key = change.entryID.flatMap { outbox?.rules[$0]?.idempotencyKey }
        outbox?.resolvingCount += 1
        Task {
            defer { outbox?.resolved() }
            var decision = await decision(about: change, error, info, by: resolver)
            if let outbox {
                // The app may have decided meanwhile: it may have dropped the change, or had it sent again. Its decision may
                // still wait for the disk.
                await outbox.allIsDecided()
                guard outbox.rules.isInConflict(change.entryID),
                    change.entryID.flatMap({ outbox.rules[$0]?.idempotencyKey }) == key
                else { return }
                // The principal may have signed out during this wait. Then the data belongs to another one.
                if !isShown(change) { decision = nil }
            }
            if let decision, prepare(change, decision, after: error) {
                if let outbox { outbox.sendAgain(change, info, decision.resolution) } else { send(change) }
            } else if let outbox, decision == nil {
                outbox.block(change, .conflict, info)
            } else {
                outbox?.giveUp(change)
                fail(change, info)
            }
        }
        return true
    }

    /// The decision of the app, and the data that the app has seen. The resource may have newer data by now, which the app has
    /// not merged. Then the server refuses the change again.
    typealias Decision = (
        resolution: UntypedResolution, body: RequestBody.Encoded?, theirs: PendingChange.Basis
    )

    /// Loads the present content, and asks the app. Returns nil if the load has failed, if there is no content over which the
    /// edit could be made again, or if the change has ended or is hidden: then its principal has signed out, and the data
    /// belongs to another one.
    func decision(
        about change: PendingChange, _ error: RequestError, _ info: ResponseInfo, by resolver: UntypedResolver
    ) async -> Decision? {
        guard isShown(change) else { return nil }
        change.pass(to: .resolving)
        noteDoubt(change, info, error)
        if change.isRestored {
            change.resource.beginReadingCache()
            await change.resource.cacheIsRead()
        }
        if change.conflicting == nil { change.conflicting = (change.basis, change.ownEdits) }
        let loaded = await context.because(.change) { change.resource.load() }.response.response
        guard isShown(change) else { return nil }
        var theirs = change.resource.basis
        if case .failure(let loadError) = loaded {
            guard [404, 410].contains(loadError.httpStatusCode) else {
                noteDoubt(change, info, error)
                return nil
            }
            theirs.entity = nil
        }
        // Another change may have become the basis during the load.
        let (base, edits) = (change.basis.entity, change.ownEdits.map(\.edit))
        // After a restart, nobody may know the base. Then the edit of the present content is what the screen shows.
        let edited = base ?? (change.isRestored ? theirs.entity : nil)
        let mine = context.clock.whileCurrent { Entity.edited(edited, by: edits[...]) }
        guard isShown(change) else { return nil }
        let conflict = UntypedConflict(mine: mine, base: base, theirs: theirs.entity, error: error)
        let isDecided = change.isForced && error.httpStatusCode != 409
        let resolution = isDecided ? .force : await resolver(conflict)
        if case .reapply = resolution, theirs.entity == nil { return nil }
        var body = change.body
        if case .send(_, let new) = resolution {
            body = try? new.encoded(for: change.resource, change.method)  // This runs code of the app.
            guard let body, change.outbox == nil || body.data != nil else { return nil }
        }
        return isShown(change) ? (resolution, body, theirs) : nil
    }

    /// Prepares the next attempt of a change. Returns false if the app gives the change up.
    func prepare(_ change: PendingChange, _ decision: Decision, after error: RequestError) -> Bool {
        let (resource, theirs) = (change.resource, decision.theirs)
        switch decision.resolution {
        case .giveUp: return false
        case .force: force(change, over: theirs.entity, after: error)
        case .reapply:
            // The overlay has made the edits over theirs when the load ended.
            let version = Outbox.Condition(unchanged: theirs.entity)
            change.basis = theirs
            change.forcedCondition = version ?? (error.httpStatusCode == 428 ? .present : .unconditional)
            change.isForced = false
        case .send(let edit, _):
            change.basis = theirs
            change.forcedCondition =
                theirs.entity.map { Outbox.Condition(unchanged: $0) ?? .unconditional } ?? .absent
            change.isForced = false
            change.body = decision.body
            change.replaceOwnEdits(by: edit)
            overlay(for: resource).replaceEdits(of: change, by: edit)
            show([resource])
        }
        return true
    }

    /// Prepares a change that overwrites the content of the server. It has no condition at first. If the server requires a
    /// condition, it is the version that has just been loaded: not every server accepts `If-Match: *`.
    private func force(_ change: PendingChange, over theirs: Entity<Any>?, after error: RequestError) {
        let needsCondition = error.httpStatusCode == 428 || change.isForced && error.httpStatusCode == 412
        let version = theirs.map { Outbox.Condition(unchanged: $0) ?? .present } ?? .absent
        change.forcedCondition = needsCondition ? version : .unconditional
        change.isForced = true
    }
}

extension PendingChange {
    /// The edits of ``resource``, and the change of each: this one, or one that it has replaced.
    fileprivate var ownEdits: [(change: PendingChange, edit: any ContentEdit)] {
        withReplaced.flatMap { change in
            change.edits.filter { $0.resource === resource }.map { (change, $0.edit) }
        }
    }
}

extension RequestError {
    /// True if the server has refused a change because the resource has changed, or because it asks for a condition.
    var isConflict: Bool { [409, 412, 428].contains(httpStatusCode) }
}
