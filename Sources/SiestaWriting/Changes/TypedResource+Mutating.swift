public import SiestaCore

extension TypedResource {
    /// A closure that resolves a conflict; see ``mutate(_:body:also:options:edit:resolve:)``. The closure runs on the
    /// main actor.
    public typealias ConflictResolver = @MainActor (ChangeConflict<Content>) async throws -> ConflictResolution<Content>

    /// Changes the content at once, and sends the change to the server.
    ///
    ///     let change = user.mutate(.patch, body: .json(["name": "Grace"])) { $0.name = "Grace" }
    ///     let confirmed = try await change.value
    ///
    /// The edit is visible everywhere before this method returns: ``content``, ``snapshot``, selections and lists
    /// contain the edit, and observers have received `.newData(.localOverride)`. ``Resource/isOptimistic`` is true
    /// until the change has ended. Persistent caches keep the data that the server has sent.
    ///
    /// Changes to one resource are sent one after the other; see ``ChangeOptions/scope``. If the change fails, its edit
    /// disappears, and other pending changes stay. If the change succeeds, its result becomes part of the data; see
    /// ``ChangeOptions/settlement``. If several changes wait in the same queue, the resources that they invalidate
    /// become stale only after the last change has ended.
    ///
    /// If it is unknown whether the server has carried out the change, the edited resources become stale. The outcome
    /// is unknown after a lost response, and after a status of 500 or more. It is also unknown if the change is
    /// cancelled, or its resource is wiped, after the change was sent.
    ///
    /// A successful DELETE removes the data of the resource, unless the change sets new content with ``replace(by:)``.
    /// Observers are notified of the removal with `.newData(.wipe)`. This example deletes a user. The edit `item`
    /// removes the user from a list; see ``edit(_:)``:
    ///
    ///     user.mutate(.delete, also: [item])
    ///
    /// Wiping the resource cancels its changes.
    ///
    /// - Parameters:
    ///   - method: The method of the request, for example `.patch`.
    ///   - body: The body of the request; nil for none. The body is encoded before this method returns. If encoding
    ///     fails, the change fails with the encoder's error as its cause. Its edit is not shown, and its request is not
    ///     sent.
    ///   - edits: Edits of other resources, which appear and disappear together with `edit`; see ``edit(_:)``.
    ///   - options: The options of the change, such as its condition and the queue in which it waits.
    ///   - edit: A closure that edits the content and follows the rules of ``ResourceEdit``. If it is nil, the change
    ///     edits only other resources.
    ///   - resolve: A closure that resolves the conflict if the server responds with 409, 412 or 428. Before the call,
    ///     the library loads the current content from the server. If the closure is nil, a resolver that
    ///     ``Service/resolveConflicts(_:as:_:)`` has set is used. If there is none, or if the closure throws, the
    ///     change fails.
    @discardableResult
    public func mutate(
        _ method: RequestMethod, body: RequestBody? = nil, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), edit: ((inout Content) -> Void)? = nil,
        resolve: ConflictResolver? = nil
    ) -> Change<Content> {
        MainQueue.check("TypedResource.mutate(_:body:also:options:edit:resolve:)")
        return change(method, body, edits, options, edit, resolve, isDurable: false)
    }

    /// Makes and starts a change.
    func change(
        _ method: RequestMethod, _ body: RequestBody?, _ edits: [ResourceEdit], _ options: ChangeOptions,
        _ edit: ((inout Content) -> Void)?, _ resolve: ConflictResolver?, isDurable: Bool
    ) -> Change<Content> {
        let edits = (edit.map { [self.edit($0)] } ?? []) + edits
        return resource.makeChange(method, body, edits, options, resolve) { $0.start(isDurable: isDurable) }
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

extension Resource {
    /// Makes a change, and starts it if its body can be encoded.
    ///
    /// - Parameters:
    ///   - prepare: Is called with the change before it starts, and with each change that repeats it.
    ///   - start: Starts the change.
    func makeChange<Content: Sendable>(
        _ method: RequestMethod, _ body: RequestBody?, _ edits: [ResourceEdit], _ options: ChangeOptions,
        _ resolve: TypedResource<Content>.ConflictResolver?, prepare: ((PendingChange) -> Void)? = nil,
        start: (PendingChange) -> Void
    ) -> Change<Content> {
        let encoded = Result { try body?.encoded(for: self, method) }
        let resolver = resolve.map(TypedResource<Content>.untyped)
        let change = Change<Content>(of: self, method, (try? encoded.get()) ?? nil, edits, options, resolver)
        if let prepare {
            change.delegate.prepareAgain = prepare
            prepare(change)
        }
        if case .failure(let error) = encoded {
            change.delegate.startAgain = { $0.refuse(error) }
            change.refuse(error)
        } else {
            start(change)
        }
        return change
    }
}

extension PendingChange {
    /// Starts the change, or passes it to the outbox.
    func start(isDurable: Bool) {
        if isDurable { startInOutbox() } else { start() }
    }

    /// Shows the change, and sends it when its turn has come. A task that is cancelled makes changes as any other task.
    func start() {
        _ = LiveRequest.whileStartingLoad { request.start() }
        resource.context.feature(Changes.self).add(self)
    }

    /// Ends a change that cannot be sent.
    func refuse(_ cause: any Error) {
        accept(.failure(cause))
        end(with: failure(cause))
    }

    /// Ends a change that is not sent.
    func end(with info: ResponseInfo) {
        pass(to: .failed)
        runEndings()
        _ = LiveRequest.whileStartingLoad { request.start() }
        delegate.complete(info)
    }
}
