import Siesta

/// The specification of pending changes as a simple model: a base and an ordered list of edits for each resource. It has no
/// classes, no callbacks and no network. Resources and changes have numbers.
struct ChangeModel {
    /// The data of a resource without pending changes.
    struct Base: Equatable {
        var text: String
        var etag: String?
        var source: Resource.DataSource
    }

    enum Edit {
        case append(String)
        case replace(String)
    }

    /// The data on which a change was based.
    struct Basis {
        var base: Base?
        var revision = 0
    }

    enum Condition: Equatable {
        case match(String)
        case absent

        var header: (name: String, value: String) {
            switch self {
            case .match(let tag): ("If-Match", tag)
            case .absent: ("If-None-Match", "*")
            }
        }
    }

    struct Change {
        var resource: Int
        var edits: [(resource: Int, edit: Edit)]
        var scope: String
        var isConcurrent = false
        var coalesces = false
        var method = "PATCH"
        var settlement = ChangeOptions.Settlement.response
        var precondition = Precondition.none
        var hasResolver = false
        var body: String
        // The progress.
        var state = PendingChange.State.waiting
        var basis = Basis()
        var forced: Condition??
        /// True if the app has decided to overwrite the content of the server.
        var isForced = false
        var conflictCount = 0
        /// True if the server has carried out another change of the resource since this one was sent.
        var isOvertaken = false
        /// The version on which the change was based before its first conflict, and its edits of then.
        var firstConflict: (revision: Int, edits: [(change: Int, edit: Edit)])?
        var replaced: [Int] = []
        var loadsLeft = 0
        /// The newest load of each resource when the server had carried out the change. Later loads contain it.
        var containedAfter: [Int: Int] = [:]
        /// The resources that could not be loaded after a success.
        var unloaded: [Int] = []
        /// The conflict that the resolver decides; nil if there is none.
        var question: Question?
        /// The outcomes that the request has reported.
        var outcomes: [Outcome] = []

        var isPending: Bool { state != .succeeded && state != .failed }
    }

    struct Question: Equatable {
        var mine: String?
        var base: String?
        var theirs: String?
        var status: Int
        /// The data of the server that the app is shown; without data if the resource does not exist.
        var version = Basis()

        static func == (left: Question, right: Question) -> Bool {
            (left.mine, left.base, left.theirs, left.status) == (right.mine, right.base, right.theirs, right.status)
        }
    }

    enum Outcome { case success, failure }

    /// A resource.
    struct Thing {
        var base: Base?
        var revision = 0
        var lastLoad = 0
        var shownLoad = 0
        /// The responses to this load and to earlier ones do not make the data fresh.
        var outdatedLoad = 0
        var isInvalidated = false
        var hasError = false
        /// The changes that the data contains, because the app has assigned it, as long as it has a revision.
        var assigned: (changes: [Int], revision: Int) = ([], 0)
        var entries: [(change: Int, edit: Edit)] = []
    }

    /// A request that was sent.
    struct Sent {
        enum Purpose {
            case change(Int)
            case load(number: Int, revision: Int, use: Use)
        }

        enum Use {
            case app
            case theirs(of: Int, status: Int)
            case reload(of: Int)
        }

        var resource: Int
        var method: String
        var purpose: Purpose
        var condition: Condition?
        var etag: String?
        var body: String?
        var isOpen = true
    }

    /// The response of a server.
    enum Answer {
        case content(String, etag: String?)
        case empty(etag: String?)
        case notModified
        case failure(Int)
    }

    enum Resolution {
        case giveUp
        case force
        case send(String, body: String)
    }

    var things: [Thing]
    var changes: [Change] = []
    var sent: [Sent] = []
    private var scopes: [String: [Int]] = [:]
    /// The changes that are sent in the next turn of the main queue, because the change before them was cancelled.
    private var scheduled: [Int] = []

    init(resourceCount: Int) {
        things = Array(repeating: Thing(), count: resourceCount)
    }

    // MARK: What an app sees

    func shown(_ index: Int) -> String? {
        let missing = things[index].entries.filter { !isAssigned($0.change, index) }
        return Self.edited(things[index].base?.text, by: missing.map(\.edit))
    }

    private func isAssigned(_ id: Int, _ index: Int) -> Bool {
        let assigned = things[index].assigned
        return assigned.revision == things[index].revision && assigned.changes.contains(id)
    }

    /// The pending changes of a resource, in order.
    func pending(_ index: Int) -> [Int] {
        var found: [Int] = []
        for entry in things[index].entries where !found.contains(entry.change) { found.append(entry.change) }
        return found
    }

    func source(_ index: Int) -> Resource.DataSource? {
        guard !things[index].entries.isEmpty else { return things[index].base?.source }
        return shown(index) == nil ? nil : .local
    }

    /// True if there is data, or a recent error, and nothing has made the data stale.
    func isFresh(_ index: Int) -> Bool {
        let thing = things[index]
        return !thing.isInvalidated && (thing.base != nil || thing.hasError)
    }

    private static func edited(_ text: String?, by edits: [Edit]) -> String? {
        edits.reduce(text) { text, edit in
            switch edit {
            case .append(let end): text.map { $0 + end }
            case .replace(let new): new
            }
        }
    }

    // MARK: Operations of an app

    mutating func add(_ new: Change) {
        var new = new
        new.basis = basis(new.resource)
        let id = changes.count
        changes.append(new)
        for (resource, edit) in new.edits { things[resource].entries.append((id, edit)) }
        if new.isConcurrent { return send(id) }
        if new.coalesces, let queue = scopes[new.scope], queue.count > 1, let last = queue.last,
            changes[last].coalesces,
            changes[last].resource == new.resource, changes[last].method == new.method
        {
            scopes[new.scope]?.removeLast()
            changes[id].replaced = changes[last].replaced + [last]
            changes[last].replaced = []
            changes[id].basis = changes[last].basis
        }
        scopes[new.scope, default: []].append(id)
        if scopes[new.scope]?.count == 1 { send(id) }
    }

    mutating func cancel(_ id: Int) {
        guard changes[id].isPending else { return }
        if changes[id].state == .sending { noteUnknownOutcome(id) }
        _ = end(id, .failed)
        for index in sent.indices where sent[index].isOpen {
            if case .change(id) = sent[index].purpose { sent[index].isOpen = false }
        }
        finish(id, .failure, isCancelled: true)
    }

    mutating func load(_ index: Int) { load(index, for: .app) }

    mutating func override(_ index: Int, _ text: String) {
        put(index, Base(text: text, etag: things[index].base?.etag, source: .local), isFresh: true)
    }

    /// The app has read the content, and sets it.
    mutating func assign(_ index: Int, _ text: String) {
        override(index, text)
        things[index].assigned = (pending(index), things[index].revision)
    }

    mutating func wipe(_ indices: [Int]) {
        for id in changes.indices.reversed() {
            guard
                indices.contains(changes[id].resource)
                    || indices.contains(where: { pending($0).contains(id) })
            else { continue }
            cancel(id)
        }
        for number in sent.indices where indices.contains(sent[number].resource) && sent[number].isOpen {
            sent[number].isOpen = false
            guard case .load(_, _, let use) = sent[number].purpose else { continue }
            continueAfterLoad(of: sent[number].resource, .failure(0), use)
        }
        for index in indices {
            things[index].base = nil
            things[index].revision += 1
            (things[index].isInvalidated, things[index].hasError) = (false, false)
            things[index].outdatedLoad = things[index].lastLoad
        }
    }

    /// Sends what a turn of the main queue sends.
    mutating func turn() {
        let ids = scheduled
        scheduled = []
        for id in ids where changes[id].state == .waiting { send(id) }
    }

    // MARK: Responses

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
    private mutating func receive(_ answer: Answer, toLoad load: Int, of index: Int) {
        let isFresh = load > things[index].outdatedLoad
        switch answer {
        case .content(let text, let etag):
            put(index, Base(text: text, etag: etag, source: .network), isFresh: isFresh)
        case .notModified:
            things[index].base?.source = .revalidated
            (things[index].isInvalidated, things[index].hasError) = (!isFresh, false)
        case .failure:
            (things[index].isInvalidated, things[index].hasError) = (!isFresh, true)
            return
        case .empty: return
        }
        things[index].shownLoad = load
        let contained = changes.indices.filter { changes[$0].containedAfter[index].map { load > $0 } ?? false }
        things[index].entries.removeAll { contained.contains($0.change) }
    }

    private mutating func receive(_ answer: Answer, toChange id: Int) {
        let change = changes[id]
        let own = change.edits.contains { $0.resource == change.resource }
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
            if change.firstConflict == nil { changes[id].firstConflict = (change.basis.revision, ownEdits(id)) }
            load(change.resource, for: .theirs(of: id, status: status))
        case .content(_, let etag), .empty(let etag):
            for other in changes.indices where changes[other].resource == change.resource && other != id {
                changes[other].isOvertaken = true
            }
            if own, change.precondition == .unchanged, etag == nil || change.settlement == .reload { return reload(id) }
            if change.settlement == .reload { return reload(id) }
            guard own, change.settlement == .response, case .content(let text, _) = answer else {
                return settle(id, nil, etag)
            }
            settle(id, text, etag)
        case .notModified: break
        }
    }

    private mutating func continueAfterLoad(of index: Int, _ answer: Answer, _ use: Sent.Use) {
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

    // MARK: Parts

    private func basis(_ index: Int) -> Basis { Basis(base: things[index].base, revision: things[index].revision) }

    private func all(_ id: Int) -> [Int] { (changes[id].replaced + [id]).filter { changes[$0].isPending } }

    /// The edits of a change, and of those that it has replaced, of the resource to which it is sent.
    private func ownEdits(_ id: Int) -> [(change: Int, edit: Edit)] {
        all(id).flatMap { owner in
            changes[owner].edits.filter { $0.resource == changes[id].resource }.map { (owner, $0.edit) }
        }
    }

    private mutating func put(_ index: Int, _ base: Base, isFresh: Bool) {
        things[index].base = base
        things[index].revision += 1
        (things[index].isInvalidated, things[index].hasError) = (!isFresh, false)
    }

    /// Makes data stale. Loads that have begun do not make it fresh.
    private mutating func invalidate(_ index: Int) {
        guard things[index].base != nil else { return }
        things[index].isInvalidated = true
        things[index].outdatedLoad = things[index].lastLoad
    }

    /// The server may have carried out a change, and nobody knows.
    private mutating func noteUnknownOutcome(_ id: Int) {
        let edited = all(id).flatMap { changes[$0].edits.map(\.resource) }
        for index in Set(edited + [changes[id].resource]) { invalidate(index) }
    }

    private mutating func send(_ id: Int) {
        let change = changes[id]
        (changes[id].state, changes[id].isOvertaken) = (.sending, false)
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

    private mutating func load(_ index: Int, for use: Sent.Use) {
        things[index].lastLoad += 1
        let thing = things[index]
        let etag = thing.base?.source == .local ? nil : thing.base?.etag
        sent.append(
            Sent(
                resource: index, method: "GET",
                purpose: .load(number: thing.lastLoad, revision: thing.revision, use: use), etag: etag))
    }

    private mutating func fail(_ id: Int) {
        _ = end(id, .failed)
        finish(id, .failure, isCancelled: false)
    }

    /// Removes a change and those that it has replaced. Returns the edits that the data does not contain, and the resources
    /// whose data contains edits, because the app has assigned it.
    private mutating func end(
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

    private mutating func finish(_ id: Int, _ outcome: Outcome, isCancelled: Bool) {
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

    private mutating func settle(_ id: Int, _ text: String?, _ etag: String?) {
        let (target, basis) = (changes[id].resource, changes[id].basis)
        let edited = Set(all(id).flatMap { changes[$0].edits.map(\.resource) })
        let ended = end(id, .succeeded)
        for index in things.indices where edited.contains(index) {
            if index == target, let text {
                overtakeLoads(index)
                put(index, Base(text: text, etag: etag, source: .network), isFresh: true)
            } else {
                settle(index, by: ended, etag: index == target ? etag : nil)
                if index == target, changes[id].settlement == .response { things[index].isInvalidated = true }
            }
            if index == target, changes[id].isOvertaken { things[index].isInvalidated = true }
        }
        rebase(after: id, from: basis.revision)
        finish(id, .success, isCancelled: false)
    }

    private mutating func settle(
        _ index: Int, by ended: (edits: [(resource: Int, edit: Edit)], assigned: Set<Int>), etag: String?
    ) {
        let own = ended.edits.filter { $0.resource == index }.map(\.edit)
        let isLocal = etag == nil || ended.assigned.contains(index)
        guard !own.isEmpty || ended.assigned.contains(index) else { return }
        guard let text = Self.edited(things[index].base?.text, by: own) else { return }
        let isAssigned = things[index].assigned.revision == things[index].revision
        overtakeLoads(index)
        put(
            index, Base(text: text, etag: etag, source: isLocal ? .local : .network),
            isFresh: !isLocal || !things[index].isInvalidated)
        if isAssigned { things[index].assigned.revision = things[index].revision }
    }

    private mutating func overtakeLoads(_ index: Int) {
        things[index].lastLoad += 1
        things[index].shownLoad = things[index].lastLoad
    }

    /// Changes with the same basis are based on the result of the change. After a conflict, this result contains somebody
    /// else's change. Then later changes only know the edits of the change, and keep the version.
    private mutating func rebase(after id: Int, from revision: Int) {
        let index = changes[id].resource
        for other in changes.indices where changes[other].isPending && changes[other].resource == index {
            if let first = changes[id].firstConflict, changes[other].basis.revision == first.revision {
                guard other > id else { continue }
                let edits = first.edits.filter { changes[$0.change].state == .succeeded }.map(\.edit)
                let old = changes[other].basis.base
                changes[other].basis.base = Self.edited(old?.text, by: edits).map {
                    Base(text: $0, etag: old?.etag, source: .local)
                }
            } else if changes[other].basis.revision == revision {
                changes[other].basis = basis(index)
            }
        }
    }

    private mutating func reload(_ id: Int) {
        changes[id].state = .settling
        let edited = all(id).flatMap { changes[$0].edits.map(\.resource) }
        var order: [Int] = []
        for index in edited where !order.contains(index) { order.append(index) }
        if order.isEmpty { order = [changes[id].resource] }
        changes[id].loadsLeft = order.count
        for index in order {
            for other in all(id) { changes[other].containedAfter[index] = things[index].lastLoad }
            things[index].isInvalidated = true
            things[index].outdatedLoad = things[index].lastLoad
        }
        for index in order { load(index, for: .reload(of: id)) }
    }

    /// The edits that no load has brought become part of the data, which is stale.
    private mutating func endReload(_ id: Int) {
        changes[id].loadsLeft -= 1
        guard changes[id].loadsLeft == 0, changes[id].isPending else { return }
        let (basis, unloaded) = (changes[id].basis, changes[id].unloaded)
        let missing = things.indices.filter { !Set(pending($0)).isDisjoint(with: all(id)) }
        let isEditing = all(id).contains { !changes[$0].edits.isEmpty }
        let ended = end(id, .succeeded)
        for index in missing {
            settle(index, by: ended, etag: nil)
            things[index].isInvalidated = true
        }
        if !isEditing { for index in unloaded { things[index].isInvalidated = true } }
        rebase(after: id, from: basis.revision)
        finish(id, .success, isCancelled: false)
    }
}

extension ChangeModel.Change: CustomStringConvertible {
    var description: String {
        "\(resource) \(edits.map { "\($0.resource) \($0.edit)" }) in \(scope.suffix(8)) \(settlement) \(precondition)"
            + (isConcurrent ? " concurrent" : "") + (coalesces ? " coalescing" : "") + (hasResolver ? " asking" : "")
    }
}
