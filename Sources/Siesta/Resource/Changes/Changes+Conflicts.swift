/// The changes that the server has not carried out because the resource has changed.
extension Changes {
    func resolve(
        _ change: PendingChange, _ error: RequestError, _ info: ResponseInfo, by resolver: @escaping UntypedResolver
    ) {
        change.state = .resolving
        change.conflictCount += 1
        let edits = change.withReplaced.flatMap(\.edits).filter { $0.resource === change.resource }.map(\.edit)
        if change.conflicting == nil { change.conflicting = (change.basis, edits) }
        Task {
            let loaded = await change.resource.load().response.response
            guard change.isPending else { return }
            var theirs = change.resource.state.data
            if case .failure(let error) = loaded {
                guard [404, 410].contains(error.httpStatusCode) else { return fail(change, info) }
                theirs = nil
            }
            // Another change may have become the basis during the load.
            let base = change.basis.entity
            let mine = context.clock.whileCurrent { Entity.edited(base, by: edits[...]) }
            guard change.isPending else { return }
            let conflict = UntypedConflict(mine: mine, base: base, theirs: theirs, error: error)
            let isDecided = change.isForced && error.httpStatusCode != 409
            let resolution = isDecided ? .force : await resolver(conflict)
            guard change.isPending else { return }
            carryOut(resolution, of: change, theirs, error, info)
        }
    }

    private func carryOut(
        _ resolution: UntypedResolution, of change: PendingChange, _ theirs: Entity<Any>?, _ error: RequestError,
        _ info: ResponseInfo
    ) {
        let resource = change.resource
        switch resolution {
        case .giveUp: return fail(change, info)
        case .force: force(change, over: theirs, after: error)
        case .send(let edit, let body):
            change.basis = PendingChange.Basis(entity: resource.state.data, revision: resource.state.contentRevision)
            change.forcedCondition = .some(theirs == nil ? .absent : ChangeCondition(unchanged: resource.state.data))
            change.body.data = body
            change.replaceOwnEdits(by: edit)
            overlay(for: resource).replaceEdits(of: change, by: edit)
            show([resource])
        }
        send(change)
    }

    /// Prepares a change that overwrites the content of the server. It has no condition at first. If the server requires a
    /// condition, it is the version that has just been loaded: not every server accepts `If-Match: *`.
    private func force(_ change: PendingChange, over theirs: Entity<Any>?, after error: RequestError) {
        let needsCondition = error.httpStatusCode == 428 || change.isForced && error.httpStatusCode == 412
        let version = theirs.map { ChangeCondition(unchanged: $0) ?? .present } ?? .absent
        change.forcedCondition = .some(needsCondition ? version : nil)
        change.isForced = true
    }
}

extension RequestError {
    /// True if the server has refused a change because the resource has changed, or because it asks for a condition.
    var isConflict: Bool { [409, 412, 428].contains(httpStatusCode) }
}
