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
    private var entriesVersion = 0
    /// The version for which ``shown`` was made; nil before the first time.
    private var madeFor: Version?
    private(set) var shown: Entity<Any>?
    /// The number of entries that ``shown`` contains; nil if other entries have changed since.
    private var shownCount: Int?
    /// True if ``shown`` and the number of changes are what readers see.
    var isPublished = false
    private var isReplaying = false

    init(_ resource: Resource) {
        self.resource = resource
    }

    var isEmpty: Bool { entries.isEmpty }

    var changes: [PendingChange] { entries.map(\.change) }

    func append(_ edit: any ContentEdit, of change: PendingChange) {
        entries.append(Entry(change: change, edit: edit))
        entriesChanged(isAppended: true)
    }

    /// Removes the edits of a change. Returns them; they must be released after the change, because their release may run
    /// code of the app.
    func remove(_ change: PendingChange) -> [any ContentEdit] {
        let removed = entries.filter { $0.change === change }.map(\.edit)
        entries.removeAll { $0.change === change }
        entriesChanged()
        return removed
    }

    /// Replaces the edits of a change by one edit, in the place of the first of them.
    func replaceEdits(of change: PendingChange, by edit: any ContentEdit) {
        guard let index = entries.firstIndex(where: { $0.change === change }) else { return }
        let old = entries
        entries[index].edit = edit
        entries = entries.prefix(index + 1) + entries[(index + 1)...].filter { $0.change !== change }
        entriesChanged()
        extendLifetime(old)
    }

    private func entriesChanged(isAppended: Bool = false) {
        entriesVersion += 1
        isPublished = false
        if !isAppended { shownCount = nil }
    }

    /// Replays the changes over the data of `state` if ``shown`` is not the result already. Returns true if it has run code
    /// of the app, which may have changed the resource.
    func replay(over state: Resource.State) -> Bool {
        let version = Version(base: state.dataRevision, entries: entriesVersion)
        guard madeFor != version, !isReplaying else { return false }
        isReplaying = true
        let isSameBase = madeFor?.base == version.base
        let (begin, base) = isSameBase ? (shownCount ?? 0, shownCount == nil ? state.data : shown) : (0, state.data)
        let edits = entries[begin...].map(\.edit)
        let count = entries.count
        let new = resource.context.clock.whileCurrent { Entity.edited(base, by: edits) }
        let old = exchange(&shown, with: new)
        (madeFor, isPublished, isReplaying) = (version, false, false)
        // An edit may have removed changes.
        shownCount = version.entries == entriesVersion ? count : nil
        extendLifetime((old, edits))
        return true
    }
}
