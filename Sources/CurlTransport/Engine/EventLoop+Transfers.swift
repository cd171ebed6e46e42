#if os(Linux) || os(Android)
import CCurl
import Foundation
import HTTPRules
import Synchronization

/// The life of an exchange, from start to completion.
extension EventLoop {
    /// Begins an exchange, unless it was already cancelled.
    func start(_ exchange: CurlExchange) {
        exchange.place = live.count
        live.append(exchange)
        guard !exchange.isCancelled.load(ordering: .acquiring) else {
            return fail(exchange, with: TransportError(.cancelled, "Cancelled"))
        }
        scheduleTimerCheck(before: exchange.timers.earliest)
        send(exchange, again: false)
    }

    /// Sends the current request of an exchange.
    private func send(_ exchange: CurlExchange, again: Bool) {
        do throws(TransportError) {
            exchange.timers.startRequest(now: now)
            let plan = try RequestPlan(exchange.state.request)
            let length = try exchange.prepareUpload(plan.content, again: again)
            guard try exchange.mayBegin(uploadLength: length) else { return }
            try begin(exchange, plan, uploadLength: length)
        } catch {
            fail(exchange, with: error)
        }
    }

    /// Passes a request to libcurl.
    private func begin(_ exchange: CurlExchange, _ plan: RequestPlan, uploadLength length: Int64?)
        throws(TransportError)
    {
        guard let handle = pool.popLast() ?? EasyHandle(settings: settings, loop: self) else {
            throw TransportError(.outOfMemory, "No memory for a request")
        }
        prepare(handle, for: exchange.state.request.cookieJar)
        handle.configure(
            plan, uploadLength: length, isStreamed: exchange.destination.isStreamed, avoidsHTTP2: exchange.avoidsHTTP2)
        if let login = exchange.state.request.login { handle.use(login) }
        // The first request on a connection is not lost because of the requests before it.
        if exchange.state.needsOwnConnection { handle.useNewConnection() }
        handle.exchange = exchange
        exchange.handle = handle
        if handle.waitsForSharing { scheduleTimerCheck(before: now + ExchangeTimers.sharingTimeout) }
        guard handle.enter(try lane(of: exchange, method: plan.method)) else {
            throw TransportError(.outOfMemory, "libcurl rejected the request")
        }
    }

    /// The lane for a request of `exchange`. A request that is not safe, such as a log-in, does not wait for loads.
    private func lane(of exchange: CurlExchange, method: String) throws(TransportError) -> Lane {
        let lane = try lane(exchange.laneKind)
        let isFree = lane.kind != .load || lane.count < min(options.connectionsPerHost, options.connections)
        return isFree || HTTPMethods.isSafe(method) ? lane : try self.lane(.change)
    }

    /// Handles a handle that libcurl has finished, with libcurl's result code.
    func finished(_ handle: EasyHandle, code: Int) {
        handle.isResolving = false
        guard let exchange = handle.exchange else { return discard(handle) }
        switch (exchange.state.failure, exchange.state.step) {
        case (let failure?, .deliver) where exchange.mayLoseBody(because: failure):
            deliver(exchange, handle, withoutBody: true)
        case (let failure?, _):
            fail(exchange, with: failure)
        case (nil, .follow(let redirect)):
            sendAgain(exchange) { $0.state.follow(redirect) }
        case (nil, .tooMany):
            fail(exchange, with: TransportError(.tooManyRedirects, "The limit of redirects was exceeded"))
        case (nil, .insecure):
            fail(exchange, with: TransportError(.insecureRedirect, "A redirect from https to http is not followed"))
        case (nil, .deliver) where exchange.mayDropExpectation:
            sendAgain(exchange) { $0.state.dropExpectation() }
        case (nil, .deliver)
        where code == CCURL_OK.rawValue || exchange.state.endsAtHead || exchange.isWhole(despite: code, handle):
            deliver(exchange, handle)
        case (nil, .deliver)
        where (exchange.state.isExpectationRefused || exchange.state.hasTooManyChallenges)
            && [CCURL_ABORTED_BY_CALLBACK.rawValue, CCURL_SEND_FAIL_REWIND.rawValue].contains(UInt32(code)):
            deliver(exchange, handle, withoutBody: true)
        case (nil, .deliver):
            if handle.isStale, handle.sends == 0 { return reconnect(exchange, handle) }
            handle.endConnection(after: code)
            if exchange.mayBeSentAgain(after: code, handle), exchange.state.mayResend() {
                sendAgain(exchange) { _ in }
            } else {
                fail(exchange, with: TransportError(exchange.report(code, handle)))
            }
        }
    }

    /// Ends an exchange during its upload, because its response is complete or will never arrive.
    func endUpload(_ exchange: CurlExchange) {
        guard let handle = exchange.handle else { return }
        finished(handle, code: Int((exchange.isWhole(in: handle) ? CCURL_OK : CCURL_RECV_ERROR).rawValue))
    }

    /// Sends a request over a new connection. No byte of the request has been sent before.
    private func reconnect(_ exchange: CurlExchange, _ handle: EasyHandle) {
        handle.isStale = false
        exchange.timers.startRequest(now: now)
        let wasChallenged = exchange.state.wasChallenged
        restart(exchange, handle) { handle in
            handle.useNewConnection()
            if wasChallenged { handle.answerKnownChallenge() }
        }
    }

    /// Opens a connection for a request that has waited too long for the connection of another request.
    func stopWaitingForSharing(_ exchange: CurlExchange) {
        guard let handle = exchange.handle else { return }
        restart(exchange, handle) { $0.stopWaitingForSharing() }
    }

    /// Passes a request to libcurl again, with other options. No byte of the request has been sent before.
    private func restart(_ exchange: CurlExchange, _ handle: EasyHandle, _ change: (EasyHandle) -> Void) {
        guard handle.enterAgain(after: change) else {
            return fail(exchange, with: TransportError(.outOfMemory, "libcurl rejected the request"))
        }
    }

    private func deliver(_ exchange: CurlExchange, _ handle: EasyHandle, withoutBody: Bool = false) {
        if exchange.state.mayBeChallenge { exchange.deliverChallenge(through: handle) }
        guard let head = exchange.state.takeHead() else {
            return fail(exchange, with: exchange.state.errorWithoutHead(isRepeatable: handle.isRepeatable))
        }
        handle.hasSucceeded = !withoutBody
        exchange.measure(now: now)
        exchange.metrics.httpVersion = head.httpVersion
        let response = TransportResponse(
            head: head, body: withoutBody ? Data() : handle.buffer.take(), metrics: exchange.metrics,
            redirects: exchange.state.takeRedirects())
        conclude(exchange, with: .success(response))
    }

    private func sendAgain(_ exchange: CurlExchange, _ change: (CurlExchange) -> Void) {
        exchange.measure(now: now)
        exchange.stopUpload()
        release(exchange)
        change(exchange)
        exchange.startOver()
        send(exchange, again: true)
    }

    func fail(_ exchange: CurlExchange, with error: TransportError) {
        guard exchange.place != nil else { return }
        if exchange.handle != nil { exchange.measure(now: now) }
        var error = error
        if exchange.state.mayHaveHadEffect, error.isUnsent { error.kind = .outcomeUnknown }
        error.metrics = exchange.metrics
        if exchange.state.redirects > 0 { error.origin = URLOrigin(exchange.state.request.url).description }
        conclude(exchange, with: .failure(error))
    }

    /// Ends an exchange at once, or after the last call to its consumer.
    private func conclude(_ exchange: CurlExchange, with outcome: consuming Result<TransportResponse, TransportError>) {
        exchange.stopUpload()  // its source may be running before there is a request
        release(exchange)
        guard let outlet = exchange.outlet else { return complete(exchange, with: outcome) }
        let endOfBody = outcome.endOfBody
        if case .failure = exchange.outcome { return _ = outlet.end(endOfBody) }
        guard outlet.end(endOfBody) else {
            // The consumer is finishing, and may have replaced a file. This outcome counts only if the consumer fails.
            return exchange.lateOutcome = outcome
        }
        exchange.outcome = outcome
        exchange.timers.awaitsConsumer = true
    }

    /// Handles the return of the last call to the consumer.
    func consumed(_ exchange: CurlExchange, _ error: TransportError?) {
        guard exchange.place != nil else { return }
        exchange.outlet = nil
        if case .failure = exchange.outcome {
            // the exchange fails with its first error
        } else if error != nil, let late = exchange.lateOutcome {
            exchange.outcome = late
        } else if let error {
            exchange.outcome = nil
            return fail(exchange, with: error)
        }
        if let outcome = exchange.outcome {
            complete(exchange, with: outcome)
        }
    }

    private func complete(_ exchange: CurlExchange, with outcome: consuming Result<TransportResponse, TransportError>) {
        guard let place = exchange.place, let last = live.last else { return }
        live.swapAt(place, live.count - 1)
        last.place = place
        live.removeLast()
        exchange.place = nil
        exchange.outcome = outcome
        scheduleCompletion(of: exchange)
    }

    // MARK: Handles

    /// Takes the handle from an exchange. During a name lookup, the handle stays with libcurl until the lookup has
    /// ended.
    private func release(_ exchange: CurlExchange) {
        guard let handle = exchange.handle else { return }
        exchange.handle = nil
        if handle.isResolving, CurlLibrary.asksBeforeSending || !handle.hasBegunToSend {
            handle.abandonLookup()
            return abandoned.append(handle)
        }
        handle.exchange = nil
        if handle.isPaused { sockets.release(handle.socket) }
        handle.leaveLane()
        guard pool.count < Self.poolLimit, !handle.hasLogin else { return }
        handle.clean()
        pool.append(handle)
    }

    private func discard(_ handle: EasyHandle) {
        handle.leaveLane()
        abandoned.removeAll { $0 === handle }
    }

    private static let poolLimit = 64

    // MARK: Back-pressure

    /// Stops receiving. A callback of libcurl calls this only if too many bytes arrive: inside a callback, libcurl
    /// continues to read while bytes arrive.
    func pause(_ exchange: CurlExchange) {
        guard let handle = exchange.handle, !handle.isPaused else { return }
        handle.isPaused = true
        sockets.hold(handle.socket)
        _ = ccurl_easy_pause(handle.easy, Int32(CCURL_PAUSE_RECV))
    }

    /// Resumes receiving, because the consumer can take more bytes. Does nothing if the outlet is already full again;
    /// then another `resume` will follow.
    func resume(_ exchange: CurlExchange) {
        guard let handle = exchange.handle, exchange.outlet?.isFull != true else { return }
        exchange.timers.awaitsConsumer = false
        exchange.timers.resume(now: now)
        guard handle.isPaused else { return }
        handle.isPaused = false
        sockets.release(handle.socket)
        _ = ccurl_easy_pause(handle.easy, Int32(CCURL_PAUSE_CONT))
    }

    /// Continues an upload, because the body source has more bytes, has ended, or has failed.
    func supply(_ exchange: CurlExchange) {
        guard let handle = exchange.handle else { return sendEmpty(exchange) }
        exchange.timers.awaitsSource = false
        exchange.timers.resume(now: now)
        _ = ccurl_easy_pause(handle.easy, Int32(handle.isPaused ? CCURL_PAUSE_RECV : CCURL_PAUSE_CONT))
    }
}

extension EventLoop {
    /// Continues an exchange whose body was announced as empty, because the body source has ended or failed.
    private func sendEmpty(_ exchange: CurlExchange) {
        guard exchange.place != nil, exchange.awaitsEmptyBody else { return }
        do throws(TransportError) {
            guard try exchange.mayBegin(uploadLength: 0) else { return }
            exchange.timers.startRequest(now: now)
            try begin(exchange, RequestPlan(exchange.state.request), uploadLength: 0)
        } catch {
            fail(exchange, with: error)
        }
    }
}

extension Result<TransportResponse, TransportError> {
    /// The end of the body that the consumer receives for this outcome.
    fileprivate var endOfBody: BodyOutlet.End {
        switch self {
        case .success: .complete
        case .failure(let error): error.kind == .connectionLost ? .brokenOff : .failed
        }
    }
}
#endif
