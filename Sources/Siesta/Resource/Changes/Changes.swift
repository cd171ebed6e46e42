import Foundation

/// The pending changes of the resources of one service.
@MainActor
final class Changes {
    /// The number of conflicts of one change after which it fails.
    static let conflictLimit = 16

    private unowned let context: ResourceContext
    private var overlays: [ObjectIdentifier: Overlay] = [:]
    private var pending: [ObjectIdentifier: PendingChange] = [:]
    private var queue = ChangeQueue<ObjectIdentifier>()
    private var lastShown: UInt32 = 0
    private var count = 0
    /// The invalidations by changes that were followed by others of the same scope, by scope.
    private var invalidations: [String: DelayedInvalidation] = [:]

    /// The resolvers of the service, the latest last.
    var resolvers: [(matches: (URL) -> Bool, resolve: UntypedResolver)] = []

    private struct DelayedInvalidation {
        var targets: [InvalidationTarget] = []
        var isCertain = false
    }

    init(context: ResourceContext) {
        self.context = context
    }

    func overlay(of resource: Resource) -> Overlay? { overlays[ObjectIdentifier(resource)] }

    /// The requests of the changes that edit a resource or are sent to it, the latest first.
    func requests(of resource: Resource) -> [any Request] {
        pending.values.filter { $0.outbox == nil }.filter { $0.resource === resource || $0.resources.contains(resource) }
            .sorted { $0.number > $1.number }.map(\.request)
    }

    // MARK: Adding

    /// Shows a change, and sends it when its turn has come.
    func add(_ change: PendingChange) {
        count += 1
        change.number = count
        pending[ObjectIdentifier(change)] = change
        for edit in change.edits { overlay(for: edit.resource).append(edit.edit, of: change) }
        publish(change.resources)
        if change.outbox == nil { enqueue(change) }
        for resource in change.resources { resource.notifyObservers(.newData(.localOverride)) }
    }

    private func overlay(for resource: Resource) -> Overlay {
        let key = ObjectIdentifier(resource)
        if let known = overlays[key] { return known }
        let new = Overlay(resource)
        overlays[key] = new
        return new
    }

    private func enqueue(_ change: PendingChange) {
        guard !change.options.isConcurrent else { return send(change) }
        replaceLast(by: change)
        if queue.add(ObjectIdentifier(change), to: change.scope) { send(change) }
    }

    /// Removes the last change of the queue if the new one replaces it.
    private func replaceLast(by change: PendingChange) {
        guard change.options.coalesces, let id = queue.lastWaiting(in: change.scope), let last = pending[id],
            last.options.coalesces, last.resource === change.resource, last.method == change.method
        else { return }
        _ = queue.remove(id, from: change.scope)
        change.replaced = last.replaced + [last]
        last.replaced = []
        change.basis = last.basis
    }
}

// MARK: Sending

extension Changes {
    private func send(_ change: PendingChange) {
        guard pending[ObjectIdentifier(change)] != nil, change.delegate.sent == nil else { return }
        change.state = .sending
        let work = NetworkRequest(change.recipe)
        work.change = change
        let sent = context.clock.whileCurrent { LiveRequest.whileStartingLoad { change.resource.request(work) } }
        guard change.isPending else { return sent.cancel() }  // Code of the app has cancelled it while it was started.
        change.delegate.sent = sent
        sent.onCompletion { [self] info in
            change.delegate.sent = nil
            ended(change, info)
        }
    }

    private func ended(_ change: PendingChange, _ info: ResponseInfo) {
        guard change.isPending else { return }
        switch info.response {
        case .success(let entity): settle(change, entity, info)
        case .failure(let error):
            if let resolver = resolver(for: change), error.isConflict, change.conflictCount < Self.conflictLimit {
                return resolve(change, error, info, by: resolver)
            }
            fail(change, info)
        }
    }

    /// Ends a change that was cancelled.
    func cancel(_ change: PendingChange) {
        guard change.isPending else { return }
        end(change, as: .failed)
        change.outbox?.cancelled(change)
        change.delegate.sent.take()?.cancel()
        show(change.resources)
        finish(change, nil)
    }

    /// Ends a change that the server has refused, or that cannot be sent.
    func fail(_ change: PendingChange, _ info: ResponseInfo) {
        guard change.isPending else { return }
        end(change, as: .failed)
        show(change.resources)
        finish(change, info)
    }

    /// Removes a change and those that it has replaced.
    private func end(_ change: PendingChange, as state: PendingChange.State) {
        var removed: [any ContentEdit] = []
        for change in change.replaced + [change] where change.isPending {
            change.state = state
            pending[ObjectIdentifier(change)] = nil
            for resource in change.resources {
                if let overlay = overlay(of: resource) { removed += overlay.remove(change) }
            }
        }
        extendLifetime(removed)
    }

    /// Sends the next change, and completes the requests of this one.
    ///
    /// - Parameters:
    ///   - info: the response; nil after a cancellation, when the request is complete already.
    ///   - settled: the resource whose data is the response; no invalidation by the change concerns it.
    private func finish(_ change: PendingChange, _ info: ResponseInfo?, leavingOut settled: Resource? = nil) {
        let next = queue.remove(ObjectIdentifier(change), from: change.scope).flatMap { pending[$0] }
        if info?.response.isCancellation ?? true {
            // A wipe cancels one change after the other. None of them must be sent meanwhile.
            if let next { MainQueue.async { self.sendIfWaiting(next) } }
        } else if let next {
            sendIfWaiting(next)
        }
        if queue.isEmpty(change.scope), !(change.outbox?.hasChange(after: change) ?? false) { invalidate(after: change.scope, leavingOut: settled) }
        for earlier in change.replaced {
            if let info { earlier.delegate.complete(info) } else { earlier.request.cancel() }
        }
        if let info { change.delegate.complete(info) }
    }

    private func sendIfWaiting(_ change: PendingChange) {
        if change.state == .waiting { context.clock.whileCurrent { send(change) } }
    }
}

// MARK: Settling

extension Changes {
    /// Makes a change that has succeeded a part of the data.
    func settle(_ change: PendingChange, _ response: Entity<Any>, _ info: ResponseInfo) {
        switch change.settlement(after: response) {
        case .reload: reload(change, info)
        case .edit: settle(change, info, nil, response)
        case .response:
            guard let own = change.edits.first(where: { $0.resource === change.resource }) else {
                return settle(change, info, nil, response)
            }
            change.state = .settling
            Task {
                let content = await content(of: response, info, for: own)
                if change.isPending { settle(change, info, content, response) }
            }
        }
    }

    /// Returns the response as the new data of a resource, if it has content of the type of the edit.
    private func content(
        of response: Entity<Any>, _ info: ResponseInfo, for edit: ResourceEdit
    ) async -> (entity: Entity<Any>, outputs: [CacheableOutput]?)? {
        let finished = FinishedResponse(response, info)
        if let (entity, outputs) = await edit.resource.processedAsLoad(response, finished.data),
            edit.edit.accepts(entity.content)
        {
            return (entity, outputs)
        }
        return await edit.edit.content(of: finished).map { (response.withContent($0), nil) }
    }

    private func settle(
        _ change: PendingChange, _ info: ResponseInfo, _ content: (entity: Entity<Any>, outputs: [CacheableOutput]?)?,
        _ response: Entity<Any>
    ) {
        let all = (change.replaced + [change]).filter(\.isPending)
        let (edits, basis) = (all.flatMap(\.edits), change.basis)
        let resources = all.flatMap(\.resources).uniqued
        end(change, as: .succeeded)
        for resource in resources {
            let isTarget = resource === change.resource
            if isTarget, let content {
                resource.settle(content.entity, from: .network, content.outputs)
            } else {
                resource.settle(
                    by: edits.filter { $0.resource === resource }.map(\.edit),
                    etag: isTarget ? response.headerFields["etag"] : nil)
                if isTarget, change.options.settlement == .response { resource.change { $0.invalidate() } }
            }
        }
        rebase(on: change.resource, from: basis)
        show(resources, isData: true)
        finish(change, info, leavingOut: content == nil ? nil : change.resource)
    }

    /// Makes the new data of a resource the basis of later changes that had the same basis as the change that has succeeded.
    private func rebase(on resource: Resource, from old: PendingChange.Basis) {
        let new = PendingChange.Basis(entity: resource.state.data, revision: resource.state.contentRevision)
        for change in pending.values where change.resource === resource && change.basis.revision == old.revision {
            change.basis = new
        }
    }

    /// Loads the resources of a change, and ends it afterwards.
    private func reload(_ change: PendingChange, _ info: ResponseInfo) {
        change.state = .settling
        let basis = change.basis
        let resources = change.resources.isEmpty ? [change.resource] : change.resources
        var count = resources.count
        for resource in resources {
            resource.change { $0.invalidateWithLoads() }
            resource.load().onCompletion { [self] _ in
                count -= 1
                guard count == 0, change.isPending else { return }
                end(change, as: .succeeded)
                rebase(on: change.resource, from: basis)
                show(change.resources)
                finish(change, info)
            }
        }
    }
}

// MARK: Conflicts

extension Changes {
    /// Returns the function that decides on the conflicts of a change: its own, or the latest of the service.
    func resolver(for change: PendingChange) -> UntypedResolver? {
        change.resolver ?? resolvers.last { $0.matches(change.resource.url) }?.resolve
    }

    private func resolve(
        _ change: PendingChange, _ error: RequestError, _ info: ResponseInfo, by resolver: @escaping UntypedResolver
    ) {
        Task {
            guard let resolution = await resolution(of: change, error, by: resolver) else { return fail(change, info) }
            guard change.isPending else { return }
            if case .giveUp = resolution { return fail(change, info) }
            change.forcedCondition = .some(prepare(change, for: resolution, info))
            send(change)
        }
    }

    /// Loads the present content, and asks the app. Returns nil if the load has failed, or the change has ended.
    func resolution(
        of change: PendingChange, _ error: RequestError, by resolver: UntypedResolver
    ) async -> UntypedResolution? {
        change.state = .resolving
        change.conflictCount += 1
        let (base, resource) = (change.basis.entity, change.resource)
        let own = change.edits.filter { $0.resource === resource }.map(\.edit)
        let mine = context.clock.whileCurrent { Entity.edited(base, by: own[...]) }
        let loaded = await resource.load().response.response
        guard change.isPending else { return nil }
        var theirs = resource.state.data
        if case .failure(let error) = loaded {
            guard [404, 410].contains(error.httpStatusCode) else { return nil }
            theirs = nil
        }
        let conflict = UntypedConflict(mine: mine, base: base, theirs: theirs, error: error)
        let resolution = await resolver(conflict)
        return change.isPending ? resolution : nil
    }

    /// Prepares a change for the next attempt. Returns the condition of its request.
    func prepare(_ change: PendingChange, for resolution: UntypedResolution, _ info: ResponseInfo) -> ChangeCondition? {
        guard case .send(let edit, let body) = resolution else {
            guard case .failure(let error) = info.response else { return nil }
            return error.httpStatusCode == 428 ? .present : nil
        }
        let resource = change.resource
        change.basis = PendingChange.Basis(entity: resource.state.data, revision: resource.state.contentRevision)
        change.body.data = body
        change.replaceOwnEdits(by: edit)
        overlay(of: resource)?.replaceEdits(of: change, by: edit)
        show([resource])
        return ChangeCondition(unchanged: resource.state.data)
    }
}

// MARK: Principals

extension Changes {
    /// Hides a change of another principal. It does not end.
    func hide(_ change: PendingChange) {
        pending[ObjectIdentifier(change)] = nil
        let removed = change.resources.compactMap { overlay(of: $0)?.remove(change) }
        publish(change.resources)
        extendLifetime(removed)
    }

    /// Shows changes of an outbox, in order.
    func reveal(_ changes: [PendingChange]) {
        for change in changes where pending[ObjectIdentifier(change)] == nil {
            count += 1
            change.number = count
            pending[ObjectIdentifier(change)] = change
            for edit in change.edits { overlay(for: edit.resource).append(edit.edit, of: change) }
        }
        show(changes.flatMap(\.resources).uniqued)
    }
}

// MARK: Showing

extension Changes {
    /// Shows the data of resources with their remaining changes, and tells the observers.
    ///
    /// - Parameter isData: true if the data itself has changed.
    private func show(_ resources: [Resource], isData: Bool = false) {
        publish(resources)
        for resource in resources { resource.notifyObservers(.newData(isData ? .network : .localOverride)) }
    }

    /// Makes the shown data of all `resources` visible at once.
    private func publish(_ resources: [Resource]) {
        for resource in resources { prepare(resource) }
        let tracked = resources.map { $0.readProperties.intersection(.latestData) }
        for (resource, tracked) in zip(resources, tracked) { resource.willSet(tracked) }
        let old = context.stateLock.withLock { resources.map { publish($0) } }
        for (resource, tracked) in zip(resources, tracked) { resource.didSet(tracked) }
        extendLifetime(old)
    }

    /// Replays the changes of a resource over its data. An edit of the app may change the data; then they are replayed
    /// again, a limited number of times.
    private func prepare(_ resource: Resource) {
        guard let overlay = overlay(of: resource) else { return }
        for _ in 0..<16 where overlay.replay(over: resource.state) {}
    }

    /// Makes the shown data of a resource visible. The caller holds the lock of the states, and releases the old value
    /// outside of it, because the release may run code of the app.
    func publish(_ resource: Resource) -> ShownData? {
        let key = ObjectIdentifier(resource)
        guard let overlay = overlays[key], !overlay.isPublished else { return nil }
        overlay.isPublished = true
        guard !overlay.isEmpty else {
            overlays[key] = nil
            let old = context.shownData?.removeValue(forKey: key)
            if context.shownData?.isEmpty == true { context.shownData = nil }
            return old
        }
        lastShown &+= 1
        let new = ShownData(entity: overlay.shown, number: lastShown, changeCount: overlay.changeCount)
        if context.shownData == nil { context.shownData = [:] }
        return context.shownData?.updateValue(new, forKey: key)
    }
}

// MARK: Invalidations

extension Changes {
    /// Delays an invalidation by a change if other changes of the same scope follow. Returns false if none follows.
    func delays(_ target: InvalidationTarget, after change: PendingChange, isCertain: Bool) -> Bool {
        guard !change.options.isConcurrent else { return false }
        invalidations[change.scope, default: DelayedInvalidation()].targets.append(target)
        if isCertain { invalidations[change.scope]?.isCertain = true }
        return true
    }

    private func invalidate(after scope: String, leavingOut settled: Resource?) {
        guard let delayed = invalidations.removeValue(forKey: scope) else { return }
        for target in delayed.targets {
            context.startDependencies().invalidate(target, settled: settled, isCertain: delayed.isCertain)
        }
    }
}

extension RequestError {
    /// True if the server has refused a change because the resource has changed, or because it asks for a condition.
    fileprivate var isConflict: Bool { [409, 412, 428].contains(httpStatusCode) }
}

extension [Resource] {
    fileprivate var uniqued: [Resource] {
        var seen: Set<Resource> = []
        return filter { seen.insert($0).inserted }
    }
}
