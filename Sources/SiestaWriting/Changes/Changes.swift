import Foundation
import HTTPRules
import SiestaCore

/// The pending changes that are sent to one resource.
final class SentChanges: ResourceExtension {
    /// The changes by their numbers.
    fileprivate(set) var pending: [Int: PendingChange] = [:]
}

/// The pending changes of the resources of one service.
final class Changes: ServiceExtension {
    /// The number of conflicts of one change after which it fails.
    static let conflictLimit = 16

    unowned let context: ResourceContext
    private var queue = ChangeQueue<PendingChange>()
    private var lastShown: UInt32 = 0
    private var count = 0
    /// The invalidations by changes that were followed by others of the same scope, by scope.
    private var invalidations: [ExactText: DelayedInvalidation] = [:]

    /// The outbox, which keeps durable changes; nil if the service has none.
    fileprivate(set) var outbox: Outbox?

    /// The last step that the state of a change excludes; nil if there was none. Tests check that it is nil.
    var illegalStep: String?

    /// The resolvers of the service, the latest last.
    var resolvers: [(matches: (URL) -> Bool, resolve: UntypedResolver)] = []

    /// The changes that end with the last user, from the removal of this user's data until they are cancelled.
    private var leaving: [PendingChange] = []

    private struct DelayedInvalidation {
        var targets: [InvalidationTarget] = []
        var isCertain = false

        /// Adds a target. Those of a long queue are mostly the same, and become one.
        mutating func add(_ target: InvalidationTarget) {
            for index in targets.indices.reversed() where targets[index].take(target) { return }
            targets.append(target)
        }
    }

    init(context: ResourceContext) {
        self.context = context
    }

    func unfinishedWork(includingTimers: Bool) -> [String] {
        outbox?.isStoring == true ? ["the outbox stores changes"] : []
    }

    func cancellation(of resources: [Resource], _ extent: Resource.WipeExtent) -> (() -> Void)? {
        let changes = changes(of: resources)
        return changes.isEmpty ? nil : { self.cancel(changes) }
    }

    /// Hides the changes that end with the last user, also those of resources that all users share. They are cancelled later,
    /// because this runs code of the app, which must not see them.
    func principalDataWillBeRemoved() {
        let all = context.resources
        let own = changes(of: all.filter(\.isPersonal)) + changes(of: all).filter(isOfFormerUser)
        let ending = own.uniqued.filter { $0.outbox == nil || $0.state == .settling }
        outbox?.principalWillChange()
        for change in ending {
            // The data of a shared resource may contain the edit, because the app has assigned it.
            for edit in change.edits where overlay(of: edit.resource)?.isAssigned(change) ?? false {
                edit.resource.becomeStale()
            }
        }
        leaving += ending
        hide(ending)
    }

    func principalDataWasRemoved() {
        cancel(exchange(&leaving, with: []))  // The wipe has cancelled those of personal resources.
        outbox?.principalDidChange()
    }

    /// True if a user has made a change whose session has ended. What nobody has made may stay.
    private func isOfFormerUser(_ change: PendingChange) -> Bool {
        change.maker != nil && (context.isFormer(change.maker) || context.hasSessionEnded(since: change.made))
    }

    func signedInAgain() { outbox?.resumeUnasked() }

    func serviceWasReleased() {
        outbox.take()?.detach()
    }

    func overlay(of resource: Resource) -> Overlay? { resource.known(Overlay.self) }

    /// The pending changes that are sent to a resource, in any order.
    func pending(at resource: Resource) -> [PendingChange] {
        resource.known(SentChanges.self).map { Array($0.pending.values) } ?? []
    }

    /// True until a change has ended or is hidden.
    func isShown(_ change: PendingChange) -> Bool {
        change.resource.known(SentChanges.self)?.pending[change.number] === change
    }

    /// Notes that a change has ended or is hidden.
    func forget(_ change: PendingChange) {
        change.resource.known(SentChanges.self)?.pending[change.number] = nil
    }

    /// The changes that edit one of the resources or are sent to it, the latest first.
    func changes(of resources: [Resource]) -> [PendingChange] {
        let all = resources.flatMap { resource in
            pending(at: resource) + (overlay(of: resource)?.changes ?? [])
        }
        return all.uniqued.sorted { $0.number > $1.number }
    }

    func pendingChangeCount(of resource: Resource) -> Int { changes(of: [resource]).count }

    // MARK: Adding

    /// Shows a change, and sends it when its turn has come.
    ///
    /// It has its place in the queue before an edit runs, which may make other changes, or cancel this one.
    func add(_ change: PendingChange) {
        note(change)
        if change.outbox == nil { enqueue(change) }
        publish(change.resources)
        if isNext(change) { sendIfWaiting(change) }
        for resource in change.resources { resource.notifyObservers(.newData(.localOverride)) }
    }

    /// True if a change is sent at once. An outbox sends its changes itself.
    private func isNext(_ change: PendingChange) -> Bool {
        change.outbox == nil && (change.options.isConcurrent || queue.isFirst(change, in: change.scope))
    }

    func note(_ change: PendingChange) {
        count += 1
        change.number = count
        change.resource.extended(with: SentChanges()).pending[count] = change
        for edit in change.edits { overlay(for: edit.resource).append(edit.edit, of: change) }
    }

    func overlay(for resource: Resource) -> Overlay {
        if let known = overlay(of: resource) { return known }
        let new = resource.extended(with: Overlay(resource, self))
        resource.beginEdits()
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
    func send(_ change: PendingChange) {
        guard change.isPending, change.delegate.sent == nil else { return }
        if context.isFormer(change.maker) { return change.cancel() }
        // A change in an outbox waits for its user. Others do not outlast a session.
        if change.outbox == nil, change.maker != nil, context.hasSessionEnded(since: change.made) {
            return change.cancel()
        }
        change.pass(to: .sending)
        (change.redirect, change.isRefusalUncertain) = (nil, false)
        change.noteSending()
        let work = NetworkRequest(change.recipe)
        work.change = change
        let sent = context.clock.whileCurrent { LiveRequest.whileStartingLoad { change.resource.request(work) } }
        guard change.isPending else { return sent.cancel() }  // Code of the app has cancelled it while it was started.
        change.delegate.sent = sent
        sent.onCompletion { [self] info in
            change.delegate.sent = nil
            ended(change, info.toChange(by: change.method))
        }
    }

    private func ended(_ change: PendingChange, _ info: ResponseInfo) {
        guard change.isPending else { return }
        switch info.response {
        case .success(let entity): settle(change, entity, info)
        case .failure(let error):
            if error.isConflict, !change.isAnsweredByOther, resolve(change, error, info) { return }
            noteDoubt(change, info, error)
            fail(change, info)
        }
    }

    /// Ends a change that was cancelled.
    func cancel(_ change: PendingChange) {
        guard change.isPending else { return }
        if change.mayBeApplied { noteDoubt(change, nil, nil) }
        removeEdits(of: [change])
        change.outbox?.cancelled(change)
        stop(change)
    }

    /// Cancels changes together: their resources are shown without all of them before the first hook runs.
    ///
    /// The changes in an outbox stay. Those that the server has confirmed are no longer there: they would become part of
    /// data that is wiped, and that may belong to another principal afterwards.
    func cancel(_ changes: [PendingChange]) {
        let changes = changes.filter { $0.isPending && ($0.outbox == nil || $0.state == .settling) }
        guard !changes.isEmpty else { return }
        for change in changes where change.mayBeApplied { noteDoubt(change, nil, nil) }
        removeEdits(of: changes)
        for change in changes {
            stop(change)
            change.request.cancel()
        }
    }

    private func stop(_ change: PendingChange) {
        change.delegate.sent.take()?.cancel()
        finish(change, nil)
    }

    /// Makes data stale that is not what the server has: the server may have carried out the change, or it has said that the
    /// resource has changed. Loads that have begun do not make it fresh.
    func noteDoubt(_ change: PendingChange, _ info: ResponseInfo?, _ error: RequestError?) {
        let isUnsent = error?.isBeforeSending ?? false
        let isUnknown =
            change.isRefusalUncertain || !isUnsent && info.map { WriteOutcome($0) } ?? .unknown == .unknown
        guard isUnknown || error?.isConflict ?? false else { return }
        if isUnknown { noteOvertaken(by: change) }
        let edited = isUnknown ? change.withReplaced.flatMap(\.resources) : []
        for resource in (edited + [change.target]).uniqued { context.feature(Dependencies.self).invalidate(resource) }
    }

    /// Notes that the server has carried out a change, or may have: the responses to others that were sent before may lack
    /// it.
    func noteOvertaken(by change: PendingChange) {
        for other in pending(at: change.resource) where other !== change { other.isOvertaken = true }
    }

    /// Sends the next change, and completes the requests of this one.
    ///
    /// - Parameters:
    ///   - info: the response; nil after a cancellation, when the request is complete already.
    ///   - settled: the resource whose data is the response; no invalidation by the change concerns it.
    func finish(_ change: PendingChange, _ info: ResponseInfo?, leavingOut settled: Resource? = nil) {
        change.hasFinished = true
        extendLifetime(exchange(&change.conflicting, with: nil))  // It may reference the change.
        let next = queue.remove(change, from: change.scope)
        if info?.response.isCancellation ?? true {
            // A wipe cancels one change after the other. None of them must be sent meanwhile.
            if let next { MainQueue.async { self.sendIfWaiting(next) } }
        } else if let next {
            sendIfWaiting(next)
        }
        let isLast = queue.isEmpty(change.scope) && !(change.outbox?.hasChange(after: change) ?? false)
        if isLast { invalidate(after: change.scope, leavingOut: settled) }
        change.outbox?.hasEnded(change)
        for earlier in change.replaced {
            earlier.runEndings()
            if let info { earlier.delegate.complete(info) } else { earlier.request.cancel() }
        }
        change.runEndings()
        if let info { change.delegate.complete(info) }
    }

    private func sendIfWaiting(_ change: PendingChange) {
        if change.state == .waiting { context.clock.whileCurrent { send(change) } }
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
    func publish(_ resources: [Resource]) {
        for resource in resources { prepare(resource) }
        let tracked = resources.map { $0.readProperties.intersection(.latestData) }
        for (resource, tracked) in zip(resources, tracked) { resource.willSet(tracked) }
        let old = context.stateLock.withLock { resources.map { $0.showEdits() } }
        for (resource, tracked) in zip(resources, tracked) { resource.didSet(tracked) }
        extendLifetime(old)
    }

    /// Replays the changes of a resource over its data. An edit of the app may change the data; then they are replayed
    /// again, a limited number of times.
    private func prepare(_ resource: Resource) {
        guard let overlay = overlay(of: resource) else { return }
        for _ in 0..<16 where overlay.replay(over: resource.state) {}
    }

    /// Returns a number for the result of edits.
    func newShownNumber() -> UInt32 {
        lastShown &+= 1
        return lastShown
    }
}

// MARK: Invalidations

extension Changes {
    /// Delays an invalidation by a change until the last change of the same scope has ended. Returns false if it is not
    /// delayed: the change is concurrent, or has ended, or it is hidden, so that nobody is told of its end.
    func delays(_ target: InvalidationTarget, after change: PendingChange, isCertain: Bool) -> Bool {
        let isHidden = change.isPending && !isShown(change)
        guard !change.options.isConcurrent, !isHidden, !change.hasFinished else { return false }
        invalidations[change.scope, default: DelayedInvalidation()].add(target)
        if isCertain { invalidations[change.scope]?.isCertain = true }
        return true
    }

    /// Makes the delayed invalidations by the changes of a scope.
    func invalidate(after scope: ExactText, leavingOut settled: Resource? = nil) {
        guard let delayed = invalidations.removeValue(forKey: scope) else { return }
        for target in delayed.targets {
            context.feature(Dependencies.self).invalidate(target, settled: settled, isCertain: delayed.isCertain)
        }
    }
}

extension ResourceContext {
    /// The pending changes; nil before the first one.
    var changes: Changes? { known(Changes.self) }

    /// The outbox, which keeps durable changes; nil if the service has none.
    var outbox: Outbox? {
        get { changes?.outbox }
        set { if newValue != nil || changes != nil { feature(Changes.self).outbox = newValue } }
    }
}

extension Array where Element: AnyObject {
    /// The objects in the same order, each once.
    var uniqued: [Element] {
        guard count > 1 else { return self }
        var seen: Set<ObjectIdentifier> = []
        return filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
