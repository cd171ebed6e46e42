import SiestaCore

/// The settlement of changes by their responses and edits.
extension Changes {
    /// Makes a change that has succeeded a part of the data.
    func settle(_ change: PendingChange, _ response: Entity<Any>, _ info: ResponseInfo) {
        for other in pending(at: change.resource) where other !== change { other.isOvertaken = true }
        let settlement = change.settlement(after: response)
        if let item = change.confirmation, item.isOfCreation, settlement != .edit {
            return settle(change, by: settlement, item, response, info)
        }
        switch settlement {
        case .reload: reload(change, info)
        case .edit: settle(change, info, nil, response)
        case .response:
            guard change.deleted == nil, !info.isOfMissingResource, change.isOwnContent(response),
                let own = change.edits.first(where: { $0.resource === change.target })
            else {
                return settle(change, info, nil, response)
            }
            change.pass(to: .settling)
            Task {
                let content = await content(of: response, info, for: own)
                if change.isPending { settle(change, info, content, response) }
            }
        }
    }

    /// Makes a change that has created an item a part of the data. The response is the data of the item's resource.
    private func settle(
        _ change: PendingChange, by settlement: ChangeOptions.Settlement, _ item: any ItemConfirmation,
        _ response: Entity<Any>, _ info: ResponseInfo
    ) {
        change.pass(to: .settling)
        Task {
            let finished = FinishedResponse(response, info)
            change.created = await item.resource(createdBy: finished)
            let content = await change.created?.processedAsLoad(response, finished.data)
            guard change.isPending else { return }
            guard settlement != .reload else { return reload(change, info) }
            settle(change, info, content.map { ($0.entity, $0.outputs) }, response)
        }
    }

    /// Returns the response as the new data of a resource, if it has content of the type of the edit.
    private func content(
        of response: Entity<Any>, _ info: ResponseInfo, for edit: ResourceEdit
    ) async -> (entity: Entity<Any>, outputs: [CacheableOutput]?)? {
        let finished = FinishedResponse(response, info)
        if let (entity, outputs) = await edit.resource.processedAsLoad(response, finished.data),
            edit.edit.accepts(entity.content)
        {
            return (entity, outputs)
        }
        return await edit.edit.content(of: finished).map { (response.withContent($0), nil) }
    }

    private func settle(
        _ change: PendingChange, _ info: ResponseInfo, _ content: (entity: Entity<Any>, outputs: [CacheableOutput]?)?,
        _ response: Entity<Any>
    ) {
        let (basis, deleted, target) = (change.basis, change.deleted, change.created ?? change.target)
        let made = WipeCount.now
        if let content, change.created == nil { change.confirmation?.take(content.entity.content) }
        let ended = end([change], as: .succeeded)
        let read = deleted?.removeDeletedData()
        let created = content == nil ? nil : change.created
        let others = (ended.resources.filter { $0 !== deleted } + [created].compactMap { $0 }).uniqued
        // Code of the app that is told of one resource may wipe the others.
        for resource in others where !resource.isOutdated(made) {
            let isTarget = resource === target
            let isDoubtful = isTarget && (change.isOverlapped(at: resource) || change.isOvertaken)
            if isDoubtful, resource.hasData(asNewAs: content?.entity ?? response) { continue }
            if isTarget, let content {
                // Nobody knows in which order the server has carried out both changes, and which response is newer.
                resource.settle(
                    content.entity, from: .network, isDoubtful: isDoubtful, content.outputs, unlessWipedSince: made)
            } else {
                let version = isTarget ? change.version(in: response)?.headerFields : nil
                resource.settle(by: ended, of: change, version: version)
                if isTarget, change.options.settlement == .response || change.isOvertaken {
                    resource.change { $0.invalidate() }
                }
            }
            // Somebody else has deleted the resource, or the server hides it.
            if info.isOfMissingResource { resource.change { $0.invalidate() } }
        }
        rebase(after: change, from: basis)
        if let deleted { publish([deleted]) }
        show(others, isData: true)
        deleted?.notifyObservers(.newData(.wipe))
        read?.finish()
        finish(change, info, leavingOut: content == nil ? nil : target)
    }

    /// Removes the data of a resource that a change has deleted, and the edits of this resource. The change stays pending.
    func removeData(of deleted: Resource, _ changes: [PendingChange]) {
        let removed = overlay(of: deleted)?.remove { shown in changes.contains { $0 === shown } }
        let read = deleted.removeDeletedData()
        publish([deleted])
        deleted.notifyObservers(.newData(.wipe))
        read?.finish()
        extendLifetime(removed)
    }

    /// Makes the new data the basis of later changes that had the same basis as the change that has succeeded.
    ///
    /// After a conflict, the new data also contains somebody else's change, which the later changes do not know. Their basis
    /// keeps its version, so that they have a conflict, too. It receives the edits of the successful change, which are no
    /// conflict.
    func rebase(after change: PendingChange, from old: PendingChange.Basis) {
        let resource = change.resource
        let new = resource.basis
        let edits = change.conflicting?.edits.filter { $0.change.state == .succeeded }.map(\.edit) ?? []
        for later in pending(at: resource) {
            if let first = change.conflicting, later.basis.revision == first.basis.revision {
                guard later.number > change.number else { continue }
                later.basis.entity = context.clock.whileCurrent {
                    Entity.edited(later.basis.entity, by: edits[...])
                }
            } else if later.basis.revision == old.revision {
                later.basis = new
            }
        }
    }
}

extension Resource {
    /// Returns true if a feature knows that the data contains what an entity does.
    fileprivate func hasData(asNewAs entity: Entity<Any>) -> Bool {
        context.extensions.contains { $0.hasData(of: self, asNewAs: entity) }
    }

    /// Makes the edits of changes that have ended part of the data.
    func settle(by ended: Changes.Ended, of change: PendingChange, version: HeaderFields?) {
        settle(
            by: ended.edits.filter { $0.resource === self }.map(\.edit), version: version,
            isAssigned: ended.assigned.contains(self), isDoubtful: change.isOverlapped(at: self))
    }
}
