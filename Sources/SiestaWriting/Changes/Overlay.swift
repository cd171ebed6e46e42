import SiestaCore

/// The pending changes of one resource, and the data with these changes.
///
/// The base, which is the data of the resource, is not changed. Therefore persistent caches, conditions of requests and
/// freshness know nothing of pending changes.
final class Overlay: PendingEdits {
    /// The versions of the base and of the edits.
    private struct Version: Equatable {
        let base: UInt32
        let edits: Int
    }

    private unowned let resource: Resource
    private unowned let numbers: Changes
    /// The edits in order, and the change of each.
    private var edits: [any ContentEdit] = []
    private var editors: [PendingChange] = []
    /// The changes in order, each once.
    private(set) var changes: [PendingChange] = []
    /// True if an earlier process has made a change.
    private var hasRestored = false
    /// A number that changes whenever edits are removed or replaced.
    private var editsVersion = 0
    /// The version for which ``shown`` was made; nil before the first time.
    private var madeFor: Version?
    /// The data for which ``shown`` was made. A change of the state that is given up may have had the same version.
    private var madeOver: Entity<Any>?
    /// The number of edits that ``shown`` contains. Later edits are replayed over it.
    private var shownCount = 0
    private var shown: Entity<Any>?
    /// A number that changes whenever the edits or their result change. No other overlay of the service has it.
    private var number: UInt32
    private var isReplaying = false
    /// The changes whose edits the data contains already, because the app has assigned content that it had read.
    private var assigned: [PendingChange] = []
    /// The ``Resource/State/contentRevision`` of the data for which ``assigned`` counts.
    private var assignedRevision: UInt32 = 0

    init(_ resource: Resource, _ numbers: Changes) {
        (self.resource, self.numbers) = (resource, numbers)
        number = numbers.newShownNumber()
    }

    var isEmpty: Bool { edits.isEmpty }

    /// Sets the result of the edits in a state of the resource, unless it is there already.
    func show(in state: inout Resource.State) {
        guard !isEmpty else { return state.setEdited(nil) }
        guard state.edited?.number != number else { return }
        state.setEdited(.init(entity: shown, number: number, changeCount: changes.count))
    }

    func noteSettlement(of resource: Resource, after last: Resource.State.LoadNumber) {
        for change in changes { change.noteSettlement(of: resource, after: last) }
    }

    /// Adds an edit. All edits of a change are added one after the other.
    func append(_ edit: any ContentEdit, of change: PendingChange) {
        edits.append(edit)
        editors.append(change)
        if changes.last !== change { changes.append(change) }
        if change.isRestored { hasRestored = true }
        number = numbers.newShownNumber()
    }

    /// Removes the edits of some changes. Returns them; they must be released after the changes, because their release may
    /// run code of the app.
    func remove(_ isUnwanted: (PendingChange) -> Bool) -> [any ContentEdit] {
        let old = edits
        let kept = editors.indices.filter { !isUnwanted(editors[$0]) }
        guard kept.count < old.count else { return [] }
        (edits, editors) = (kept.map { edits[$0] }, kept.map { editors[$0] })
        changes.removeAll(where: isUnwanted)
        assigned.removeAll(where: isUnwanted)
        editsChanged()
        return old
    }

    /// Replaces the edits of a change by one edit, in the place of the first of them; behind all others if there is none.
    func replaceEdits(of change: PendingChange, by edit: any ContentEdit) {
        assigned.removeAll { $0 === change }
        guard let index = editors.firstIndex(where: { $0 === change }) else { return append(edit, of: change) }
        let old = edits
        let kept = editors.indices.filter { $0 <= index || editors[$0] !== change }
        edits[index] = edit
        (edits, editors) = (kept.map { edits[$0] }, kept.map { editors[$0] })
        editsChanged()
        extendLifetime(old)
    }

    private func editsChanged() {
        editsVersion += 1
        number = numbers.newShownNumber()
    }

    /// Replays the changes over the data of `state` if ``shown`` is not the result already. Returns true if it has run code
    /// of the app, which may have changed the resource.
    func replay(over state: Resource.State) -> Bool {
        let version = Version(base: state.dataRevision, edits: editsVersion)
        let isSame = madeFor == version && Entity.areSame(madeOver, state.data)
        let start = isSame ? shownCount : 0
        guard !isSame || start < edits.count, !isReplaying else { return false }
        isReplaying = true
        if hasRestored { for change in changes where change.resource === resource { change.findBasis(in: state) } }
        let (edits, count) = (edits(from: start, over: state), edits.count)
        let base = start == 0 ? state.data : shown
        let new = resource.context.clock.whileCurrent { Entity.edited(base, by: edits) }
        let old = (exchange(&shown, with: new), exchange(&madeOver, with: state.data))
        (madeFor, shownCount, number, isReplaying) = (version, count, numbers.newShownNumber(), false)
        extendLifetime((old, edits))
        return true
    }

    /// Returns the data with the changes before one of them.
    func entity(before change: PendingChange) -> Entity<Any>? {
        let count = editors.firstIndex { $0 === change } ?? edits.count
        return Entity.edited(resource.state.data, by: edits[..<count])
    }

    private func edits(from start: Int, over state: Resource.State) -> ArraySlice<any ContentEdit> {
        guard !assigned.isEmpty, state.contentRevision == assignedRevision else { return edits[start...] }
        let missing = (start..<edits.count).filter { index in !assigned.contains { $0 === editors[index] } }
        return missing.map { edits[$0] }[...]
    }
}

// MARK: Assignments

extension Overlay {
    /// Prepares an assignment of content that contains all edits.
    func willAssign() {
        (assigned, assignedRevision) = (changes, resource.state.nextContentRevision)
    }

    /// Prepares new data that consists of the present data and of some edits.
    func willEditData() {
        guard assignedRevision == resource.state.contentRevision else { return }
        assignedRevision = resource.state.nextContentRevision
    }

    /// True if the data contains the edits of a change already.
    func isAssigned(_ change: PendingChange) -> Bool {
        assignedRevision == resource.state.contentRevision && assigned.contains { $0 === change }
    }
}
