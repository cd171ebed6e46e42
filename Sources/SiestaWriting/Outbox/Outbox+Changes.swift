import Foundation
import SiestaCore

/// The changes that an outbox shows.
extension Outbox {
    /// Keeps a change that has just been made. It is shown at once, and sent when it is on disk.
    ///
    /// - Parameters:
    ///   - creator: The change that creates the resource. It may be confirmed before this change is accepted.
    ///   - complete: Adds the parts of the entry that are not known yet. Later changes wait until it has ended.
    func keep(
        _ change: PendingChange, _ entry: Outbox.Entry, createdBy creator: PendingChange? = nil,
        _ complete: ((inout Outbox.Entry) async throws -> Void)? = nil
    ) {
        changes[entry.id] = change
        context?.feature(Changes.self).add(change)
        var entry = entry
        let prepare = complete.map { complete in { try await complete(&entry) } }
        let accept = { [self] (rules: inout OutboxRules) throws(OutboxError) -> [OutboxStep] in
            // It may have been cancelled before, for example by an observer that was told of it.
            guard change.isPending else { throw .unknownEntry(id: entry.id) }
            if let id = entry.dependency, let url = creator?.createdURL {
                entry = entry.resolved(id, at: url)
                entry.dependency = nil
            } else if let id = entry.dependency,
                creator?.isConfirmed == true || finished.shown[id]?.state == .confirmed
            {
                throw .unknownAddress(id: id)
            }
            return [try rules.accept(entry)]
        }
        perform(.acceptance, preparedBy: prepare, deciding: accept) { [self] result in
            switch result {
            case .success:
                change.accept(.success(()))
                // Its principal may have left and returned before it was accepted.
                if change.isPending, changes[entry.id] == nil, let kept = rules[entry.id],
                    kept.owner == .named(principal)
                {
                    reveal()
                }
            case .failure(let error):
                changes[entry.id] = nil
                discard(entry.request.body)
                change.accept(.failure(error))
                // The outbox may have ended, and its context is nil then.
                change.resource.context.feature(Changes.self).fail(change, change.failure(error))
            }
        }
    }

    /// Removes the file of an entry that was not accepted.
    private func discard(_ body: Outbox.Body) {
        guard body.keptName != nil, !isClosed else { return }
        Task { try? await store.discard(body) }
    }

    /// Returns the change of an entry. After a restart, makes it of the stored edits. Returns nil if its URL is unknown.
    func change(for entry: Outbox.Entry) -> PendingChange? {
        if let known = changes[entry.id] { return known }
        guard let context, let method = RequestMethod(rawValue: entry.request.method.lowercased()) else { return nil }
        let edits = entry.edits.compactMap { edit -> ResourceEdit? in
            guard let resource = context.resource(at: edit.address), let delta = try? JSONDelta(parsing: edit.delta)
            else { return nil }
            return ResourceEdit(resource: resource, edit: StoredDelta(delta, for: resource))
        }
        // The URL of a resource that another change creates may not be known yet.
        guard let resource = context.resource(at: entry.request.address) ?? edits.first?.resource else { return nil }
        var options = ChangeOptions()
        options.scope = entry.scope
        options.copiesFile = false
        options.settlement = ChangeOptions.Settlement(stored: entry.settlement)
        // The options are not stored. Without this, nobody would load the version that the change has made.
        if entry.request.precondition.namesVersion { options.precondition = .unchanged }
        let change = PendingChange(
            of: resource, method, entry.request.encodedBody, edits, options, nil, date: entry.creationTime)
        change.restore(with: entry.request.precondition)
        change.keep(in: self, id: entry.id)
        change.delegate.startAgain = { again in again.startInOutbox(like: entry.request) }
        change.accept(.success(()))
        change.isOfCreated = entry.dependency != nil
        if case .refused = entry.state { change.pass(to: .refused) }
        if case .conflict = entry.state {
            change.pass(to: .conflict)
            askAgain(about: change, entry.id)
        }
        changes[entry.id] = change
        _ = LiveRequest.whileStartingLoad { change.request.start() }
        return change
    }

    /// Returns true if another change follows in the same queue, unless the queue waits for a decision of the app.
    func hasChange(after change: PendingChange) -> Bool {
        changes.hasWaiting(besides: change)
            && !rules.lacksAddress(OutboxRules.LaneKey(principal: .named(principal), scope: change.scope))
    }

    /// Returns true if the server may have carried out the change, although no response says so.
    func mayBeApplied(_ change: PendingChange) -> Bool {
        change.entryID.flatMap { rules[$0] }?.mayBeApplied ?? false
    }

    /// Removes a change that the app has cancelled.
    func cancelled(_ change: PendingChange) {
        guard let id = change.entryID else { return }
        changes[id] = nil
        rules.cancel(id)
        perform(
            .decision,
            deciding: { rules throws(OutboxError) in
                guard rules[id]?.state != .sending else { return [rules.ended(id, .noResponse), try rules.drop(id)] }
                return rules[id] == nil ? [] : [try rules.drop(id)]
            })
    }

    /// Hides the changes of the last principal.
    func principalWillChange() {
        for (_, change) in changes.all where change.mayBeApplied { context?.changes?.noteDoubt(change, nil, nil) }
        let last = changes.removeAll()
        context?.changes?.hide(last)
        hidden += last
    }

    /// Sends the changes that wait after a failed attempt, unless the server has asked for the wait: a user has signed in or
    /// out, or the network has returned.
    func resumeUnasked() {
        rules.resumeAll(includingAsked: false)
        run()
    }

    /// Shows the changes of the new principal.
    func principalDidChange() {
        // The data of the other resources is gone, and their observers hear of that.
        endHidden { !$0.isPersonal }
        reveal()
        forgetConfirmed()
        resumeUnasked()  // The last attempts of this user may have failed because the session had expired.
    }

    /// Tells the observers of changes that are not shown any more, and ends the waits for them. Their entries stay.
    ///
    /// - Parameter isTold: returns true for the resources whose observers are told.
    func endHidden(where isTold: (Resource) -> Bool = { _ in true }) {
        let ended = exchange(&hidden, with: [])
        let resources = ended.flatMap(\.resources).uniqued.filter(isTold)
        for resource in resources { resource.notifyObservers(.newData(.localOverride)) }
        for change in ended {
            change.resource.context.changes?.invalidate(after: change.scope)
            change.runEndings()
            change.delegate.complete(change.cancellation)
        }
    }

    /// Shows the changes of the principal, and behind them those that are not accepted yet.
    func reveal() {
        guard let context else { return }
        let owner = Principal.named(principal)
        let early = changes.all.map(\.change).filter { rules[$0.entryID ?? ""] == nil }.sorted { $0.number < $1.number }
        let own = rules.entries.filter { $0.owner == owner }.compactMap(change)
        context.feature(Changes.self).reveal(own, before: early)
    }
}

extension ResourceContext {
    /// Returns the resource at an address; nil if its URL is not known yet, or if its loads have a body that is not known.
    func resource(at address: Outbox.Address) -> Resource? {
        guard let text = address.url else { return nil }
        if let known = known(at: text) { return known }
        guard !LoadBody.isPart(of: text), let url = text.url else { return nil }
        return resource(absoluteURL: url, source: text)
    }
}

extension Outbox.StoredRequest {
    /// The body, unless it is a copy of a file: the copy may not exist any more.
    fileprivate var encodedBody: RequestBody.Encoded? {
        switch body {
        case .none, .kept: nil
        case .bytes(let bytes): .init(.data(bytes), contentType: contentType)
        case .referenced(let path, _, _): .init(.file(URL(fileURLWithPath: path)), contentType: contentType)
        }
    }
}

extension PendingChange {
    /// Makes a change again that an earlier process has made.
    fileprivate func startInOutbox(like request: Outbox.StoredRequest) {
        if case .kept(let name, _) = request.body { return refuse(FileSystemError("open", name, code: ENOENT)) }
        startInOutbox(at: request.address)
    }
}

extension ChangeOptions.Settlement {
    /// Creates the settlement with a stored number; `response` if a later version has stored the number.
    init(stored number: UInt8) {
        switch number {
        case 1: self = .reload
        case 2: self = .edit
        default: self = .response
        }
    }

    /// The number by which stores keep the settlement. It must not change.
    var number: UInt8 {
        switch self {
        case .response: 0
        case .reload: 1
        case .edit: 2
        }
    }
}

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
