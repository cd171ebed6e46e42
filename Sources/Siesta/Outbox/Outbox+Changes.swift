import Foundation

/// The changes that an outbox shows.
extension Outbox: ChangeOutbox {
    /// Keeps a change that has just been made. It is shown at once, and sent when it is on the disk.
    ///
    /// - Parameter body: Returns a body that is a file. Later changes wait until it has ended.
    func keep(_ change: PendingChange, _ entry: OutboxEntry, _ body: (() async throws -> OutboxBody)? = nil) {
        changes[entry.id] = change
        context?.startChanges().add(change)
        var entry = entry
        let prepare = body.map { body in { entry.request.body = try await body() } }
        let accept = { (rules: inout OutboxRules) throws(OutboxError) -> [OutboxStep] in [try rules.accept(entry)] }
        perform(.acceptance, preparedBy: prepare, deciding: accept) { [self] result in
            switch result {
            case .success: change.accept(.success(()))
            case .failure(let error):
                changes[entry.id] = nil
                change.accept(.failure(error))
                context?.startChanges().fail(change, change.failure(error))
            }
        }
    }

    /// Returns the change of an entry. After a restart, makes it of the stored edits. Returns nil if its URL is unknown.
    func change(for entry: OutboxEntry) -> PendingChange? {
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
        options.settlement = ChangeOptions.Settlement(stored: entry.settlement)
        let change = PendingChange(
            of: resource, method, ChangeBody(contentType: entry.request.contentType), edits, options,
            nil, date: entry.creationTime)
        change.restore(with: ChangeCondition(entry.request.precondition))
        change.keep(in: self, id: entry.id)
        change.accept(.success(()))
        if case .refused = entry.state { change.state = .refused }
        if case .conflict = entry.state { change.state = .conflict }
        changes[entry.id] = change
        _ = LiveRequest.whileStartingLoad { change.request.start() }
        return change
    }

    func hasChange(after change: PendingChange) -> Bool {
        changes.values.contains { $0 !== change && $0.scope == change.scope && $0.state == .waiting }
    }

    func cancelled(_ change: PendingChange) {
        guard let id = change.entryID else { return }
        changes[id] = nil
        dropNow(id)
    }

    /// Drops an entry. If its request is running, drops it when the request has ended.
    private func dropNow(_ id: String) {
        perform(
            .decision,
            deciding: { rules throws(OutboxError) in
                guard rules[id]?.state != .sending else { return [rules.ended(id, .noResponse), try rules.drop(id)] }
                return rules[id] == nil ? [] : [try rules.drop(id)]
            })
    }

    func principalWillChange() {
        context?.changes?.hide(Array(changes.values))
        changes = [:]
    }

    func principalDidChange() {
        guard let context else { return }
        let principal = principal
        let own = rules.entries.filter { $0.principal == principal }.compactMap(change)
        context.startChanges().reveal(own)
        run()
    }
}

extension ResourceContext {
    /// Returns the resource at an address; nil if its URL is not known yet.
    func resource(at address: OutboxAddress) -> Resource? {
        guard let text = address.url, let url = URL(string: text) else { return nil }
        return known(at: text) ?? resource(absoluteURL: url, source: text)
    }
}

extension ChangeOptions.Settlement {
    init(stored number: UInt8) {
        self =
            switch number {
            case 1: .reload
            case 2: .edit
            default: .response
            }
    }

    var number: UInt8 {
        switch self {
        case .response: 0
        case .reload: 1
        case .edit: 2
        }
    }
}
