public import Foundation
public import SiestaCore

extension TypedResource {
    /// A closure that resolves a conflict; see ``mutate(_:body:also:options:resolve:edit:)``. It runs on the main
    /// actor.
    public typealias ConflictResolver = @MainActor (ChangeConflict<Content>) async throws -> ConflictResolution<Content>

    /// Changes the content at once, and sends the change to the server.
    ///
    ///     let change = user.mutate(.patch, body: ["name": "Grace"]) { $0.name = "Grace" }
    ///     let confirmed = try await change.value
    ///
    /// The edit is shown everywhere before this method returns: ``content``, ``snapshot``, selections and lists contain it,
    /// and observers receive `.newData(.localOverride)`. ``Resource/isOptimistic`` is true until the change has ended.
    /// Persistent caches keep the data that the server has sent.
    ///
    /// Changes of one resource are sent one after the other; see ``ChangeOptions/scope``. If the change fails, its edit
    /// disappears, and other pending changes stay. If it succeeds, it becomes part of the data; see
    /// ``ChangeOptions/settlement``. Tags are invalidated after the last of several changes in one queue.
    ///
    /// If it is unknown whether the server has carried out the change, the edited resources become stale. The reasons
    /// are a lost response, a status of 500 or more, and a cancellation or a wipe after the change was sent.
    ///
    /// A wipe of the resource cancels its changes.
    ///
    /// - Parameters:
    ///   - method: The method of the request, for example `.patch`.
    ///   - body: The body, encoded as JSON by the ``Configuration/jsonEncoder`` before this method returns. If encoding
    ///     fails, the change fails with the encoder's error as its cause, and nothing is shown or sent.
    ///   - edits: Edits of other resources, which are shown and removed together with this one; see ``edit(_:)``.
    ///   - options: The queue, the condition, and the settlement.
    ///   - resolve: Resolves the conflict if the server responds with 409, 412 or 428. It is called after the server's
    ///     current content has been loaded. If it throws, or if it is nil, the change fails.
    ///   - edit: Changes the content; see ``ResourceEdit`` for its rules.
    @discardableResult
    public func mutate(
        _ method: RequestMethod, body: some Encodable, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), resolve: ConflictResolver? = nil,
        edit: @escaping (inout Content) -> Void
    ) -> TypedChange<Content> {
        MainQueue.check("TypedResource.mutate(_:body:also:options:resolve:edit:)")
        let encoded = Result { try resource.configuration(for: method).encoding.encode(body) }
        let body = ChangeBody(data: try? encoded.get(), contentType: "application/json")
        let change = PendingChange(
            of: resource, method, body, [self.edit(edit)] + edits, options, resolve.map(Self.untyped))
        return start(change, encoded.failure)
    }

    /// Changes the content at once, and sends the change to the server, with any body or none.
    ///
    /// See ``mutate(_:body:also:options:resolve:edit:)``.
    ///
    /// If `contentType`, the `Content-Type` of the body, is not a valid header value, the change fails with
    /// ``RequestError/Code/invalidHeader``.
    @discardableResult
    public func mutate(
        _ method: RequestMethod, data: Data? = nil, contentType: String? = nil, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), resolve: ConflictResolver? = nil,
        edit: @escaping (inout Content) -> Void
    ) -> TypedChange<Content> {
        mutate(
            method, data: data, contentType: contentType, also: [self.edit(edit)] + edits, options: options,
            resolve: resolve)
    }

    /// Sends a change to the server that edits other resources, and not this one.
    ///
    ///     user.mutate(.delete, also: [item])
    ///
    /// After a successful DELETE, this resource has no data, and its observers receive `.newData(.wipe)`.
    ///
    /// See ``mutate(_:data:contentType:also:options:resolve:edit:)``.
    @discardableResult
    public func mutate(
        _ method: RequestMethod, data: Data? = nil, contentType: String? = nil, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), resolve: ConflictResolver? = nil
    ) -> TypedChange<Content> {
        MainQueue.check("TypedResource.mutate(_:data:contentType:also:options:resolve:)")
        let change = PendingChange(
            of: resource, method, ChangeBody(data: data, contentType: contentType), edits, options,
            resolve.map(Self.untyped))
        return start(change, nil)
    }

    private func start(_ change: PendingChange, _ defect: (any Error)?) -> TypedChange<Content> {
        if let defect {
            change.refuse(defect)
        } else {
            change.start()
        }
        return TypedChange(change: change)
    }

    static func untyped(_ resolve: @escaping ConflictResolver) -> UntypedResolver {
        { conflict in
            do {
                return try await resolve(ChangeConflict(conflict)).untyped
            } catch {
                return .giveUp
            }
        }
    }
}

extension PendingChange {
    /// Shows the change, and sends it when its turn has come. A task that is cancelled makes changes as any other task.
    func start() {
        _ = LiveRequest.whileStartingLoad { request.start() }
        resource.context.feature(Changes.self).add(self)
    }

    /// Ends a change that cannot be sent.
    func refuse(_ cause: any Error) {
        state = .failed
        _ = LiveRequest.whileStartingLoad { request.start() }
        delegate.complete(failure(cause))
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
