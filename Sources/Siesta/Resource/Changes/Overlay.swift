/// The pending changes of one resource, and the data with these changes.
///
/// The base, which is the data of the resource, is not changed. Therefore persistent caches, conditions of requests and
/// freshness know nothing of pending changes.
@MainActor
final class Overlay {
    private struct Entry {
        let change: PendingChange
        var edit: any ContentEdit
    }

    /// The versions of the base and of the entries.
    private struct Version: Equatable {
        let base: UInt32
        let entries: Int
    }

    let resource: Resource
    private var entries: [Entry] = []
    /// The changes, each once, in the order of their first entries.
    private(set) var changes: [PendingChange] = []
    /// A number that changes whenever entries are removed or replaced.
    private var entriesVersion = 0
    /// The version for which ``shown`` was made; nil before the first time.
    private var madeFor: Version?
    /// The number of entries that ``shown`` contains. Later entries are replayed over it.
    private var shownCount = 0
    private(set) var shown: Entity<Any>?
    /// True if ``shown`` and the number of changes are what readers see.
    var isPublished = false
    private var isReplaying = false

    init(_ resource: Resource) {
        self.resource = resource
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Adds an edit. All edits of a change are added one after the other.
    func append(_ edit: any ContentEdit, of change: PendingChange) {
        entries.append(Entry(change: change, edit: edit))
        if changes.last !== change { changes.append(change) }
        isPublished = false
    }

    /// Removes the edits of changes that have ended. Returns them; they must be released after the changes, because their
    /// release may run code of the app.
    func removeEnded() -> [any ContentEdit] {
        let removed = entries.filter { !$0.change.isPending }.map(\.edit)
        entries.removeAll { !$0.change.isPending }
        changes.removeAll { !$0.isPending }
        entriesChanged()
        return removed
    }

    /// Replaces the edits of a change by one edit, in the place of the first of them; behind all others if there is none.
    func replaceEdits(of change: PendingChange, by edit: any ContentEdit) {
        guard let index = entries.firstIndex(where: { $0.change === change }) else { return append(edit, of: change) }
        let old = entries
        entries[index].edit = edit
        entries = entries.prefix(index + 1) + entries[(index + 1)...].filter { $0.change !== change }
        entriesChanged()
        extendLifetime(old)
    }

    private func entriesChanged() {
        entriesVersion += 1
        isPublished = false
    }

    /// Replays the changes over the data of `state` if ``shown`` is not the result already. Returns true if it has run code
    /// of the app, which may have changed the resource.
    func replay(over state: Resource.State) -> Bool {
        let version = Version(base: state.dataRevision, entries: entriesVersion)
        let start = madeFor == version ? shownCount : 0
        guard madeFor != version || start < entries.count, !isReplaying else { return false }
        isReplaying = true
        let edits = entries[start...].map(\.edit)
        let base = start == 0 ? state.data : shown
        let new = resource.context.clock.whileCurrent { Entity.edited(base, by: edits) }
        let old = exchange(&shown, with: new)
        (madeFor, shownCount, isPublished, isReplaying) = (version, start + edits.count, false, false)
        extendLifetime((old, edits))
        return true
    }
}
