import SiestaCore
import SiestaWriting
import TestDoubles

/// The way of a change from its request to its end.
extension ChangeModel {
    func basis(_ index: Int) -> Basis { Basis(base: things[index].base, revision: things[index].revision) }

    func all(_ id: Int) -> [Int] { (changes[id].replaced + [id]).filter { changes[$0].isPending } }

    /// The edits of a change, and of those that it has replaced, of the resource to which it is sent.
    func ownEdits(_ id: Int) -> [(change: Int, edit: Edit)] {
        all(id).flatMap { owner in
            changes[owner].edits.filter { $0.resource == changes[id].resource }.map { (owner, $0.edit) }
        }
    }

    mutating func put(_ index: Int, _ base: Base, isFresh: Bool) {
        things[index].base = base
        things[index].revision += 1
        things[index].setFreshness(isFresh)
    }

    /// Makes data stale. Loads that have begun do not make it fresh.
    mutating func invalidate(_ index: Int) {
        guard things[index].base != nil || things[index].hasError || hasOpenLoad(index) else { return }
        things[index].isInvalidated = true
        things[index].outdatedLoad = things[index].lastLoad
    }

    /// The server may have carried out a change, and nobody knows.
    mutating func noteUnknownOutcome(_ id: Int) {
        noteOvertaken(by: id)
        let edited = all(id).flatMap { changes[$0].edits.map(\.resource) }
        for index in Set(edited + [changes[id].resource]) { invalidate(index) }
    }

    /// The server has carried out a change, or may have.
    mutating func noteOvertaken(by id: Int) {
        for other in changes.indices where changes[other].resource == changes[id].resource && other != id {
            changes[other].isOvertaken = true
        }
    }

    mutating func send(_ id: Int) {
        let change = changes[id]
        (changes[id].state, changes[id].isOvertaken) = (.sending, false)
        for index in edited(id) { changes[id].loadsBefore[index] = things[index].lastLoad }
        var condition: Condition?
        switch change.precondition {
        case .none: break
        case .unchanged: condition = change.basis.base?.etag.map(Condition.match)
        case .absent: condition = .absent
        }
        if let forced = change.forced { condition = forced }
        sent.append(
            Sent(
                resource: change.resource, method: change.method, purpose: .change(id), condition: condition,
                body: change.body))
    }

    mutating func load(_ index: Int, for use: Sent.Use) {
        things[index].lastLoad += 1
        let thing = things[index]
        let etag = thing.base?.source == .local ? nil : thing.base?.etag
        sent.append(
            Sent(
                resource: index, method: "GET",
                purpose: .load(number: thing.lastLoad, revision: thing.revision, use: use), etag: etag))
    }

    mutating func fail(_ id: Int) {
        _ = end(id, .failed)
        finish(id, .failure, isCancelled: false)
    }

    /// Removes a change and those that it has replaced. Returns the edits that the data does not contain, and the resources
    /// whose data contains edits, because the app has assigned it.
    mutating func end(
        _ id: Int, _ state: PendingChange.State
    ) -> (edits: [(resource: Int, edit: Edit)], assigned: Set<Int>) {
        let edits = all(id).flatMap { id in changes[id].edits.map { (id, $0) } }
        let missing = edits.filter { !isAssigned($0.0, $0.1.resource) }.map(\.1)
        let assigned = Set(edits.filter { isAssigned($0.0, $0.1.resource) }.map(\.1.resource))
        for id in all(id) {
            changes[id].state = state
            changes[id].question = nil
            for index in things.indices { things[index].entries.removeAll { $0.change == id } }
        }
        if state == .failed { for index in assigned { things[index].isInvalidated = true } }
        return (missing, assigned)
    }

    mutating func finish(_ id: Int, _ outcome: Outcome, isCancelled: Bool) {
        let scope = changes[id].scope
        if !changes[id].isConcurrent, let index = scopes[scope]?.firstIndex(of: id) {
            scopes[scope]?.remove(at: index)
            if index == 0, let next = scopes[scope]?.first {
                if isCancelled { scheduled.append(next) } else if changes[next].state == .waiting { send(next) }
            }
            if scopes[scope]?.isEmpty == true { scopes[scope] = nil }
        }
        for earlier in changes[id].replaced where changes[earlier].outcomes.isEmpty {
            changes[earlier].outcomes.append(outcome)
        }
        changes[id].outcomes.append(outcome)
    }

    /// The server has deleted the resource of a change, or has no such resource.
    mutating func deleted(_ id: Int, _ answer: Answer) {
        let (target, basis) = (changes[id].resource, changes[id].basis)
        noteOvertaken(by: id)
        if changes[id].settlement == .reload { return reload(id) }
        let edited = edited(id)
        let ended = end(id, .succeeded)
        removeData(target, by: id)
        for index in things.indices where edited.contains(index) && index != target {
            settle(index, by: ended, of: id, etag: nil)
            if case .failure = answer { things[index].isInvalidated = true }
        }
        rebase(after: id, from: basis)
        finish(id, .success, isCancelled: false)
    }

    /// Removes the data. Loads that have begun do not bring it back.
    mutating func removeData(_ index: Int, by id: Int) {
        things[index].base = nil
        things[index].revision += 1
        things[index].setFreshness(true)
        _ = overtakeLoads(index, by: id)
    }

    mutating func settle(_ id: Int, _ text: String?, _ etag: String?) {
        let (target, basis) = (changes[id].resource, changes[id].basis)
        let edited = edited(id)
        let ended = end(id, .succeeded)
        for index in things.indices where edited.contains(index) {
            if index == target, let text {
                let isFresh = overtakeLoads(index, by: id)
                put(index, Base(text: text, etag: etag, source: .network), isFresh: isFresh)
            } else {
                settle(index, by: ended, of: id, etag: index == target ? etag : nil)
                if index == target, changes[id].settlement == .response { things[index].isInvalidated = true }
            }
            if index == target, changes[id].isOvertaken { things[index].isInvalidated = true }
        }
        rebase(after: id, from: basis)
        finish(id, .success, isCancelled: false)
    }

    mutating func settle(
        _ index: Int, by ended: (edits: [(resource: Int, edit: Edit)], assigned: Set<Int>), of id: Int, etag: String?
    ) {
        let own = ended.edits.filter { $0.resource == index }.map(\.edit)
        guard !own.isEmpty || ended.assigned.contains(index) else { return }
        guard let text = Self.edited(things[index].base?.text, by: own) else { return invalidate(index) }
        let isAssigned = things[index].assigned.revision == things[index].revision
        let isFresh = overtakeLoads(index, by: id)
        put(
            index, Base(text: text, etag: etag, source: .local), isFresh: isFresh && !things[index].isOutdated)
        if isAssigned { things[index].assigned.revision = things[index].revision }
    }

    /// The resources that a change edits, and those that the changes edit that it has replaced.
    func edited(_ id: Int) -> Set<Int> { Set(all(id).flatMap { changes[$0].edits.map(\.resource) }) }

    func hasOpenLoad(_ index: Int, after before: Int = 0) -> Bool {
        sent.contains { sent in
            guard sent.isOpen, sent.resource == index, case .load(let number, _, _) = sent.purpose else { return false }
            return number > before
        }
    }

    /// Overtakes all loads that have begun. Returns false if one of them has overlapped the change, so that nobody knows
    /// which of them is newer.
    mutating func overtakeLoads(_ index: Int, by id: Int) -> Bool {
        let last = things[index].lastLoad
        let before = changes[id].loadsBefore[index] ?? last
        let isFresh = things[index].shownLoad <= before && !hasOpenLoad(index, after: before)
        things[index].lastLoad += 1
        things[index].shownLoad = things[index].lastLoad
        if !isFresh { things[index].outdatedLoad = things[index].lastLoad }
        for other in changes.indices where changes[other].loadsBefore[index] == last {
            changes[other].loadsBefore[index] = things[index].lastLoad
        }
        return isFresh
    }

    /// Changes with the same basis are based on the result of the change. After a conflict, this result contains somebody
    /// else's change. Then later changes only know the edits of the change, and keep the version.
    mutating func rebase(after id: Int, from basis: Basis) {
        let index = changes[id].resource
        for other in changes.indices where changes[other].isPending && changes[other].resource == index {
            if let first = changes[id].firstConflict, changes[other].basis.isSameVersion(as: first.basis) {
                guard other > id else { continue }
                let edits = first.edits.filter { changes[$0.change].state == .succeeded }.map(\.edit)
                let old = changes[other].basis.base
                changes[other].basis.base = Self.edited(old?.text, by: edits).map {
                    Base(text: $0, etag: old?.etag, source: .local)
                }
            } else if changes[other].basis.isSameVersion(as: basis) {
                changes[other].basis = self.basis(index)
            }
        }
    }

    mutating func reload(_ id: Int) {
        changes[id].state = .settling
        let edited = all(id).flatMap { changes[$0].edits.map(\.resource) }
        var order: [Int] = []
        for index in edited where !order.contains(index) { order.append(index) }
        if order.isEmpty { order = [changes[id].resource] }
        if changes[id].isDeletion {
            let ids = all(id)
            things[changes[id].resource].entries.removeAll { ids.contains($0.change) }
            removeData(changes[id].resource, by: id)
            order.removeAll { $0 == changes[id].resource }
        }
        changes[id].loadsLeft = order.count
        for index in order {
            for other in all(id) { changes[other].containedAfter[index] = things[index].lastLoad }
            things[index].isInvalidated = true
            things[index].outdatedLoad = things[index].lastLoad
        }
        for index in order { load(index, for: .reload(of: id)) }
        if order.isEmpty { endReload(id) }
    }

    /// The edits that no load has brought become part of the data, which is stale.
    mutating func endReload(_ id: Int) {
        changes[id].loadsLeft -= 1
        guard changes[id].loadsLeft <= 0, changes[id].isPending else { return }
        let (basis, unloaded) = (changes[id].basis, changes[id].unloaded)
        let missing = things.indices.filter { !Set(pending($0)).isDisjoint(with: all(id)) }
        let isEditing = all(id).contains { !changes[$0].edits.isEmpty }
        let ended = end(id, .succeeded)
        for index in missing {
            settle(index, by: ended, of: id, etag: nil)
            things[index].isInvalidated = true
        }
        if !isEditing { for index in unloaded { things[index].isInvalidated = true } }
        rebase(after: id, from: basis)
        finish(id, .success, isCancelled: false)
    }
}
