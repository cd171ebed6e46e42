import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests of an outbox, and what follows from their responses.
extension Outbox {
    /// Sends the request of an entry whose start is stored.
    ///
    /// - Parameter file: the file of a body that the outbox keeps; nil if it is sealed.
    func send(_ id: String, _ file: URL?) {
        // The principal may have changed while the start was stored.
        guard let context, let entry = rules[id], entry.owner == .named(principal), !rules.cancelled.contains(id)
        else {
            return ended(id, .notSent, attempts: 0, atLeast: nil)
        }
        guard !waits(entry, file) else { return }
        // The URL of a resource that another change has created was not known when the change was made.
        guard let target = context.resource(at: entry.request.address), !target.isPeculiar,
            let change = change(for: entry), let method = RequestMethod(rawValue: entry.request.method.lowercased())
        else { return refuse(entry) }
        change.method = method  // The app may have edited it.
        change.pass(to: .sending)
        change.redirect = nil
        change.target = target
        // The edits and the known content belong to another resource.
        change.isOfCreated = entry.dependency != nil || target !== change.resource
        // A server may repeat its response to an earlier attempt. Loads that began since then may be newer.
        if entry.attempts == 1 { change.noteSending() }
        if change.isRestored { for resource in change.resources { resource.beginReadingCache() } }
        let work = NetworkRequest(recipe(for: entry, change, target, file))
        work.change = change
        let sent = context.clock.whileCurrent { LiveRequest.whileStartingLoad { target.request(work) } }
        change.delegate.sent = sent
        sent.onCompletion { [self] info in
            change.delegate.sent = nil
            received(info.toChange(by: change.method), entry, change)
        }
        // Code of the app may have cancelled it, or have ended the outbox, while it was started.
        if !change.isPending || isClosed { change.delegate.sent.take()?.cancel() }
    }

    /// Refuses an entry that is no request: the app has edited it, or another version has stored it.
    private func refuse(_ entry: Outbox.Entry) {
        let message = UserMessages.current.cannotSendRequest
        ended(entry.id, .unsendable(message: message), attempts: entry.attempts, atLeast: nil) { [self] _ in
            guard let change = changes[entry.id] else { return }
            block(change, .refused, change.failure(RequestError.Cause.InvalidURL(urlSource: nil)))
        }
    }

    private func recipe(
        for entry: Outbox.Entry, _ change: PendingChange, _ target: Resource, _ file: URL?
    ) -> NetworkRequest.Recipe {
        let request = entry.request
        let condition = change.hasStoredCondition ? request.precondition : change.condition
        var recipe = NetworkRequest.Recipe(resource: target, method: change.method) { urlRequest in
            urlRequest.httpMethod = request.method
            for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
            if let type = request.contentType { urlRequest.setValue(type, forHTTPHeaderField: "Content-Type") }
            if case .bytes(let data) = request.body { urlRequest.httpBody = data }
            urlRequest.setValue("\"\(entry.idempotencyKey)\"", forHTTPHeaderField: "Idempotency-Key")
            condition.add(to: &urlRequest)
        }
        recipe.makeBody = bodyMaker(for: request.body, file)
        return recipe
    }

    private func bodyMaker(for body: Outbox.Body, _ file: URL?) -> NetworkRequest.BodyMaker? {
        let store = store
        switch body {
        case .none, .bytes: return nil
        case .kept(let name, let length):
            guard let file else { return { StoredBody(store: store, name: name, length: length) } }
            return { SegmentedBody(segments: [try .file(file, ofLength: length)]) }
        case .referenced(let path, let length, let modified):
            let file = URL(fileURLWithPath: path)
            return { SegmentedBody(segments: [try .file(file, ofLength: length, modifiedAt: modified)]) }
        }
    }

    private func received(_ info: ResponseInfo, _ entry: Outbox.Entry, _ change: PendingChange) {
        guard context != nil else { return }
        // The server may have carried out an earlier attempt, which was an exchange of its own.
        if entry.attempts > 1 { change.isRefusalUncertain = true }
        let unfinishedCount = change.unfinishedCount
        let outcome = outcome(of: info, for: entry, answering: change)
        // The waits for an earlier attempt to end do not depend on the length of an outage before.
        let attempts = change.unfinishedCount > unfinishedCount ? change.unfinishedCount : entry.attempts
        let retryAfter = info.failure?.retryAfter
        let version = info.received.flatMap { Outbox.Condition(unchanged: change.version(in: $0)) }
        ended(
            entry.id, outcome, attempts: attempts, atLeast: retryAfter,
            version: change.conflictCount > 0 ? nil : version
        ) { [self] result in
            guard let step = (try? result.get())?.first, let entry = step.entry else { return }
            // The data of another principal must not be shown. Data that they share lacks the change.
            guard context != nil, entry.owner == .named(principal) else {
                let isConfirmed = entry.state == .confirmed
                change.resource.context.changes?.noteDoubt(change, isConfirmed ? nil : info, info.failure)
                left(entry.id)
                return change.delegate.complete(change.cancellation)
            }
            // The principal may have left and returned.
            let change = changes[entry.id] ?? change
            switch entry.state {
            case .confirmed:
                changes[entry.id] = nil
                change.createdURL = step.createdURL
                // The pipeline may not have accepted the response. The server has carried out the change all the same.
                let response = info.received ?? Entity(content: Data(), headers: [:])
                settle(change, response, info)
            case _ where !change.isPending: break  // It was cancelled while this was stored.
            case .queued, .sending: change.pass(to: .waiting)
            case .refused:
                context?.changes?.noteDoubt(change, info, info.failure)
                block(change, .refused, info)
            case .conflict:
                guard let error = info.failure, context?.changes?.resolve(change, error, info) ?? false else {
                    context?.changes?.noteDoubt(change, info, info.failure)
                    return block(change, .conflict, info)
                }
            }
        }
    }

    private func outcome(
        of info: ResponseInfo, for entry: Outbox.Entry, answering change: PendingChange
    ) -> OutboxRules.Outcome {
        func success(_ entity: Entity<Any>?) -> OutboxRules.Outcome {
            // The `Location` of a 202 may refer to a status monitor, not to a created resource (RFC 9110 §15.3.3).
            let entity = entity?.statusCode == 202 ? nil : entity
            return .success(
                location: entity?.headerFields.reference("location"),
                answeredAt: change.redirect?.url.absoluteString)
        }
        return switch info.response {
        case .success(let entity): success(entity)
        case .failure(let error) where context?.authentication?.isFailure(error) ?? false:
            .noResponse  // The session has failed, not the change.
        case .failure(let error):
            // The error of a pipeline that refuses the body of a success has no status.
            if let status = error.httpStatusCode ?? (info.status == 0 ? nil : Int(info.status)) {
                200..<300 ~= status
                    ? success(error.entity)
                    : change.isAnsweredByOther || isUnfinished(status, entry, change)
                        ? .noResponse : .status(status, message: error.userMessage)
            } else if error.isBeforeSending {
                .unsendable(message: error.userMessage)
            } else {
                .noResponse
            }
        }
    }

    /// The maximum number of responses in a row for which ``isUnfinished(_:_:_:)`` is true.
    private static let unfinishedLimit = 4

    /// Returns true if the response says that the server is still working on an earlier request with the same key: status 409
    /// (draft-ietf-httpapi-idempotency-key-header §2.7). With another key, the server would carry out the change twice. A
    /// conflict has the same status. Therefore the response counts as a conflict if it stays the same after some waits.
    private func isUnfinished(_ status: Int, _ entry: Outbox.Entry, _ change: PendingChange) -> Bool {
        guard status == 409, entry.attempts > 1 || change.isRefusalUncertain,
            change.unfinishedCount < Self.unfinishedLimit
        else {
            change.unfinishedCount = 0
            return false
        }
        change.unfinishedCount += 1
        return true
    }

    /// Notes that a change waits for a decision of the app, unless it has ended. It holds up the later changes of its
    /// scope, perhaps for ever, but not the invalidations by earlier ones.
    func block(_ change: PendingChange, _ state: PendingChange.State, _ info: ResponseInfo) {
        if change.isPending {
            change.pass(to: state)
            context?.changes?.invalidate(after: change.scope)
        }
        change.delegate.complete(info)
    }

    // MARK: Conflicts

    /// Sends a change again about whose conflict the app was not asked, or has not decided, before the end of the process or
    /// of the session. Then the app is asked about the present content.
    func askAgain(about change: PendingChange, _ id: String) {
        guard context?.feature(Changes.self).resolver(for: change) != nil else { return }
        let now = now
        perform(
            .decision,
            deciding: { rules throws(OutboxError) in rules.isInConflict(id) ? [try rules.retry(id, at: now)] : [] },
            { [self] _ in noteQueued(id) })
    }

    /// Drops the entry of a change that the app gives up because of a conflict.
    func giveUp(_ change: PendingChange) {
        guard let id = change.entryID else { return }
        changes[id] = nil
        perform(.decision, deciding: { rules throws(OutboxError) in [try rules.drop(id)] })
    }

    /// Stores what the app has decided about a conflict, and sends the change again. If the outbox does not accept the
    /// decision, the conflict stays.
    func sendAgain(_ change: PendingChange, _ info: ResponseInfo, _ resolution: UntypedResolution) {
        // An observer of the replaced edit may have cancelled it.
        guard let id = change.entryID, change.isPending else { return }
        change.pass(to: .waiting)
        let resource = change.resource
        let deltas = change.edits.filter { $0.resource === resource }.map {
            $0.edit.stored(over: resource.state.data, for: resource)
        }
        let (body, contentType, condition) = (change.body?.data, change.body?.contentType, change.condition)
        let now = now
        perform(
            .decision,
            deciding: { rules throws(OutboxError) in
                let step = try rules.edit(id, at: now) { entry in
                    entry.request.precondition = condition
                    if case .force = resolution { return }
                    if case .send = resolution {
                        entry.request.body = body.map { .bytes($0) } ?? .none
                        entry.request.contentType = contentType
                    }
                    let address = Outbox.Address.url(resource.address)
                    entry.edits.removeAll { $0.address == address }
                    entry.edits += deltas.map { Outbox.StoredEdit(address: address, delta: $0) }
                }
                return [step]
            },
            { [self] _ in
                guard rules.isInConflict(id), change.isPending else { return }
                change.pass(to: .conflict)
                change.delegate.complete(info)
            })
    }
}

extension RequestError {
    /// True if the request was not sent because of itself, so that each further attempt would fail in the same way.
    var isBeforeSending: Bool {
        [.invalidHeader, .invalidURL, .invalidMethod, .unreadableBody, .streamingUnsupported].contains(code)
    }
}

extension ResponseInfo {
    fileprivate var failure: RequestError? {
        if case .failure(let error) = response { error } else { nil }
    }
}

/// The body of a change that the store keeps encrypted. It is decrypted while it is sent.
struct StoredBody: SealedBody {
    let store: any OutboxStore
    let name: String
    let length: Int64?

    var isRepeatable: Bool { true }

    func makeReader() throws -> any BodyReader {
        try SequenceBody(store.pieces(of: name), length: length).makeReader()
    }
}
