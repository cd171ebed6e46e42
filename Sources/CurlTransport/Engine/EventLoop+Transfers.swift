#if os(Linux)
import CCurl
import Foundation
import HTTPRules
import Synchronization

/// The life of a transfer, from start to completion.
extension EventLoop {
    /// Begins a transfer, unless it was cancelled already.
    func start(_ transfer: Transfer) {
        transfer.place = live.count
        live.append(transfer)
        guard !transfer.isCancelled.load(ordering: .acquiring) else {
            return fail(transfer, with: TransportError(.cancelled, "Cancelled"))
        }
        lookAtTimers(before: transfer.timers.earliest)
        send(transfer, again: false)
    }

    /// Sends the present request of a transfer.
    private func send(_ transfer: Transfer, again: Bool) {
        do throws(TransportError) {
            transfer.timers.startRequest(now: now)
            let plan = try RequestPlan(transfer.state.request)
            let length = try transfer.prepareUpload(plan.content, again: again)
            guard try transfer.mayBegin(uploadLength: length) else { return }
            try begin(transfer, plan, uploadLength: length)
        } catch {
            fail(transfer, with: error)
        }
    }

    /// Gives a request to libcurl.
    private func begin(_ transfer: Transfer, _ plan: RequestPlan, uploadLength length: Int64?) throws(TransportError) {
        guard let handle = pool.popLast() ?? EasyHandle(settings: settings, loop: self) else {
            throw TransportError(.outOfMemory, "No memory for a request")
        }
        handle.configure(plan, uploadLength: length, isStreamed: transfer.destination.isStreamed)
        handle.transfer = transfer
        transfer.handle = handle
        if handle.waitsForSharing { lookAtTimers(before: now + TransferTimers.longestWaitForSharing) }
        guard ccurl_multi_add(multi, handle.easy) == 0 else {
            throw TransportError(.outOfMemory, "libcurl does not take the request")
        }
    }

    /// libcurl has done what it could for a handle.
    func finished(_ handle: EasyHandle, code: Int) {
        handle.isResolving = false
        guard let transfer = handle.transfer else { return discard(handle) }
        switch (transfer.state.failure, transfer.state.step) {
        case (let failure?, _):
            fail(transfer, with: failure)
        case (nil, .follow(let redirect)):
            sendAgain(transfer) { $0.state.follow(redirect) }
        case (nil, .tooMany):
            fail(transfer, with: TransportError(.tooManyRedirects, "More redirects than are followed"))
        case (nil, .insecure):
            fail(transfer, with: TransportError(.insecureRedirect, "A redirect from https to http is not followed"))
        case (nil, .deliver) where code == CCURL_OK.rawValue:
            deliver(transfer, handle)
        case (nil, .deliver):
            if handle.isStale, handle.sends == 0 { return reconnect(transfer, handle) }
            handle.endConnection(after: code)
            if transfer.mayBeSentAgain(after: code, handle), transfer.state.mayResend() {
                sendAgain(transfer) { _ in }
            } else {
                fail(transfer, with: TransportError(transfer.report(code, handle)))
            }
        }
    }

    /// Ends a transfer whose response is over, or will never come, in the middle of its upload.
    func endUpload(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        finished(handle, code: Int((transfer.isWhole(in: handle) ? CCURL_OK : CCURL_RECV_ERROR).rawValue))
    }

    /// Sends a request of which no byte has left over a new connection.
    private func reconnect(_ transfer: Transfer, _ handle: EasyHandle) {
        handle.isStale = false
        transfer.timers.startRequest(now: now)
        restart(transfer, handle) { $0.useNewConnection() }
    }

    /// Opens a connection for a request that waits for another request's connection, which takes its time.
    func stopWaitingForSharing(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        restart(transfer, handle) { $0.stopWaitingForSharing() }
    }

    /// Gives a request of which nothing was sent to libcurl again, with other options.
    private func restart(_ transfer: Transfer, _ handle: EasyHandle, _ change: (EasyHandle) -> Void) {
        ccurl_multi_remove(multi, handle.easy)
        change(handle)
        guard ccurl_multi_add(multi, handle.easy) == 0 else {
            return fail(transfer, with: TransportError(.outOfMemory, "libcurl does not take the request"))
        }
    }

    private func deliver(_ transfer: Transfer, _ handle: EasyHandle) {
        guard let head = transfer.state.takeHead() else {
            return fail(transfer, with: transfer.state.errorWithoutHead(isRepeatable: handle.isRepeatable))
        }
        handle.hasSucceeded = true
        transfer.measure(now: now)
        transfer.metrics.httpVersion = head.httpVersion
        conclude(
            transfer,
            with: .success(TransportResponse(head: head, body: handle.buffer.take(), metrics: transfer.metrics)))
    }

    private func sendAgain(_ transfer: Transfer, _ change: (Transfer) -> Void) {
        transfer.measure(now: now)
        transfer.stopUpload()
        release(transfer)
        change(transfer)
        transfer.startOver()
        send(transfer, again: true)
    }

    /// Ends a transfer that failed or is over before its time.
    func fail(_ transfer: Transfer, with error: TransportError) {
        guard transfer.place != nil else { return }
        if transfer.handle != nil { transfer.measure(now: now) }
        var error = error
        error.metrics = transfer.metrics
        conclude(transfer, with: .failure(error))
    }

    /// Ends a transfer: at once, or when its consumer has got its last call.
    private func conclude(_ transfer: Transfer, with outcome: consuming Result<TransportResponse, TransportError>) {
        transfer.stopUpload()  // whose source may be at work before there is a request
        release(transfer)
        guard let outlet = transfer.outlet else { return complete(transfer, with: outcome) }
        let endOfBody = outcome.endOfBody
        if case .failure = transfer.outcome { return _ = outlet.end(endOfBody) }
        guard outlet.end(endOfBody) else {
            // The consumer is finishing, and may have replaced a file: it fails with this only if that fails.
            return transfer.lateOutcome = outcome
        }
        transfer.outcome = outcome
        transfer.timers.awaitsConsumer = true
    }

    /// The consumer has got its last call.
    func consumed(_ transfer: Transfer, _ error: TransportError?) {
        guard transfer.place != nil else { return }
        transfer.outlet = nil
        if case .failure = transfer.outcome {
            // it fails with what came first
        } else if error != nil, let late = transfer.lateOutcome {
            transfer.outcome = late
        } else if let error {
            transfer.outcome = nil
            return fail(transfer, with: error)
        }
        if let outcome = transfer.outcome {
            complete(transfer, with: outcome)
        }
    }

    private func complete(_ transfer: Transfer, with outcome: consuming Result<TransportResponse, TransportError>) {
        guard let place = transfer.place, let last = live.last else { return }
        live.swapAt(place, live.count - 1)
        last.place = place
        live.removeLast()
        transfer.place = nil
        transfer.complete(
            with: outcome,
            decoding: transfer.state.treatment.coding.map {
                BodyDecoding(coding: $0, limit: options.bodyBytes, budget: budget)
            })
    }

    // MARK: Handles

    /// Takes the handle from a transfer. If its name is still being looked up, it stays with libcurl until that is
    /// done.
    private func release(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        transfer.handle = nil
        if handle.isResolving {
            handle.abandonLookup()
            return abandoned.append(handle)
        }
        handle.transfer = nil
        if handle.isPaused { sockets.letGo(handle.socket) }
        ccurl_multi_remove(multi, handle.easy)
        guard pool.count < Self.mostPooled else { return }
        handle.clean()
        pool.append(handle)
    }

    private func discard(_ handle: EasyHandle) {
        ccurl_multi_remove(multi, handle.easy)
        abandoned.removeAll { $0 === handle }
    }

    private static let mostPooled = 64

    // MARK: Back-pressure

    /// Stops receiving. Inside a callback that is for floods alone: libcurl reads on there as long as more comes.
    func pause(_ transfer: Transfer) {
        guard let handle = transfer.handle, !handle.isPaused else { return }
        handle.isPaused = true
        sockets.hold(handle.socket)
        _ = ccurl_easy_pause(handle.easy, Int32(CCURL_PAUSE_RECV))
    }

    /// The consumer wants more, unless so much has come meanwhile that it will say so again.
    func resume(_ transfer: Transfer) {
        guard let handle = transfer.handle, transfer.outlet?.isFull != true else { return }
        transfer.timers.awaitsConsumer = false
        transfer.timers.goOn(now: now)
        guard handle.isPaused else { return }
        handle.isPaused = false
        sockets.letGo(handle.socket)
        _ = ccurl_easy_pause(handle.easy, Int32(CCURL_PAUSE_CONT))
    }

    /// The body source has more.
    func supply(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return sendEmpty(transfer) }
        transfer.timers.awaitsSource = false
        transfer.timers.goOn(now: now)
        _ = ccurl_easy_pause(handle.easy, Int32(handle.isPaused ? CCURL_PAUSE_RECV : CCURL_PAUSE_CONT))
    }
}

extension EventLoop {
    /// The source of a body that is announced as empty has come to its end, or has failed.
    private func sendEmpty(_ transfer: Transfer) {
        guard transfer.place != nil, transfer.awaitsEmptyBody else { return }
        do throws(TransportError) {
            guard try transfer.mayBegin(uploadLength: 0) else { return }
            transfer.timers.startRequest(now: now)
            try begin(transfer, RequestPlan(transfer.state.request), uploadLength: 0)
        } catch {
            fail(transfer, with: error)
        }
    }
}

extension Result<TransportResponse, TransportError> {
    /// What the outcome means for a consumer.
    fileprivate var endOfBody: BodyOutlet.End {
        switch self {
        case .success: .complete
        case .failure(let error): error.kind == .connectionLost ? .brokenOff : .failed
        }
    }
}
#endif
