/// The settlement of changes by loads.
extension Changes {
    /// Loads the resources of a change that has succeeded, and ends it afterwards.
    ///
    /// A response replaces the edits of its resource in one step, because it contains them. If a load fails, the edits
    /// become part of the data, which stays stale.
    func reload(_ change: PendingChange, _ info: ResponseInfo) {
        change.state = .settling
        let all = change.withReplaced
        let edited = all.flatMap(\.resources).uniqued
        let resources = edited.isEmpty ? [change.resource] : edited
        for resource in resources {
            resource.change { $0.invalidateWithLoads() }
            for change in all { change.reloads[ObjectIdentifier(resource)] = resource.state.lastLoad }
        }
        var (count, failed) = (resources.count, [Resource]())
        for resource in resources {
            resource.load().onCompletion { [self] load in
                count -= 1
                if case .failure = load.response { failed.append(resource) }
                if count == 0, change.isPending { reloaded(change, resources, failed, info) }
            }
        }
    }

    private func reloaded(
        _ change: PendingChange, _ resources: [Resource], _ failed: [Resource], _ info: ResponseInfo
    ) {
        let basis = change.basis
        let edits = end([change], as: .succeeded).edits
        for resource in failed {
            resource.settle(by: edits.filter { $0.resource === resource }.map(\.edit), etag: nil)
            resource.change { $0.invalidate() }
        }
        rebase(after: change, from: basis)
        show(resources)
        finish(change, info)
    }

    /// Removes the edits that the response to a load contains, because the load began after the server had carried out
    /// their changes. Called directly before the response becomes the data of the resource.
    func load(_ number: Resource.State.LoadNumber, of resource: Resource, endsWith info: ResponseInfo) {
        guard case .success = info.response, let overlay = overlay(of: resource) else { return }
        extendLifetime(overlay.remove { $0.isContained(inLoad: number, of: resource) })
    }
}

extension PendingChange {
    fileprivate func isContained(inLoad number: Resource.State.LoadNumber, of resource: Resource) -> Bool {
        reloads[ObjectIdentifier(resource)].map { number > $0 } ?? false
    }
}
