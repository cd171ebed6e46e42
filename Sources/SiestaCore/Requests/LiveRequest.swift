import Foundation

/// The implementation of every ``Request`` that this library makes. It manages hooks and life cycle; a
/// ``RequestDelegate`` does the work.
@MainActor
package final class LiveRequest: Request, RequestCompletionHandler {
    let delegate: any RequestDelegate
    let heartbeat: ProgressHeartbeat
    // These values change at once, and no other code runs meanwhile.
    @exclusivity(unchecked) private var lifecycle: Lifecycle
    @exclusivity(unchecked) private var hooks = RequestHooks()
    /// The wipe count at which the request was made.
    private let made = WipeCount.now
    /// The number of hooks that decorators attached. The request may be cancelled although these hooks wait for it.
    private var decoratorHookCount: Int32 = 0
    /// True if a hook was attached while no decorator ran. Then other code may need the outcome.
    private var hasOtherHooks = false
    /// The number of hooks that were attached after the completion and have not run yet.
    private var lateHookCount: Int32 = 0
    /// The index of this request in the heartbeat while its progress is reported; -1 otherwise.
    @exclusivity(unchecked) var heartbeatSlot: Int32 = -1
    @exclusivity(unchecked) private var lastProgress = 0.0
    @exclusivity(unchecked) private var lastReportedProgress = 0.0

    private var clock: SiestaClock { heartbeat.clock }

    /// The work if it is one of the library; nil if the app has defined its type.
    private var work: (any LibraryRequestDelegate)? { delegate as? any LibraryRequestDelegate }

    var isChain: Bool { delegate is RequestChain }

    package init(delegate: any RequestDelegate, heartbeat: ProgressHeartbeat) {
        self.delegate = delegate
        self.heartbeat = heartbeat
        lifecycle = Lifecycle()
    }

    init(completedWith response: Response) {
        delegate = HardWiredResponse(response: response)
        heartbeat = .shared(for: .current)
        lifecycle = .completed(ResponseInfo(response: response).requested(at: made))
    }

    // MARK: Hooks

    package func onCompletion(_ callback: @escaping (ResponseInfo) -> Void) -> any Request {
        attach(.completion(callback))
    }
    package func onSuccess(_ callback: @escaping (Entity<Any>) -> Void) -> any Request { attach(.success(callback)) }
    package func onNewData(_ callback: @escaping (Entity<Any>) -> Void) -> any Request { attach(.newData(callback)) }
    package func onNotModified(_ callback: @escaping () -> Void) -> any Request { attach(.notModified(callback)) }
    package func onFailure(_ callback: @escaping (RequestError) -> Void) -> any Request { attach(.failure(callback)) }
    package func onProgress(_ callback: @escaping (Double) -> Void) -> any Request { attach(.progress(callback)) }

    @discardableResult
    func attach(_ hook: consuming RequestHook) -> any Request {
        MainQueue.checkInDebug("Request.onCompletion(_:)")
        if let response = lifecycle.response {
            lateHookCount += 1
            let hook = hook
            MainQueue.async { [self] in
                lateHookCount -= 1
                PushOrigin.whileRunningHooks {
                    clock.whileCalling {
                        hook.report(progress: 1)
                        hook.complete(self, with: response)
                    }
                }
            }
        } else {
            let isAboutProgress = hook.isAboutProgress
            if !RequestLineage.isDecorating { hasOtherHooks = true }
            hooks.append(hook)
            if isAboutProgress { reportProgressWhileRunning() }
        }
        return self
    }

    // MARK: Life

    package var state: RequestState { lifecycle.state }

    /// The response of the completed request, if no hook still waits for it; nil otherwise.
    var settledResponse: ResponseInfo? { lateHookCount == 0 ? lifecycle.response : nil }

    /// The request for which this request waits, if its work is another request. Nil for other work, and after
    /// completion.
    var awaited: LiveRequest? {
        if case .completed = state { return nil }
        return work?.awaited?.live
    }

    /// Returns the requests from this request to `other`, each of which waits for the next. Returns nil if this request
    /// does not wait for `other`.
    func queue(to other: LiveRequest) -> [LiveRequest]? {
        var queue = [self]
        while let last = queue.last, last !== other {
            guard let next = last.awaited else { return nil }
            queue.append(next)
        }
        return queue
    }

    /// True if the request, or the request for which it waits, waits for a timer.
    var isWaitingForTimer: Bool {
        last.work?.isWaitingForTimer ?? false
    }

    /// Makes the next attempt now, if this is a request of a resource that waits for a retry, or waits for such a request.
    func retryNow(of resource: AnyObject) {
        last.work?.retryNow(of: resource)
    }

    /// The request for which this one waits in the end; itself if it does not wait for another.
    private var last: LiveRequest {
        var last = self
        while let next = last.awaited { last = next }
        return last
    }

    /// The name of the request in errors.
    var name: String {
        work?.requestName ?? String(describing: type(of: delegate))
    }

    /// True while a load is being started.
    private static var isStartingLoad = false

    /// Starts a load, and the requests that its decorators make, even in a cancelled task. Several tasks may share a
    /// load, so that the load must not depend on the task that starts it.
    package static func whileStartingLoad(_ start: () -> any Request) -> any Request {
        let outer = exchange(&isStartingLoad, with: true)
        defer { isStartingLoad = outer }
        return start()
    }

    /// Starts the work. If the current task is cancelled, cancels the request instead, unless the request is part of a
    /// load.
    package func start() -> any Request {
        MainQueue.checkInDebug("Request.start()")
        guard state == .notStarted else { return self }
        guard Self.isStartingLoad || !Task.isCancelled else {
            cancel()
            return self
        }
        guard lifecycle.start() else { return self }
        SiestaLog.log(.network, [delegate.requestDescription])
        guard state == .inProgress else { return self }  // Cancelled by code of the app that logs or describes it.
        clock.whileCalling { delegate.startUnderlyingOperation(passingResponseTo: self) }
        reportProgressWhileRunning()
        return self
    }

    package func cancel() {
        MainQueue.check("Request.cancel()")
        end(ifUnwanted: false) { $0.cancelUnderlyingOperation() }
    }

    /// Prevents the work from taking effect. Returns false if it is too late, because the work has already taken
    /// effect: for example, a download has given its file the final name. The response of the work will then follow.
    func cancelEffect(ifUnwanted: Bool) -> Bool {
        guard state == .inProgress, !ifUnwanted || !isWanted else { return true }
        return work?.cancelEffect(ifUnwanted: ifUnwanted) ?? true
    }

    /// True if a hook that is not a decorator's hook needs the outcome.
    var isWanted: Bool {
        let hooks = hooks  // Code of the app may run, and attach others.
        return hooks.contains(from: decoratorHookCount) { $0.isWanted }
    }

    /// Cancels the request if nothing needs its outcome. Returns false only if it is too late to cancel the request,
    /// because its work has already taken effect. The response of the work will then follow.
    @discardableResult
    func cancelIfUnwanted() -> Bool {
        guard state == .inProgress, !isWanted else { return true }
        return end(ifUnwanted: true) { delegate in
            guard let work else { return delegate.cancelUnderlyingOperation() }
            work.abandonUnderlyingOperation()
        }
    }

    /// True if a task waits for the outcome.
    var isAwaited: Bool {
        let hooks = hooks
        return hooks.contains { $0.isWaiter && $0.isWanted }
    }

    /// Makes sure that a load accepts no data from a cache that is older than `maxAge` seconds; nil for what the
    /// configuration accepts, and minus infinity for no data at all.
    func accept(maxAge: TimeInterval?) {
        work?.accept(maxAge: maxAge)
    }

    /// Removes the hook of a task that no longer waits.
    func detach(_ waiter: RequestWaiter) {
        hooks.remove(waiter)
    }

    /// True if a resource has made or loaded the request, or if code other than decorators has attached hooks. Then not all
    /// hooks are hooks of decorators.
    var isInUse: Bool {
        hasOtherHooks
            || hooks.contains { hook in
                switch hook {
                case .owner, .load: true
                default: false
                }
            }
    }

    /// Marks all current hooks as hooks of decorators.
    func endDecoration() {
        decoratorHookCount = hooks.count
    }

    /// Completes the request with a cancellation. Returns false if it is too late, because the work of the request has
    /// already taken effect.
    @discardableResult
    private func end(ifUnwanted: Bool, _ stop: (any RequestDelegate) -> Void) -> Bool {
        let isRunning = lifecycle.state == .inProgress
        let response = clock.whileCalling { ResponseInfo.cancellation }
        guard cancelEffect(ifUnwanted: ifUnwanted), lifecycle.complete(with: response) else {
            SiestaLog.log(.network, ["Too late to cancel", delegate.requestDescription])
            return false
        }
        SiestaLog.log(.network, ["Cancelled", delegate.requestDescription])
        if isRunning { clock.whileCalling { stop(delegate) } }
        runHooks(with: response)
        return true
    }

    package func repeated() -> any Request {
        MainQueue.check("Request.repeated()")
        return LiveRequest(delegate: clock.whileCalling { delegate.repeated() }, heartbeat: heartbeat)
    }

    package func broadcastResponse(_ response: ResponseInfo) {
        MainQueue.check("RequestCompletionHandler.broadcastResponse(_:)")
        var response = response
        complete(with: &response)
    }

    /// Completes the request as `broadcastResponse(_:)` does, for the library's own requests, which run on the main
    /// actor. The response is `inout` because it is large.
    func complete(with response: inout ResponseInfo) {
        response.request(at: made)
        guard !willIgnore(response), lifecycle.complete(with: response) else { return }
        SiestaLog.log(.network, ["Response:", response.response.description, "←", delegate.requestDescription])
        runHooks(with: response)
    }

    package func willIgnore(_ response: ResponseInfo) -> Bool {
        guard let first = lifecycle.response else { return false }
        if !first.response.isCancellation {
            SiestaLog.log(
                .network,
                [
                    "Warning: a second response for a completed request was ignored:", delegate.requestDescription,
                    "first:", first.response.description, "second:", response.response.description,
                ])
        }
        return true
    }

    private func runHooks(with response: ResponseInfo) {
        heartbeat.remove(self)
        lastProgress = 1
        let hooks = exchange(&self.hooks, with: RequestHooks())
        PushOrigin.whileRunningHooks {
            clock.whileCalling {
                hooks.report(progress: 1)
                hooks.complete(self, with: response)
            }
        }
    }

    // MARK: Progress

    package var progress: Double {
        MainQueue.checkInDebug("Request.progress")
        switch lifecycle.state {
        case .notStarted: return 0
        case .completed: return 1
        case .inProgress:
            let now = delegate.computeProgress()
            lastProgress = max(lastProgress, now.isFinite ? min(now, 1) : 0)
            return lastProgress
        }
    }

    var progressReportingInterval: TimeInterval { delegate.progressReportingInterval }

    /// Reports the progress to the progress hooks if it has grown since the last report.
    func reportProgress() {
        let now = progress
        guard now > lastReportedProgress, state == .inProgress else { return }
        lastReportedProgress = now
        let hooks = self.hooks
        clock.whileCalling {
            for index in 0..<hooks.count where state == .inProgress { hooks[index].report(progress: now) }
        }
    }

    private func reportProgressWhileRunning() {
        guard heartbeatSlot < 0, state == .inProgress, hooks.areAboutProgress else { return }
        heartbeat.add(self)
    }
}

extension LiveRequest: CustomStringConvertible {
    package nonisolated var description: String {
        MainQueue.isCurrent ? MainActor.assumeIsolated { PreparedText.line(delegate.requestDescription) } : "Request"
    }
}

extension LiveRequest: CustomReflectable {
    package nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The work of a request that was created as completed. It does nothing.
private struct HardWiredResponse: RequestDelegate {
    let response: Response

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        completionHandler.broadcastResponse(ResponseInfo(response: response))
    }

    func cancelUnderlyingOperation() {}
    func repeated() -> any RequestDelegate { self }
    var requestDescription: String { "Hard-wired request" }
}
