import SiestaCore

/// The settlement of changes by their responses, by their edits and by loads, and the end of all changes.
extension Changes {
    /// Makes a change that has succeeded a part of the data.
    func settle(_ change: PendingChange, _ response: Entity<Any>, _ info: ResponseInfo) {
        noteOvertaken(by: change)
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
                // The code that followed the success has ended with the process that made the change: nothing else
                // would replace the drafts and the rows of lists.
                if change.isRestored
                    || isTarget && (change.options.settlement == .response || change.isOvertaken)
                {
                    resource.becomeStale()
                }
            }
            // Somebody else has deleted the resource, or the server hides it.
            if info.isOfMissingResource { resource.becomeStale() }
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
            if let first = change.conflicting, later.basis.isSameVersion(as: first.basis) {
                guard later.number > change.number else { continue }
                later.basis.entity = context.clock.whileCurrent {
                    Entity.edited(later.basis.entity, by: edits[...])
                }
            } else if later.basis.isSameVersion(as: old) {
                later.basis = new
            }
        }
    }

    // MARK: Loads

    /// Loads the resources of a change that has succeeded, and ends it afterwards. A resource that the change has deleted
    /// is not loaded.
    ///
    /// A response replaces the edits of its resource in one step, because it contains them. If no response has done so,
    /// because the load has failed, or because the result of another change was newer, the edits become part of the data,
    /// which stays stale.
    func reload(_ change: PendingChange, _ info: ResponseInfo) {
        change.pass(to: .settling)
        let (all, deleted) = (change.withReplaced, change.deleted)
        let edited = all.flatMap(\.resources).uniqued
        if let deleted { removeData(of: deleted, all) }
        guard change.isPending else { return }  // An observer has cancelled it.
        let resources = (edited.isEmpty ? [change.target] : edited).filter { $0 !== deleted }
        guard !resources.isEmpty else { return reloaded(change, [], [], info) }
        for resource in resources {
            resource.change { $0.invalidateWithLoads() }
            for change in all { change.reloads[resource] = resource.state.lastLoad }
        }
        var (count, failed) = (resources.count, [Resource]())
        for resource in resources {
            context.because(.change) { resource.load() }.onCompletion { [self] load in
                count -= 1
                if case .failure = load.response { failed.append(resource) }
                if count == 0, change.isPending { reloaded(change, resources, failed, info) }
            }
        }
    }

    private func reloaded(
        _ change: PendingChange, _ resources: [Resource], _ failed: [Resource], _ info: ResponseInfo
    ) {
        let (basis, all) = (change.basis, change.withReplaced)
        let missing = resources.filter { resource in
            overlay(of: resource)?.changes.contains { shown in all.contains { $0 === shown } } ?? false
        }
        let made = WipeCount.now
        let ended = end([change], as: .succeeded)
        for resource in ended.resources.isEmpty ? failed : missing where !resource.isOutdated(made) {
            resource.settle(by: ended, of: change, version: nil)
            resource.becomeStale()
        }
        rebase(after: change, from: basis)
        show(resources)
        finish(change, info)
    }

    // MARK: Ends

    /// Ends a change that the server has refused, or that cannot be sent.
    func fail(_ change: PendingChange, _ info: ResponseInfo) {
        guard change.isPending else { return }
        removeEdits(of: [change])
        finish(change, info)
    }

    /// Ends changes that have failed. Data that contains their edits, because the app has assigned it, becomes stale.
    func removeEdits(of changes: [PendingChange]) {
        let ended = end(changes, as: .failed)
        for resource in ended.assigned { resource.becomeStale() }
        show(ended.resources)
    }

    /// The result of ``end(_:as:)``.
    struct Ended {
        /// The edited resources, each once.
        let resources: [Resource]
        /// The edits that the data does not contain.
        let edits: [ResourceEdit]
        /// The resources whose data contains edits already, because the app has assigned it.
        let assigned: [Resource]
    }

    /// Removes changes and those that they have replaced.
    func end(_ changes: [PendingChange], as state: PendingChange.State) -> Ended {
        let all = changes.flatMap(\.withReplaced)
        var (edits, assigned) = ([ResourceEdit](), [Resource]())
        for change in all {
            for edit in change.edits {
                let isAssigned = overlay(of: edit.resource)?.isAssigned(change) ?? false
                if isAssigned { assigned.append(edit.resource) } else { edits.append(edit) }
            }
        }
        for change in all {
            change.pass(to: state)
            forget(change)
        }
        let resources = all.flatMap { $0.edits.map(\.resource) }.uniqued
        extendLifetime(resources.flatMap { overlay(of: $0)?.remove { !$0.isPending } ?? [] })
        return Ended(resources: resources, edits: edits, assigned: assigned.uniqued)
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

extension Overlay {
    func loadEnds(_ number: Resource.State.LoadNumber, of resource: Resource, with info: ResponseInfo) -> Bool {
        guard case .success = info.response, changes.contains(where: { $0.isContained(inLoad: number, of: resource) })
        else { return false }
        var state = resource.state
        _ = state.endLoad(number, with: info, at: resource.context.now)
        guard state.shownLoad == number else { return false }  // The data is newer than the response.
        let removed = remove { $0.isContained(inLoad: number, of: resource) }
        extendLifetime(removed)
        return !removed.isEmpty
    }
}

extension PendingChange {
    fileprivate func isContained(inLoad number: Resource.State.LoadNumber, of resource: Resource) -> Bool {
        reloads[resource].map { number > $0 } ?? false
    }
}
