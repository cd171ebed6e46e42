import Foundation

/// The pending changes of the resources of one service.
@MainActor
final class Changes {
    /// The number of conflicts of one change after which it fails.
    private static let conflictLimit = 16

    private unowned let context: ResourceContext
    private var overlays: [ObjectIdentifier: Overlay] = [:]
    /// The pending changes by the resource to which they are sent.
    private var pending: [ObjectIdentifier: [ObjectIdentifier: PendingChange]] = [:]
    private var queue = ChangeQueue<PendingChange>()
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

    /// The changes that edit one of the resources or are sent to it, the latest first.
    func changes(of resources: [Resource]) -> [PendingChange] {
        let all = resources.flatMap { resource in
            Array(pending[ObjectIdentifier(resource), default: [:]].values) + (overlay(of: resource)?.changes ?? [])
        }
        return all.uniqued.sorted { $0.number > $1.number }
    }

    // MARK: Adding

    /// Shows a change, and sends it when its turn has come.
    ///
    /// It has its place in the queue before an edit runs, which may make other changes, or cancel this one.
    func add(_ change: PendingChange) {
        count += 1
        change.number = count
        pending[ObjectIdentifier(change.resource), default: [:]][ObjectIdentifier(change)] = change
        for edit in change.edits { overlay(for: edit.resource).append(edit.edit, of: change) }
        enqueue(change)
        publish(change.resources)
        if change.options.isConcurrent || queue.isFirst(change, in: change.scope) { sendIfWaiting(change) }
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
        guard !change.options.isConcurrent else { return }
        replaceLast(by: change)
        queue.add(change, to: change.scope)
    }

    /// Removes the last change of the queue if the new one replaces it.
    private func replaceLast(by change: PendingChange) {
        guard change.options.coalesces, let last = queue.lastWaiting(in: change.scope), last.options.coalesces,
            last.resource === change.resource, last.method == change.method
        else { return }
        _ = queue.remove(last, from: change.scope)
        change.replaced = exchange(&last.replaced, with: [])
        change.replaced.append(last)
        change.basis = last.basis
    }
}

// MARK: Sending

extension Changes {
    private func send(_ change: PendingChange) {
        guard change.isPending, change.delegate.sent == nil else { return }
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
            fail(change, info)
        }
    }

    /// Ends a change that was cancelled.
    func cancel(_ change: PendingChange) {
        guard change.isPending else { return }
        show(end([change], as: .failed).resources)
        stop(change)
    }

    /// Cancels changes together: their resources are shown without all of them before the first hook runs.
    func cancel(_ changes: [PendingChange]) {
        let changes = changes.filter(\.isPending)
        guard !changes.isEmpty else { return }
        show(end(changes, as: .failed).resources)
        for change in changes {
            stop(change)
            change.request.cancel()
        }
    }

    private func stop(_ change: PendingChange) {
        change.delegate.sent.take()?.cancel()
        finish(change, nil)
    }

    private func fail(_ change: PendingChange, _ info: ResponseInfo) {
        show(end([change], as: .failed).resources)
        finish(change, info)
    }

    /// Removes changes and those that they have replaced. Returns their resources, each once, and their edits.
    private func end(
        _ changes: [PendingChange], as state: PendingChange.State
    ) -> (resources: [Resource], edits: [ResourceEdit]) {
        let all = changes.flatMap(\.withReplaced)
        for change in all {
            change.state = state
            pending[ObjectIdentifier(change.resource)]?[ObjectIdentifier(change)] = nil
            if pending[ObjectIdentifier(change.resource)]?.isEmpty == true {
                pending[ObjectIdentifier(change.resource)] = nil
            }
        }
        let edits = all.flatMap(\.edits)
        let resources = edits.map(\.resource).uniqued
        extendLifetime(resources.flatMap { overlay(of: $0)?.removeEnded() ?? [] })
        return (resources, edits)
    }

    /// Sends the next change, and completes the requests of this one.
    ///
    /// - Parameters:
    ///   - info: the response; nil after a cancellation, when the request is complete already.
    ///   - settled: the resource whose data is the response; no invalidation by the change concerns it.
    private func finish(_ change: PendingChange, _ info: ResponseInfo?, leavingOut settled: Resource? = nil) {
        let next = queue.remove(change, from: change.scope)
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
        case .edit: settle(change, info, content: nil, response)
        case .response:
            guard let own = change.edits.first(where: { $0.resource === change.resource }) else {
                return settle(change, info, content: nil, response)
            }
            let finished = FinishedResponse(response, info)
            change.state = .settling
            Task {
                let content = await own.edit.content(of: finished)
                if change.isPending { settle(change, info, content: content, response) }
            }
        }
    }

    private func settle(_ change: PendingChange, _ info: ResponseInfo, content: Any?, _ response: Entity<Any>) {
        let basis = change.basis
        let (resources, edits) = end([change], as: .succeeded)
        for resource in resources {
            let isTarget = resource === change.resource
            if isTarget, let content {
                resource.settle(response.withContent(content), from: .network)
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
        for change in pending[ObjectIdentifier(resource), default: [:]].values
        where change.basis.revision == old.revision { change.basis = new }
    }

    /// Loads the resources of a change, and ends it afterwards.
    private func reload(_ change: PendingChange, _ info: ResponseInfo) {
        change.state = .settling
        let edited = change.withReplaced.flatMap(\.resources).uniqued
        let resources = edited.isEmpty ? [change.resource] : edited
        var (count, unloaded) = (resources.count, [Resource]())
        for resource in resources {
            resource.change { $0.invalidateWithLoads() }
            let revision = resource.state.contentRevision
            resource.load().onCompletion { [self] loaded in
                let isUnchanged = resource.state.contentRevision == revision
                if case .failure = loaded.response, isUnchanged { unloaded.append(resource) }
                count -= 1
                if count == 0, change.isPending { endReload(change, info, without: unloaded) }
            }
        }
    }

    /// Ends a change whose resources were loaded. The resources that could not be loaded receive its edits, because the
    /// server has carried it out.
    private func endReload(_ change: PendingChange, _ info: ResponseInfo, without unloaded: [Resource]) {
        let basis = change.basis
        let (resources, edits) = end([change], as: .succeeded)
        for resource in unloaded {
            resource.settle(by: edits.filter { $0.resource === resource }.map(\.edit), etag: nil)
            resource.change { $0.invalidate() }
        }
        rebase(on: change.resource, from: basis)
        show(resources)
        finish(change, info)
    }
}

// MARK: Conflicts

extension Changes {
    private func resolve(
        _ change: PendingChange, _ error: RequestError, _ info: ResponseInfo, by resolver: @escaping UntypedResolver
    ) {
        change.state = .resolving
        change.conflictCount += 1
        Task {
            let loaded = await change.resource.load().response.response
            guard change.isPending else { return }
            var theirs = change.resource.state.data
            if case .failure(let error) = loaded {
                guard [404, 410].contains(error.httpStatusCode) else { return fail(change, info) }
                theirs = nil
            }
            // Another change may have become the basis during the load.
            let (base, own) = (change.basis.entity, change.withReplaced.flatMap(\.edits))
            let edits = own.filter { $0.resource === change.resource }.map(\.edit)
            let mine = context.clock.whileCurrent { Entity.edited(base, by: edits) }
            guard change.isPending else { return }
            let resolution = await resolver(UntypedConflict(mine: mine, base: base, theirs: theirs, error: error))
            guard change.isPending else { return }
            carryOut(resolution, of: change, theirs, error, info)
        }
    }

    /// - Parameter theirs: the data of the server; nil if the resource does not exist there, and may be created.
    private func carryOut(
        _ resolution: UntypedResolution, of change: PendingChange, _ theirs: Entity<Any>?, _ error: RequestError,
        _ info: ResponseInfo
    ) {
        let resource = change.resource
        switch resolution {
        case .giveUp: return fail(change, info)
        case .force:
            let required = theirs == nil ? ChangeCondition.absent : .present
            change.forcedCondition = .some(error.httpStatusCode == 428 ? required : nil)
        case .send(let edit, let body):
            change.basis = PendingChange.Basis(entity: resource.state.data, revision: resource.state.contentRevision)
            change.forcedCondition = .some(theirs == nil ? .absent : ChangeCondition(unchanged: resource.state.data))
            change.body.data = body
            change.replaceOwnEdits(by: edit)
            overlay(for: resource).replaceEdits(of: change, by: edit)
            show([resource])
        }
        send(change)
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
        let new = ShownData(entity: overlay.shown, number: lastShown, changeCount: overlay.changes.count)
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
        guard count > 1 else { return self }
        var seen: Set<Resource> = []
        return filter { seen.insert($0).inserted }
    }
}

extension [PendingChange] {
    fileprivate var uniqued: [PendingChange] {
        var seen: Set<ObjectIdentifier> = []
        return filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
