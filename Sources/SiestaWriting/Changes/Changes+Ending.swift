import SiestaCore

/// The end of changes.
extension Changes {
    /// Ends a change that the server has refused, or that cannot be sent.
    func fail(_ change: PendingChange, _ info: ResponseInfo) {
        guard change.isPending else { return }
        removeEdits(of: [change])
        finish(change, info)
    }

    /// Ends changes that have failed. Data that contains their edits, because the app has assigned it, becomes stale.
    func removeEdits(of changes: [PendingChange]) {
        let ended = end(changes, as: .failed)
        for resource in ended.assigned { resource.change { $0.invalidate() } }
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
