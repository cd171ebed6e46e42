import SiestaCore
import SiestaWriting
import TestDoubles

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

        /// True for the same data, and for other data with the same version.
        func isSameVersion(as other: Basis) -> Bool {
            revision == other.revision || base?.etag != nil && base?.etag == other.base?.etag
        }
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
        /// The data on which the change was based before its first conflict, and its edits of then.
        var firstConflict: (basis: Basis, edits: [(change: Int, edit: Edit)])?
        var replaced: [Int] = []
        var loadsLeft = 0
        /// The newest load of each edited resource when the change was sent.
        var loadsBefore: [Int: Int] = [:]
        /// The newest load of each resource when the server had carried out the change. Later loads contain it.
        var containedAfter: [Int: Int] = [:]
        /// The resources that could not be loaded after a success.
        var unloaded: [Int] = []
        /// The conflict that the resolver decides; nil if there is none.
        var question: Question?
        /// The outcomes that the request has reported.
        var outcomes: [Outcome] = []

        var isPending: Bool { state != .succeeded && state != .failed }
        /// True if a success removes the data: the app has not said what remains.
        var isDeletion: Bool {
            let isReplaced = edits.contains { if case .replace = $0.edit { $0.resource == resource } else { false } }
            return method == "DELETE" && !isReplaced
        }
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
        var isInvalidated = false {
            didSet { if isInvalidated { isOutdated = true } }
        }
        /// True if the data was invalidated, and neither replaced nor confirmed since then.
        var isOutdated = false
        var hasError = false
        /// The changes that the data contains, because the app has assigned it, as long as it has a revision.
        var assigned: (changes: [Int], revision: Int) = ([], 0)
        var entries: [(change: Int, edit: Edit)] = []

        /// The data was replaced, confirmed or removed.
        mutating func setFreshness(_ isFresh: Bool) {
            (isInvalidated, isOutdated, hasError) = (!isFresh, !isFresh, false)
        }
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

        /// True if it ends a DELETE with success.
        var isDeletion: Bool {
            switch self {
            case .content, .empty: true
            case .failure(let status): status == 404
            case .notModified: false
            }
        }
    }

    enum Resolution {
        case giveUp
        case force
        case send(String, body: String)
    }

    var things: [Thing]
    var changes: [Change] = []
    var sent: [Sent] = []
    var scopes: [String: [Int]] = [:]
    /// The changes that are sent in the next turn of the main queue, because the change before them was cancelled.
    var scheduled: [Int] = []

    init(resourceCount: Int) {
        things = Array(repeating: Thing(), count: resourceCount)
    }

    // MARK: What an app sees

    func shown(_ index: Int) -> String? {
        let missing = things[index].entries.filter { !isAssigned($0.change, index) }
        return Self.edited(things[index].base?.text, by: missing.map(\.edit))
    }

    func isAssigned(_ id: Int, _ index: Int) -> Bool {
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

    static func edited(_ text: String?, by edits: [Edit]) -> String? {
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
            things[index].setFreshness(true)
            things[index].outdatedLoad = things[index].lastLoad
        }
    }

    /// Sends what a turn of the main queue sends.
    mutating func turn() {
        let ids = scheduled
        scheduled = []
        for id in ids where changes[id].state == .waiting { send(id) }
    }
}

extension ChangeModel.Change: CustomStringConvertible {
    var description: String {
        "\(resource) \(edits.map { "\($0.resource) \($0.edit)" }) in \(scope.suffix(8)) \(settlement) \(precondition)"
            + (isConcurrent ? " concurrent" : "") + (coalesces ? " coalescing" : "") + (hasResolver ? " asking" : "")
    }
}
