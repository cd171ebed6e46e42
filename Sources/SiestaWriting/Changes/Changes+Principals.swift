import SiestaCore

/// The changes of the principals of an outbox.
extension Changes {
    /// Hides changes of another principal. They do not end. The caller tells the observers of their resources as soon as
    /// code of the app may run.
    func hide(_ changes: [PendingChange]) {
        let resources = changes.flatMap(\.resources).uniqued
        let removed = remove(changes, from: resources)
        publish(resources)
        extendLifetime(removed)
    }

    /// Returns the removed edits, whose release may run code of the app.
    private func remove(_ changes: [PendingChange], from resources: [Resource]) -> [any ContentEdit] {
        for change in changes { forget(change) }
        let unwanted = Set(changes.map(ObjectIdentifier.init))
        return resources.flatMap { overlay(of: $0)?.remove { unwanted.contains(ObjectIdentifier($0)) } ?? [] }
    }

    /// Shows changes of an outbox, in order, and behind them later changes, which may be shown already. No code of the app
    /// runs before all changes have their places.
    func reveal(_ changes: [PendingChange], before later: [PendingChange]) {
        let removed = remove(later, from: later.flatMap(\.resources).uniqued)
        let all = changes + later
        for change in all where !isShown(change) { note(change) }
        show(all.flatMap(\.resources).uniqued)
        extendLifetime(removed)
    }
}
