public import Foundation
import HTTPRules
public import SiestaCore

extension TypedResource where Content: Codable {
    /// Changes the content at once, and sends the change to the server. If `durable` is true, the ``Service/outbox``
    /// keeps the change until the server has confirmed it, even if the process ends.
    ///
    ///     let change = user.mutate(.patch, body: ["name": "Grace"], durable: true) { $0.name = "Grace" }
    ///     try await change.change.accepted()
    ///
    /// See ``mutate(_:body:also:options:resolve:edit:)``. A durable change differs from other changes:
    ///
    /// - It is sent when it is on disk, when there is a network, and when the principal who made it is signed in. After
    ///   an attempt without a result, it is sent again with the same `Idempotency-Key`.
    /// - After a restart, the edit is the difference between the JSON of the content before and after it, applied to the
    ///   content from the cache. The edits of other resources, if their content is `Codable`, are kept in the same way.
    /// - If the server refuses it, or if there is an unresolved conflict, ``TypedChange/value`` throws, and the change
    ///   stays in the outbox and on the screen until the app drops, edits or retries it.
    /// - If its principal signs out, or if the outbox ends, it disappears from the screen, and waiting for it ends with a
    ///   cancellation. It stays in the outbox, and is shown as another ``PendingChange`` when the principal signs in
    ///   again.
    /// - A wipe does not cancel it. ``PendingChange/cancel()`` drops it.
    /// - If it disappears from the screen after it was sent, and the server has not refused it, the edited resources become
    ///   stale.
    /// - ``ChangeOptions/isConcurrent`` and ``ChangeOptions/coalesces`` have no effect.
    ///
    /// Without an outbox, a durable change fails with ``MissingOutbox``, and nothing is shown.
    @discardableResult
    public func mutate(
        _ method: RequestMethod, body: some Encodable, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), durable: Bool, resolve: ConflictResolver? = nil,
        edit: @escaping (inout Content) -> Void
    ) -> TypedChange<Content> {
        guard durable else {
            return mutate(method, body: body, also: edits, options: options, resolve: resolve, edit: edit)
        }
        MainQueue.check("TypedResource.mutate(_:body:also:options:durable:resolve:edit:)")
        let encoded = Result { try resource.configuration(for: method).encoding.encode(body) }
        let change = PendingChange(
            of: resource, method, ChangeBody(data: try? encoded.get(), contentType: "application/json"),
            [self.edit(edit)] + edits, options, resolve.map(Self.untyped))
        if case .failure(let error) = encoded { change.refuse(error) } else { change.startInOutbox() }
        return TypedChange(change: change)
    }

    /// Changes the content at once, and sends the change with any body or none; see
    /// ``mutate(_:body:also:options:durable:resolve:edit:)``.
    @discardableResult
    public func mutate(
        _ method: RequestMethod, data: Data? = nil, contentType: String? = nil, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), durable: Bool, resolve: ConflictResolver? = nil,
        edit: @escaping (inout Content) -> Void
    ) -> TypedChange<Content> {
        mutate(
            method, data: data, contentType: contentType, also: [self.edit(edit)] + edits, options: options,
            durable: durable, resolve: resolve)
    }

    /// Sends a change to the server that edits other resources, and not this one; see
    /// ``mutate(_:body:also:options:durable:resolve:edit:)``.
    @discardableResult
    public func mutate(
        _ method: RequestMethod, data: Data? = nil, contentType: String? = nil, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), durable: Bool, resolve: ConflictResolver? = nil
    ) -> TypedChange<Content> {
        guard durable else {
            return mutate(
                method, data: data, contentType: contentType, also: edits, options: options, resolve: resolve)
        }
        MainQueue.check("TypedResource.mutate(_:data:contentType:also:options:durable:resolve:)")
        let change = PendingChange(
            of: resource, method, ChangeBody(data: data, contentType: contentType), edits, options,
            resolve.map(Self.untyped))
        change.startInOutbox()
        return TypedChange(change: change)
    }
}

extension TypedResource where Content: Codable {
    /// Changes the content at once, and sends a file as the body of a durable change.
    ///
    /// See ``mutate(_:body:also:options:durable:resolve:edit:)``.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - file: The file.
    ///   - contentType: The `Content-Type`.
    ///   - copying: If true, the outbox copies the file before it accepts the change, and removes the copy with the change.
    ///     If false, the app keeps the file. If it is changed or removed before it was sent, the change is refused.
    ///   - edits: The edits, including those of this resource; see ``edit(_:)``.
    ///   - options: The queue, the condition, and the settlement.
    @discardableResult
    public func mutate(
        _ method: RequestMethod, file: URL, contentType: String = "application/octet-stream", copying: Bool = true,
        also edits: [ResourceEdit] = [], options: ChangeOptions = ChangeOptions()
    ) -> TypedChange<Content> {
        MainQueue.check("TypedResource.mutate(_:file:contentType:copying:also:options:)")
        let change = PendingChange(
            of: resource, method, ChangeBody(contentType: contentType), edits, options, nil)
        change.startInOutbox(file: (file, copying))
        return TypedChange(change: change)
    }
}

/// The error of a durable change of a service without an outbox: set ``Service/outbox``.
public struct MissingOutbox: LocalizedError, Sendable {
    /// A description that names the remedy.
    public var errorDescription: String? { "The service has no outbox, which a durable change needs" }
}

extension PendingChange {
    /// Shows the change, and passes it to the outbox.
    ///
    /// - Parameters:
    ///   - address: The address of the request; nil for that of the resource.
    ///   - creator: The change that creates the resource, if the address depends on it.
    ///   - file: The file that is the body, and whether the outbox copies it.
    func startInOutbox(
        at address: OutboxAddress? = nil, creator: PendingChange? = nil, file: (url: URL, isCopied: Bool)? = nil
    ) {
        isOfCreated = address.map { $0 != .url(resource.address) } ?? false
        let edits = storedEdits { $0.shownData }  // This runs code of the app, which may set another outbox.
        guard let outbox = resource.context.outbox as? Outbox else { return refuse(MissingOutbox()) }
        guard !resource.isPeculiar else { return refuse(RequestError.Cause.InvalidURL(urlSource: resource.url)) }
        let unread = unreadResources
        let entry = OutboxEntry(
            scope: scope.text, principal: outbox.principal, creationTime: date, dependency: address?.creator,
            request: OutboxRequest(
                method: method.rawValue.uppercased(), address: address ?? .url(resource.address),
                contentType: body.contentType,
                body: body.data.map { .bytes($0) } ?? .none, precondition: OutboxPrecondition(condition)),
            edits: edits, settlement: options.settlement.number)
        keep(in: outbox, id: entry.id) { again in again.startInOutbox(at: address, creator: creator, file: file) }
        _ = LiveRequest.whileStartingLoad { request.start() }
        guard file != nil || !unread.isEmpty else { return outbox.keep(self, entry, createdBy: creator) }
        outbox.keep(self, entry, createdBy: creator) { entry in
            if let file { entry.request.body = try await outbox.body(of: file.url, isCopied: file.isCopied) }
            if !unread.isEmpty { await self.readBase(of: unread, for: &entry) }
        }
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
    private func readBase(of unread: [Resource], for entry: inout OutboxEntry) async {
        for resource in unread { await resource.cacheIsRead() }
        // If the principal has signed out, the data belongs to another one.
        guard let changes = resource.context.changes, changes.isShown(self) else { return }
        if basis.entity == nil { basis = resource.basis }
        entry.edits = storedEdits { changes.overlay(of: $0)?.entity(before: self) ?? $0.state.data }
        entry.request.precondition = OutboxPrecondition(condition)
    }

    /// Returns the edits in a form that can be stored.
    ///
    /// - Parameter base: Returns the data of a resource without this change.
    private func storedEdits(over base: (Resource) -> Entity<Any>?) -> [StoredEdit] {
        resource.context.clock.whileCurrent {
            edits.compactMap { edit in
                edit.edit.stored(over: base(edit.resource), for: edit.resource).map {
                    StoredEdit(address: .url(edit.resource.address), delta: $0)
                }
            }
        }
    }
}
