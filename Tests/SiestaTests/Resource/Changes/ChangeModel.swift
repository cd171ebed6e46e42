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
        var replaced: [Int] = []
        var loadsLeft = 0
        /// The resources that could not be loaded after a success, and have the data of before.
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
    }

    enum Outcome { case success, failure }

    /// A resource.
    struct Thing {
        var base: Base?
        var revision = 0
        var lastLoad = 0
        var shownLoad = 0
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
            case reload(of: Int, revision: Int)
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

    func shown(_ index: Int) -> String? { Self.edited(things[index].base?.text, by: things[index].entries.map(\.edit)) }

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
        _ = end(id, .failed)
        for index in sent.indices where sent[index].isOpen {
            if case .change(id) = sent[index].purpose { sent[index].isOpen = false }
        }
        finish(id, .failure, isCancelled: true)
    }

    mutating func load(_ index: Int) { load(index, for: .app) }

    mutating func override(_ index: Int, _ text: String) {
        put(index, Base(text: text, etag: things[index].base?.etag, source: .local))
    }

    mutating func wipe(_ indices: [Int]) {
        for id in changes.indices.reversed() {
            guard
                indices.contains(changes[id].resource)
                    || changes[id].edits.contains(where: { indices.contains($0.resource) })
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
            let isNew = load > things[index].shownLoad
            switch answer {
            case .content(let text, let etag) where isNew:
                things[index].shownLoad = load
                put(index, Base(text: text, etag: etag, source: .network))
            case .notModified:
                things[index].shownLoad = load
                things[index].base?.source = .revalidated
            default: break
            }
            continueAfterLoad(of: index, answer, use)
        }
    }

    private mutating func receive(_ answer: Answer, toChange id: Int) {
        let change = changes[id]
        let own = change.edits.contains { $0.resource == change.resource }
        switch answer {
        case .failure(let status):
            guard change.hasResolver, [409, 412, 428].contains(status) else { return fail(id) }
            changes[id].state = .resolving
            load(change.resource, for: .theirs(of: id, status: status))
        case .content(_, let etag), .empty(let etag):
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
            var theirs = things[index].base?.text
            if case .failure(let status) = answer {
                guard status == 404 else { return fail(id) }
                theirs = nil
            }
            let own = all(id).flatMap { changes[$0].edits }.filter { $0.resource == index }.map(\.edit)
            let base = changes[id].basis.base?.text
            changes[id].question = Question(
                mine: Self.edited(base, by: own), base: base, theirs: theirs, status: status)
        case .reload(let id, let revision):
            if case .failure = answer, changes[id].isPending, things[index].revision == revision {
                changes[id].unloaded.append(index)
            }
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
            changes[id].forced = .some(
                question.status != 428 ? nil : question.theirs == nil ? .absent : .match("*"))
        case .send(let text, let body):
            changes[id].basis = basis(index)
            changes[id].forced = .some(
                question.theirs == nil ? .absent : things[index].base?.etag.map(Condition.match))
            changes[id].body = body
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

    private mutating func put(_ index: Int, _ base: Base) {
        things[index].base = base
        things[index].revision += 1
    }

    private mutating func send(_ id: Int) {
        let change = changes[id]
        changes[id].state = .sending
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

    /// Removes a change and those that it has replaced. Returns their edits.
    private mutating func end(_ id: Int, _ state: PendingChange.State) -> [(resource: Int, edit: Edit)] {
        let ids = all(id)
        for id in ids {
            changes[id].state = state
            changes[id].question = nil
            for index in things.indices { things[index].entries.removeAll { $0.change == id } }
        }
        return ids.flatMap { changes[$0].edits }
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
        let edits = end(id, .succeeded)
        for index in things.indices where edits.contains(where: { $0.resource == index }) {
            if index == target, let text {
                overtakeLoads(index)
                put(index, Base(text: text, etag: etag, source: .network))
            } else {
                settle(index, by: edits, etag: index == target ? etag : nil)
            }
        }
        rebase(target, from: basis.revision)
        finish(id, .success, isCancelled: false)
    }

    private mutating func settle(_ index: Int, by edits: [(resource: Int, edit: Edit)], etag: String?) {
        let own = edits.filter { $0.resource == index }.map(\.edit)
        guard !own.isEmpty, let text = Self.edited(things[index].base?.text, by: own) else { return }
        overtakeLoads(index)
        put(index, Base(text: text, etag: etag, source: etag == nil ? .local : .network))
    }

    private mutating func overtakeLoads(_ index: Int) {
        things[index].lastLoad += 1
        things[index].shownLoad = things[index].lastLoad
    }

    /// Later changes with the same basis are based on the result of the change.
    private mutating func rebase(_ index: Int, from revision: Int) {
        for id in changes.indices where changes[id].isPending && changes[id].resource == index {
            if changes[id].basis.revision == revision { changes[id].basis = basis(index) }
        }
    }

    private mutating func reload(_ id: Int) {
        changes[id].state = .settling
        let edited = all(id).flatMap { changes[$0].edits.map(\.resource) }
        var order: [Int] = []
        for index in edited where !order.contains(index) { order.append(index) }
        if order.isEmpty { order = [changes[id].resource] }
        changes[id].loadsLeft = order.count
        for index in order { load(index, for: .reload(of: id, revision: things[index].revision)) }
    }

    private mutating func endReload(_ id: Int) {
        changes[id].loadsLeft -= 1
        guard changes[id].loadsLeft == 0, changes[id].isPending else { return }
        let (target, basis, unloaded) = (changes[id].resource, changes[id].basis, changes[id].unloaded)
        let edits = end(id, .succeeded)
        for index in unloaded {
            settle(index, by: edits, etag: nil)
        }
        rebase(target, from: basis.revision)
        finish(id, .success, isCancelled: false)
    }
}

extension ChangeModel.Change: CustomStringConvertible {
    var description: String {
        "\(resource) \(edits.map { "\($0.resource) \($0.edit)" }) in \(scope.suffix(8)) \(settlement) \(precondition)"
            + (isConcurrent ? " concurrent" : "") + (coalesces ? " coalescing" : "") + (hasResolver ? " asking" : "")
    }
}
