import Foundation
import HTTPRules
package import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The owner of an exchange: it says what is sent, and takes what arrives.
@MainActor
package protocol ExchangeClient: AnyObject {
    /// True if the request of the last attempt can be sent again.
    var isRepeatable: Bool { get }

    /// Returns the call of the next attempt, before the steps change it.
    ///
    /// - Parameter obstacle: receives the error if the body cannot be opened.
    func nextCall(_ obstacle: inout (any Error)?) -> TransportCall

    /// Returns the function that receives the response to an attempt. It may be called on any thread, once. On the main
    /// actor, it must then ask ``Exchange/accepts(_:_:)``.
    func receiver(of attempt: Attempt) -> @Sendable (NetworkResponse) -> Void

    /// Takes the outcome of an exchange that ends without a response to accept.
    func exchangeEnded(with info: ResponseInfo)
}

/// Runs the attempts of one request: it asks the steps, and calls the transport. No other type calls a transport.
///
/// The client begins the exchange, and ends it after it has accepted a response. Until then, both reference each other.
@MainActor
package final class Exchange {
    /// True if the refresh of a credential has made the request. It carries no credential, and waits for nothing.
    private let isOfRefresh = CredentialRefresh.isCurrent
    /// True if an attempt may have changed something on the server.
    @exclusivity(unchecked) package private(set) var mayHaveHadEffect = false
    /// True if an attempt before the last one may have changed something on the server.
    @exclusivity(unchecked) private var mayHaveHadEarlierEffect = false
    /// The reason why the request is sent next.
    @exclusivity(unchecked) package var reason = ActivityEvent.SendReason.first
    // Accesses to these properties last for one statement and run no other code. Therefore they are not checked.
    @exclusivity(unchecked) private var state = ExchangeState()
    package let clock: SiestaClock
    /// The transport of a request for a credential; none for other requests, which use that of the service.
    private let ownTransport: Indirect<any Transport>
    /// The resource whose request this is; nil for a request for a credential.
    package let resource: Resource?
    /// The wipe count when the request was made.
    private let made = WipeCount.now
    /// The principal for whom the request was made; nil if nobody was signed in.
    private let maker: Principal?
    @exclusivity(unchecked) private var client: (any ExchangeClient)?
    /// The service. A running request keeps it alive, because hooks and configuration may rely on it.
    private var service: AnyObject?
    @exclusivity(unchecked) package private(set) var request: PreparedRequest?
    @exclusivity(unchecked) private var networking: (any RequestNetworking)?
    @exclusivity(unchecked) private var steps: [any ExchangeStep] = []
    @exclusivity(unchecked) private var memory = StepMemory()
    /// What the steps remember, apart from numbers.
    @exclusivity(unchecked) package var objects = StepObjects()
    /// The attempts so far, for retries and for what people are shown; nil without steps for them.
    @exclusivity(unchecked) package var history: AttemptHistory?
    /// The number of the event of the start; 0 if there were no listeners.
    var startEvent = 0
    /// The trace context of the last attempt; empty if none was sent.
    var trace = Indirect<TraceContext>.none
    private(set) var startTime: TimeInterval = 0

    /// Creates the exchange of a request of a resource.
    ///
    /// - Parameter last: The exchange of the request that this one repeats. A write stays that of the user who has made it. What
    ///   nobody has made may be repeated after a sign-in.
    package init(of resource: Resource, repeating last: Exchange? = nil) {
        self.resource = resource
        let context = resource.context
        (clock, ownTransport) = (context.clock, .none)
        maker = last?.maker ?? context.principal
    }

    /// Creates the exchange of a request for a credential.
    package init(for token: any Transport, clock: SiestaClock) {
        (resource, maker) = (nil, nil)
        (ownTransport, self.clock) = (.some(token), clock)
    }

    // MARK: Facts

    /// The number of attempts that were sent.
    var attemptCount: Int { Int(state.attempt) }

    /// True while the response to an attempt is awaited.
    package var isSent: Bool { state.isSent }

    package var isEnded: Bool { state.isEnded }

    /// True if a step waits for the response. False if code of the app has cancelled the exchange in the meantime.
    package var isJudging: Bool { state.isJudging }

    package var isRepeatable: Bool { client?.isRepeatable ?? false }

    var wait: ExchangeState.Wait? { state.wait }

    /// True if nothing happens before a timer is due, the network returns, or another request ends.
    package var isWaitingForTimer: Bool {
        wait?.isForTimer ?? (networking as? any TimedNetworking)?.isWaitingForTimer ?? false
    }

    /// The progress of the current attempt; nil if none was sent.
    package var transferMetrics: RequestTransferMetrics? { networking?.transferMetrics }

    /// True if the resource was wiped after the request was made.
    package var isOutdated: Bool { resource?.isOutdated(made) ?? false }

    /// The session whose credential the request may carry; nil if it carries none.
    package var authentication: (any Authentication)? { isOfRefresh ? nil : resource?.context.authentication }

    /// The number that a step remembers; 0 at first. A function, because other modules would check each access to a property.
    package subscript(memory index: Int) -> UInt64 {
        get { memory[index] }
        set { memory[index] = newValue }
    }

    // MARK: Sending

    /// Prepares the exchange, and keeps its service alive.
    package func begin(for client: any ExchangeClient) {
        self.client = client
        service = resource?.context.currentService
    }

    /// Sends a request: for the first time, or again after a response that was accepted.
    ///
    /// - Parameter request: the request, with its configuration; nil for a credential.
    package func send(_ request: PreparedRequest?) {
        guard client != nil, state.prepare() else { return }
        // The steps stay, because what they remember of the exchange belongs to their places.
        let last = exchange(&self.request, with: request)
        let isFirst = last == nil
        extendLifetime(last)  // Its release may run code of the app.
        if isFirst, let request, let context = resource?.context {
            steps = context.steps(request.resolved, isOfRefresh: isOfRefresh)
        }
        prepare(from: 0)
    }

    private func prepare(from first: Int) {
        for index in first..<steps.count {
            switch steps[index].prepare(self, index) {
            case .proceed: break
            case .wait(let wait, let begin): return self.wait(wait, next: index + 1, begin)
            }
            guard state.isPreparing else { return }  // Code of the app has cancelled the exchange.
        }
        sendNow()
    }

    private func sendNow() {
        guard let client else { return }
        guard !isRevoked else { return fail(clock.whileCalling { .cancelled() }) }
        var obstacle: (any Error)?
        // The steps change this call. Another reference to its request would make them copy it, which is expensive.
        var attempt = Attempt(call: client.nextCall(&obstacle), rules: ArrivalRules(clock: clock))
        attempt.obstacle = obstacle
        if history != nil { attempt.rules.readsQuotas = false }
        for index in steps.indices { steps[index].change(&attempt, of: self, index) }
        if SiestaLog.Category.networkDetails.isEnabled {
            let headers = attempt.call.request.allHTTPHeaderFields ?? [:]
            SiestaLog.log(.networkDetails, ["Request headers:", LoggedHeaders(headers)])
        }
        guard state.isPreparing else { return }  // Cancelled by code of the app, such as the handler of the log.
        if let request, !request.isSafe, attempt.obstacle == nil {
            (mayHaveHadEarlierEffect, mayHaveHadEffect) = (mayHaveHadEffect, true)
        }
        attempt.rules.attempt = state.send()
        attempt.event = noteSending()
        if let history { history.sentNumber = history.number }
        let started = start(attempt, client.receiver(of: attempt))
        guard state.isSent else { return started.cancel() }  // Cancelled while it was being started.
        extendLifetime(exchange(&networking, with: started))
        startTime = clock.monotonicTime
    }

    private func start(
        _ attempt: Attempt, _ completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        if let obstacle = attempt.obstacle { return FailedStart(obstacle, completion) }
        if let token = ownTransport.value { return token.send(attempt.call, completion: completion) }
        guard let context = resource?.context else {
            preconditionFailure("An exchange without a resource has a transport of its own.")
        }
        return context.transport.transport.send(attempt.call, completion: completion)
    }

    /// True if neither the request nor one that continues it may be sent any more.
    var isRevoked: Bool { isOutdated || isOfFormerUser }

    /// True if the request may change something on the server, and was made before the user has changed.
    private var isOfFormerUser: Bool {
        guard let context = resource?.context, context.authentication != nil, let request else { return false }
        return !request.isSafe && (context.isFormer(maker) || maker != nil && context.hasSessionEnded(since: made))
    }

    // MARK: Receiving

    /// Returns a function that tells the steps of the head of a success whose body is consumed while it arrives. It may be
    /// called on any thread.
    ///
    /// - Parameter isEndless: True if the body does not end by itself.
    package func streamBeginning(
        of attempt: Attempt, isEndless: Bool = false
    ) -> @Sendable (NetworkResponse.Head) -> Void {
        guard !steps.isEmpty else { return { _ in } }
        return { [weak self, rules = attempt.rules] head in
            let advice = rules.advice(in: NetworkResponse(head: head))
            MainQueue.async { self?.streamBegan(rules.attempt, advice, isEndless: isEndless) }
        }
    }

    private func streamBegan(_ attempt: UInt16, _ advice: ServerAdvice?, isEndless: Bool) {
        guard state.isSent, attempt == state.attempt else { return }
        clock.whileCalling {
            for index in steps.indices { steps[index].streamBegan(advice, isEndless: isEndless, of: self, index) }
        }
    }

    /// Returns true if the client must accept a response. Returns false if the response does not count, or if there will be
    /// another attempt.
    ///
    /// - Parameter apply: changes a response that counts before the steps judge it.
    package func accepts(
        _ info: inout ResponseInfo, _ arrival: Arrival, applying apply: (inout ResponseInfo) -> Void = { _ in }
    ) -> Bool {
        guard state.receive(arrival.attempt) else { return false }
        guard !isOutdated else {
            fail(clock.whileCalling { .cancelled() })
            return false
        }
        if mayHaveHadEffect {
            mayHaveHadEffect = mayHaveHadEarlierEffect || arrival.isOfOtherMethod || WriteOutcome(info) != .refused
        }
        apply(&info)
        guard state.isJudging else { return false }
        return steps.isEmpty || judge(&info, arrival)
    }

    private func judge(_ info: inout ResponseInfo, _ arrival: Arrival) -> Bool {
        let steps = steps
        for index in stride(from: steps.count - 1, through: 0, by: -1) {
            steps[index].attemptEnded(info, arrival, of: self, index)
        }
        for index in stride(from: steps.count - 1, through: 0, by: -1) {
            let judgement = steps[index].judge(&info, arrival, of: self, index)
            guard state.isJudging else { return false }
            guard case .again(let wait, let begin) = judgement else { continue }
            self.wait(wait, next: min(index, steps.firstIndex { $0.countsAttempts } ?? index), begin)
            return false
        }
        if history != nil { holdBack(&info, arrival) }
        return true
    }

    // MARK: Waiting

    private func wait(_ wait: ExchangeState.Wait, next: Int, _ begin: (WaitTicket) -> Void) {
        begin(WaitTicket(exchange: self, number: state.beginWait(wait, next: next)))
    }

    func isWaiting(for ticket: WaitTicket) -> Bool { state.isWaiting(ticket.number) }

    /// Replaces the wait of a ticket by another one. Returns its ticket; nil if the wait has ended.
    package func replaceWait(of ticket: WaitTicket, by wait: ExchangeState.Wait) -> WaitTicket? {
        state.replaceWait(ticket.number, by: wait).map { WaitTicket(exchange: self, number: $0) }
    }

    func endWait(_ ticket: WaitTicket) {
        guard let next = endWaiting(ticket) else { return }
        clock.whileCalling { prepare(from: next) }
    }

    func endWait(_ ticket: WaitTicket, with error: RequestError) {
        guard endWaiting(ticket) != nil else { return }
        clock.whileCalling { fail(error) }
    }

    func endWait(_ ticket: WaitTicket, with info: ResponseInfo) {
        guard endWaiting(ticket) != nil else { return }
        clock.whileCalling { client?.exchangeEnded(with: info) }
    }

    /// Ends the exchange with the outcome of the last attempt if it waits, for whatever reason.
    package func endWait(with info: ResponseInfo) {
        endWait(WaitTicket(exchange: self, number: state.waitNumber), with: info)
    }

    /// Returns the index of the step that is prepared next; nil if code of the app, which is told of the end of the wait, has
    /// cancelled the exchange.
    private func endWaiting(_ ticket: WaitTicket) -> Int? {
        guard let next = state.endWait(ticket.number) else { return nil }
        hideWait()
        return state.isPreparing ? next : nil
    }

    /// Makes the next attempt now, if the exchange waits for a retry.
    package func retryNow() {
        guard wait == .retry, let ticket = history?.retry else { return }
        ticket.proceed()
    }

    // MARK: Ending

    private func fail(_ error: RequestError) {
        let named = error.isCancellation ? error : request?.error(error) ?? error
        client?.exchangeEnded(with: ResponseInfo(response: .failure(named)))
    }

    /// Stops the current attempt, and ends the exchange with an error.
    func stop(because error: () -> RequestError) {
        guard state.stop() else { return }
        networking?.cancel()
        hideWait()
        clock.whileCalling { fail(error()) }
    }

    /// Stops the current attempt, and ends the exchange.
    package func cancel() {
        networking?.cancel()
        end()
    }

    /// Ends the exchange, and adds the metrics to its outcome. Returns the service, which hooks may need.
    package func complete(_ info: inout ResponseInfo) -> AnyObject? {
        let service = service
        if let metrics = networking?.requestMetrics { info.metrics = metrics }
        if let history, history.sentNumber > 1 {
            info.metrics = info.metrics ?? RequestMetrics(total: history.elapsed(at: clock.monotonicTime))
            info.metrics?.attempts = history.sentNumber
        }
        end()
        return service
    }

    private func end() {
        guard state.end() else { return }
        for index in steps.indices { steps[index].end(self, index) }
        hideWait()
        // Each object is released after the change, because its release may run code of the app.
        extendLifetime(networking.take())
        extendLifetime(history.take())
        objects = StepObjects()
        let last = (client.take(), service.take())
        extendLifetime(last)
    }
}

/// The numbers of the steps of one exchange.
struct StepMemory {
    /// The maximum number of steps.
    static let limit = 8

    // A vector would align each exchange to more than what `malloc` aligns to, which makes its allocation expensive.
    private var numbers: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)

    subscript(index: Int) -> UInt64 {
        get { withUnsafeBytes(of: numbers) { $0.assumingMemoryBound(to: UInt64.self)[checked(index)] } }
        set {
            let index = checked(index)
            withUnsafeMutableBytes(of: &numbers) { $0.assumingMemoryBound(to: UInt64.self)[index] = newValue }
        }
    }

    private func checked(_ index: Int) -> Int {
        precondition(index >= 0 && index < Self.limit)
        return index
    }
}

/// The objects of the steps of one exchange.
package struct StepObjects {
    private var objects: [AnyObject?] = []

    package subscript(index: Int) -> AnyObject? {
        get { index < objects.count ? objects[index] : nil }
        set {
            while objects.count <= index { objects.append(nil) }
            extendLifetime(exchange(&objects[index], with: newValue))
        }
    }
}
