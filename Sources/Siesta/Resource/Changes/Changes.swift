import Foundation

/// The pending changes of the resources of one service.
@MainActor
final class Changes {
    /// The number of conflicts of one change after which it fails.
    private static let conflictLimit = 16

    private unowned let context: ResourceContext
    private var overlays: [ObjectIdentifier: Overlay] = [:]
    private var pending: [ObjectIdentifier: PendingChange] = [:]
    private var queue = ChangeQueue<ObjectIdentifier>()
    private var lastShown: UInt32 = 0
    private var count = 0
    /// The invalidations by changes that were followed by others of the same scope, by scope.
    private var invalidations: [String: DelayedInvalidation] = [:]

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
        pending.values.filter { $0.resource === resource || $0.resources.contains(resource) }
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
        enqueue(change)
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
            if let resolver = change.resolver, error.isConflict, change.conflictCount < Self.conflictLimit {
                return resolve(change, error, info, by: resolver)
            }
            noteDoubt(change, info, error)
            fail(change, info)
        }
    }

    /// Ends a change that was cancelled.
    func cancel(_ change: PendingChange) {
        guard change.isPending else { return }
        if change.delegate.sent != nil { noteDoubt(change, nil, nil) }
        end(change, as: .failed)
        change.delegate.sent.take()?.cancel()
        show(change.resources)
        finish(change, nil)
    }

    /// Makes data stale that is not what the server has: the server may have carried out the change, or it has said that the
    /// resource has changed.
    private func noteDoubt(_ change: PendingChange, _ info: ResponseInfo?, _ error: RequestError?) {
        let isUnknown = info.map { WriteOutcome($0) } ?? .unknown == .unknown
        guard isUnknown || error?.isConflict ?? false else { return }
        for resource in isUnknown ? change.resources + [change.resource] : [change.resource]
        where resource.state.hasData {
            resource.change { $0.invalidateWithLoads() }
        }
    }

    private func fail(_ change: PendingChange, _ info: ResponseInfo) {
        end(change, as: .failed)
        show(change.resources)
        finish(change, info)
    }

    /// Removes a change and those that it has replaced.
    func end(_ change: PendingChange, as state: PendingChange.State) {
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
    func finish(_ change: PendingChange, _ info: ResponseInfo?, leavingOut settled: Resource? = nil) {
        let next = queue.remove(ObjectIdentifier(change), from: change.scope).flatMap { pending[$0] }
        if info?.response.isCancellation ?? true {
            // A wipe cancels one change after the other. None of them must be sent meanwhile.
            if let next { MainQueue.async { self.sendIfWaiting(next) } }
        } else if let next {
            sendIfWaiting(next)
        }
        if queue.isEmpty(change.scope) { invalidate(after: change.scope, leavingOut: settled) }
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
    private func settle(_ change: PendingChange, _ response: Entity<Any>, _ info: ResponseInfo) {
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
        rebase(after: change, from: basis)
        show(resources, isData: true)
        finish(change, info, leavingOut: content == nil ? nil : change.resource)
    }

    /// Makes the new data the basis of later changes that had the same basis as the change that has succeeded.
    ///
    /// After a conflict, the new data also contains somebody else's change, which the later changes do not know. Their basis
    /// keeps its version, so that they have a conflict, too. It receives the edits of the successful change, which are no
    /// conflict.
    func rebase(after change: PendingChange, from old: PendingChange.Basis) {
        let resource = change.resource
        let new = PendingChange.Basis(entity: resource.state.data, revision: resource.state.contentRevision)
        for later in pending.values where later.resource === resource {
            if let first = change.conflicting, later.basis.revision == first.basis.revision {
                guard later.number > change.number else { continue }
                later.basis.entity = context.clock.whileCurrent {
                    Entity.edited(later.basis.entity, by: first.edits[...])
                }
            } else if later.basis.revision == old.revision {
                later.basis = new
            }
        }
    }
}

// MARK: Conflicts

extension Changes {
    private func resolve(
        _ change: PendingChange, _ error: RequestError, _ info: ResponseInfo, by resolver: @escaping UntypedResolver
    ) {
        change.state = .resolving
        change.conflictCount += 1
        let own = change.edits.filter { $0.resource === change.resource }.map(\.edit)
        let base = change.basis.entity
        if change.conflicting == nil { change.conflicting = (change.basis, own) }
        Task {
            let mine = context.clock.whileCurrent { Entity.edited(base, by: own[...]) }
            let loaded = await change.resource.load().response.response
            guard change.isPending else { return }
            var theirs = change.resource.state.data
            if case .failure(let error) = loaded {
                guard [404, 410].contains(error.httpStatusCode) else { return fail(change, info) }
                theirs = nil
            }
            let conflict = UntypedConflict(mine: mine, base: base, theirs: theirs, error: error)
            let isDecided = change.isForced && error.httpStatusCode != 409
            let resolution = isDecided ? .force : await resolver(conflict)
            guard change.isPending else { return }
            carryOut(resolution, of: change, error, info)
        }
    }

    private func carryOut(
        _ resolution: UntypedResolution, of change: PendingChange, _ error: RequestError, _ info: ResponseInfo
    ) {
        let resource = change.resource
        switch resolution {
        case .giveUp: return fail(change, info)
        case .force: force(change, after: error)
        case .send(let edit, let body):
            change.basis = PendingChange.Basis(entity: resource.state.data, revision: resource.state.contentRevision)
            change.forcedCondition = .some(ChangeCondition(unchanged: resource.state.data))
            change.body.data = body
            change.replaceOwnEdits(by: edit)
            overlay(of: resource)?.replaceEdits(of: change, by: edit)
            show([resource])
        }
        send(change)
    }

    /// Prepares a change that overwrites the content of the server. It has no condition at first. If the server requires a
    /// condition, it is the version that has just been loaded: not every server accepts `If-Match: *`.
    private func force(_ change: PendingChange, after error: RequestError) {
        let needsCondition = error.httpStatusCode == 428 || change.isForced && error.httpStatusCode == 412
        let version = ChangeCondition(unchanged: change.resource.state.data) ?? .present
        change.forcedCondition = .some(needsCondition ? version : nil)
        change.isForced = true
    }
}

// MARK: Showing

extension Changes {
    /// Shows the data of resources with their remaining changes, and tells the observers.
    ///
    /// - Parameter isData: true if the data itself has changed.
    func show(_ resources: [Resource], isData: Bool = false) {
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
    /// The resources in the same order, each once.
    var uniqued: [Resource] {
        var seen: Set<Resource> = []
        return filter { seen.insert($0).inserted }
    }
}
