/// The pending changes of one resource, and the data with these changes.
///
/// The base, which is the data of the resource, is not changed. Therefore persistent caches, conditions of requests and
/// freshness know nothing of pending changes.
@MainActor
final class Overlay {
    /// The versions of the base and of the entries.
    private struct Version: Equatable {
        let base: UInt32
        let entries: Int
    }

    let resource: Resource
    /// The changes in order, and the edit of each. A change with several edits occurs several times.
    private(set) var changes: [PendingChange] = []
    private var edits: [any ContentEdit] = []
    /// The number of changes. The edits of one change follow each other.
    private(set) var changeCount = 0
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

    var isEmpty: Bool { changes.isEmpty }

    /// The changes in order, each once.
    var distinctChanges: [PendingChange] {
        var seen: Set<ObjectIdentifier> = []
        return changes.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    func append(_ edit: any ContentEdit, of change: PendingChange) {
        if changes.last !== change { changeCount += 1 }
        changes.append(change)
        edits.append(edit)
        entriesChanged(isAppended: true)
    }

    /// Removes the edits of a change. Returns them; they must be released after the change, because their release may run
    /// code of the app.
    func remove(_ change: PendingChange) -> [any ContentEdit] {
        let removed = zip(changes, edits).filter { $0.0 === change }.map(\.1)
        keep { $0 !== change }
        entriesChanged()
        return removed
    }

    /// Replaces the edits of a change by one edit, in the place of the first of them.
    func replaceEdits(of change: PendingChange, by edit: any ContentEdit) {
        guard let index = changes.firstIndex(where: { $0 === change }) else { return }
        let old = edits
        var isFound = false
        edits[index] = edit
        keep { other in
            guard other === change else { return true }
            defer { isFound = true }
            return !isFound
        }
        entriesChanged()
        extendLifetime(old)
    }

    private func keep(_ isKept: (PendingChange) -> Bool) {
        let kept = changes.indices.filter { isKept(changes[$0]) }
        (changes, edits) = (kept.map { changes[$0] }, kept.map { edits[$0] })
        changeCount = distinctChanges.count
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
        let (edits, count) = (edits[begin...], edits.count)
        let new = resource.context.clock.whileCurrent { Entity.edited(base, by: edits) }
        let old = exchange(&shown, with: new)
        (madeFor, isPublished, isReplaying) = (version, false, false)
        // An edit may have removed changes.
        shownCount = version.entries == entriesVersion ? count : nil
        extendLifetime((old, edits))
        return true
    }
}
