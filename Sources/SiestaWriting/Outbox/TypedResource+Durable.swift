import Foundation
import HTTPRules
public import SiestaCore

extension TypedResource where Content: Codable {
    /// Changes the content at once, and sends the change to the server. If `durable` is true, the ``Service/outbox``
    /// keeps the change until the server has confirmed it, even if the process ends.
    ///
    ///     let change = user.mutate(.patch, body: .json(["name": "Grace"]), durable: true) { $0.name = "Grace" }
    ///     try await change.accepted()
    ///
    /// For the parameters, see ``mutate(_:body:also:options:edit:resolve:)``. A durable change differs from other
    /// changes in the following ways:
    ///
    /// - The change is sent as soon as it is on disk, there is a network, and the principal who made it is signed in.
    ///   If the result of an attempt is unknown, the change is sent again with the same `Idempotency-Key`.
    /// - The outbox stores the edit as the difference between the JSON of the content before and after the edit. After
    ///   a restart, this difference is applied to the content from the cache. Edits of other resources are stored in
    ///   the same way if their content is `Codable`, and if their loads have no body.
    /// - If the server refuses the change, or if there is an unresolved conflict, ``Change/value`` throws. The change
    ///   stays in the outbox and on the screen until the app drops, edits or retries it.
    /// - If the principal of the change signs out, or if the outbox is removed from the service, the change disappears
    ///   from the screen, and ``Change/value`` throws a cancellation error. The change stays in the outbox, and is
    ///   shown as another ``PendingChange`` when the principal signs in again.
    /// - Wiping the resource does not cancel the change. ``PendingChange/cancel()`` cancels the change, and drops it
    ///   from the outbox.
    /// - If the change disappears from the screen after it was sent, and the server has not refused it, the edited
    ///   resources become stale.
    /// - ``ChangeOptions/isConcurrent`` and ``ChangeOptions/coalesces`` have no effect.
    ///
    /// The body must be in memory or in a file; see ``ChangeOptions/copiesFile``. With any other body, a durable change
    /// fails with ``RequestError/Code/unencodableBody``. Without an outbox, a durable change fails with
    /// ``OutboxError/noOutbox`` as its cause. In both cases, no edit is shown.
    @discardableResult
    public func mutate(
        _ method: RequestMethod, body: RequestBody? = nil, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), durable: Bool, edit: ((inout Content) -> Void)? = nil,
        resolve: ConflictResolver? = nil
    ) -> Change<Content> {
        MainQueue.check("TypedResource.mutate(_:body:also:options:durable:edit:resolve:)")
        return change(method, body, edits, options, edit, resolve, isDurable: durable)
    }
}

extension PendingChange {
    /// Shows the change, and passes it to the outbox.
    ///
    /// - Parameters:
    ///   - address: The address of the request; nil for that of the resource.
    ///   - creator: The change that creates the resource, if the address depends on it.
    func startInOutbox(at address: Outbox.Address? = nil, creator: PendingChange? = nil) {
        delegate.startAgain = { again in again.startInOutbox(at: address, creator: creator) }
        isOfCreated = address.map { $0 != .url(resource.address) } ?? false
        let edits = storedEdits { $0.shownData }  // This runs code of the app, which may set another outbox.
        guard let outbox = resource.context.outbox else { return refuse(OutboxError.noOutbox) }
        guard !resource.isPeculiar else { return refuse(RequestError.Cause.InvalidURL(urlSource: resource.url)) }
        let file = body?.file
        guard body == nil || body?.data != nil || file != nil else {
            return refuse(RequestError.Failure(.unencodableBody, reason: "an outbox keeps no form and no stream"))
        }
        let unread = unreadResources
        let entry = Outbox.Entry(
            scope: scope.text, principal: outbox.principal, creationTime: date, dependency: address?.creator,
            request: Outbox.StoredRequest(
                method: method.rawValue.uppercased(), address: address ?? .url(resource.address),
                contentType: body?.contentType,
                body: body?.data.map { .bytes($0) } ?? .none, precondition: condition),
            edits: edits, settlement: storedSettlement.number)
        keep(in: outbox, id: entry.id)
        _ = LiveRequest.whileStartingLoad { request.start() }
        guard file != nil || !unread.isEmpty else { return outbox.keep(self, entry, createdBy: creator) }
        outbox.keep(self, entry, createdBy: creator) { entry in
            if let file {
                try outbox.requireOpenStore()
                let isCopied = self.options.copiesFile
                entry.request.body = isCopied ? try await outbox.store.keep(fileAt: file) : try .referenced(file)
            }
            if !unread.isEmpty { await self.readBase(of: unread, for: &entry) }
        }
    }

    /// The settlement after a restart. Then nothing is known of the item that the change creates, and the response, which
    /// is that item, would become the content of the page.
    private var storedSettlement: ChangeOptions.Settlement {
        let isOfItem = confirmation?.isOfCreation ?? false
        return isOfItem && options.settlement == .response ? .edit : options.settlement
    }

    /// The resources of the change whose data may still be in a cache. Begins to read it.
    private var unreadResources: [Resource] {
        (resources + [resource]).uniqued.filter { resource in
            guard !resource.state.hasData else { return false }
            resource.beginReadingCache()
            return resource.isReadingCache
        }
    }

    /// Waits for the data from the caches, and bases the change on it. Otherwise the change would have no condition, and
    /// would not be shown after a restart.
    private func readBase(of unread: [Resource], for entry: inout Outbox.Entry) async {
        for resource in unread { await resource.cacheIsRead() }
        // If the principal has signed out, the data belongs to another one.
        guard let changes = resource.context.changes, changes.isShown(self) else { return }
        if basis.entity == nil { basis = resource.basis }
        entry.edits = storedEdits { changes.overlay(of: $0)?.entity(before: self) ?? $0.state.data }
        entry.request.precondition = condition
    }

    /// Returns the edits in a form that can be stored.
    ///
    /// - Parameter base: Returns the data of a resource without this change.
    private func storedEdits(over base: (Resource) -> Entity<Any>?) -> [Outbox.StoredEdit] {
        resource.context.clock.whileCurrent {
            edits.map { edit in
                let delta = edit.edit.stored(over: base(edit.resource), for: edit.resource)
                return Outbox.StoredEdit(address: .url(edit.resource.address), delta: delta)
            }
        }
    }
}
