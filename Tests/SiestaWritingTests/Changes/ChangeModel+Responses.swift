import SiestaCore
import SiestaWriting
import TestDoubles

/// Responses of servers, and answers of an app to conflicts.
extension ChangeModel {
    /// True if a 304 confirms the data.
    func canConfirm(_ number: Int) -> Bool {
        let sent = sent[number]
        guard case .load(let load, let revision, _) = sent.purpose, sent.etag != nil else { return false }
        let thing = things[sent.resource]
        return load > thing.shownLoad && revision == thing.revision && thing.base?.source != .local
    }

    mutating func receive(_ answer: Answer, to number: Int) {
        sent[number].isOpen = false
        switch sent[number].purpose {
        case .change(let id): receive(answer, toChange: id)
        case .load(let load, _, let use):
            let index = sent[number].resource
            if load > things[index].shownLoad { receive(answer, toLoad: load, of: index) }
            continueAfterLoad(of: index, answer, use)
        }
    }

    /// Receives the response to a load that is newer than the data.
    mutating func receive(_ answer: Answer, toLoad load: Int, of index: Int) {
        let isFresh = load > things[index].outdatedLoad
        switch answer {
        case .content(let text, let etag):
            put(index, Base(text: text, etag: etag, source: .network), isFresh: isFresh)
        case .notModified:
            things[index].base?.source = .revalidated
            things[index].setFreshness(isFresh)
        case .failure:
            (things[index].isInvalidated, things[index].hasError) = (!isFresh, true)
            return
        case .empty: return
        }
        things[index].shownLoad = load
        let contained = changes.indices.filter { changes[$0].containedAfter[index].map { load > $0 } ?? false }
        things[index].entries.removeAll { contained.contains($0.change) }
    }

    mutating func receive(_ answer: Answer, toChange id: Int) {
        let change = changes[id]
        let own = change.edits.contains { $0.resource == change.resource }
        if change.isDeletion, answer.isDeletion { return deleted(id, answer) }
        if change.method == "DELETE", case .failure(404) = answer {
            let edited = Set(all(id).flatMap { changes[$0].edits.map(\.resource) })
            receive(.empty(etag: nil), toChange: id)
            if !changes[id].isPending { for index in edited { things[index].isInvalidated = true } }
            return
        }
        switch answer {
        case .failure(let status):
            let isConflict = [409, 412, 428].contains(status)
            if isConflict { invalidate(change.resource) }
            guard isConflict, change.hasResolver, change.conflictCount < 16 else {
                if status >= 500 { noteUnknownOutcome(id) }
                return fail(id)
            }
            changes[id].state = .resolving
            changes[id].conflictCount += 1
            if change.firstConflict == nil { changes[id].firstConflict = (change.basis, ownEdits(id)) }
            load(change.resource, for: .theirs(of: id, status: status))
        case .content(_, let etag), .empty(let etag):
            noteOvertaken(by: id)
            if own, change.precondition == .unchanged, etag == nil || change.settlement == .reload { return reload(id) }
            if change.settlement == .reload { return reload(id) }
            guard own, change.settlement == .response, case .content(let text, _) = answer else {
                return settle(id, nil, etag)
            }
            settle(id, text, etag)
        case .notModified: break
        }
    }

    mutating func continueAfterLoad(of index: Int, _ answer: Answer, _ use: Sent.Use) {
        switch use {
        case .app: break
        case .theirs(let id, let status):
            guard changes[id].isPending else { return }
            var version = basis(index)
            if case .failure(let status) = answer {
                guard status == 404 else {
                    invalidate(index)
                    return fail(id)
                }
                version.base = nil
            }
            let base = changes[id].basis.base?.text
            changes[id].question = Question(
                mine: Self.edited(base, by: ownEdits(id).map(\.edit)), base: base, theirs: version.base?.text,
                status: status, version: version)
            if changes[id].isForced, status != 409 { resolve(id, .force) }
        case .reload(let id):
            if case .failure = answer { changes[id].unloaded.append(index) }
            endReload(id)
        }
    }

    mutating func resolve(_ id: Int, _ resolution: Resolution) {
        guard let question = changes[id].question else { return }
        changes[id].question = nil
        let index = changes[id].resource
        switch resolution {
        case .giveUp: return fail(id)
        case .force:
            let isRequired = question.status == 428 || question.status == 412 && changes[id].isForced
            let version = question.version.base.map { Condition.match($0.etag ?? "*") } ?? .absent
            changes[id].forced = .some(isRequired ? version : nil)
            changes[id].isForced = true
        case .send(let text, let body):
            changes[id].isForced = false
            changes[id].basis = question.version
            changes[id].forced = .some(
                question.version.base.map { $0.etag.map(Condition.match) } ?? .absent)
            changes[id].body = body
            things[index].assigned.changes.removeAll { $0 == id }
            let first = things[index].entries.firstIndex { $0.change == id } ?? things[index].entries.endIndex
            let before = things[index].entries.prefix(first)
            things[index].entries =
                before + [(id, .replace(text))] + things[index].entries[first...].filter { $0.change != id }
            changes[id].edits = changes[id].edits.filter { $0.resource != index } + [(index, .replace(text))]
        }
        send(id)
    }
}
