import SiestaCore

/// The settlement of changes by loads.
extension Changes {
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
            resource.change { $0.invalidate() }
        }
        rebase(after: change, from: basis)
        show(resources)
        finish(change, info)
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
