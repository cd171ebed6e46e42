import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The work of a request to a resource that can build its `URLRequest` before it starts.
@MainActor
protocol PreparedRequestDelegate: NamedRequestDelegate {
    var recipe: NetworkRequest.Recipe { get }

    /// Returns the request as it will be sent. Builds it on the first call.
    func prepare() -> PreparedRequest
}

extension PreparedRequestDelegate {
    /// The key by which requests of one lineage are compared.
    var lineageKey: RequestLineage.Key {
        RequestLineage.Key(address: recipe.resource.address, method: prepare().method)
    }

    var requestName: String { lineageKey.description }
}

/// The work of an ordinary request: builds it, sends it, and runs the response through the resource's pipeline.
@MainActor
final class NetworkRequest: PreparedRequestDelegate {
    /// The values from which the request can be built more than once.
    struct Recipe {
        let resource: Resource
        /// The caller's changes; nil if the caller makes no changes.
        let mutation: Resource.RequestMutation?
        /// Opens a body that is read while it is sent, and that replaces the body of the `URLRequest`; nil without such
        /// a body.
        var makeBody: BodyMaker?
        let method: RequestMethod
        /// True if the request carries a condition with the validator of the resource's data (RFC 9110 §13.1).
        let isConditional: Bool
        /// True if the request repeats another request, and is therefore in no list of its resource.
        var isRepeated = false

        init(
            resource: Resource, method: RequestMethod, isConditional: Bool = false,
            mutation: Resource.RequestMutation?
        ) {
            (self.resource, self.method) = (resource, method)
            (self.isConditional, self.mutation) = (isConditional, mutation)
        }

        /// Returns the same recipe with another mutation.
        func replacingMutation(_ mutation: @escaping Resource.RequestMutation) -> Recipe {
            var copy = Recipe(resource: resource, method: method, isConditional: isConditional, mutation: mutation)
            (copy.makeBody, copy.isRepeated) = (makeBody, isRepeated)
            return copy
        }
    }

    typealias BodyMaker = () throws -> any StreamedBody

    let recipe: Recipe
    /// The number of times that the request was sent, modulo 256. Responses to earlier attempts are ignored. To save
    /// memory, it is declared next to other fields that are smaller than a word.
    private var sendCount: UInt8 = 0
    /// True if the request was sent again without a condition.
    private var isSecond = false
    /// False if the body was sent from a source that can be read only once.
    private var isBodyRepeatable = true
    /// The number of the resource's newest load when the request was started.
    private var lastLoadBefore: Int32 = 0
    /// The revision of the resource's data when the request was started.
    private var revisionBefore: UInt32 = 0
    private let made = WipeCount.now
    private var prepared: PreparedRequest?
    /// The cache entries to which the response is written. They are determined together with the headers, because both
    /// depend on the principal.
    private var cachePlaces: [CacheLane.Place] = []
    private var networking: (any RequestNetworking)?
    /// The service. A running request keeps it alive, because hooks and configuration may rely on it.
    private var service: AnyObject?
    private var completionHandler: (any RequestCompletionHandler)?
    private var startTime: TimeInterval = 0
    /// True if the request was made by the refresh of a credential. Then it carries none.
    private let isOfRefresh = Session.isRefreshing
    private var refusals = Refusals()
    /// The number of the credential that was sent last; 0 if none was sent.
    private var credentialNumber: Int32 = 0
    /// The attempts; nil if retries, pacing and waits for the network are off.
    private var attempts: Attempts?
    /// The progress estimate, created when the progress is first read.
    private var estimate = Indirect<ProgressEstimate>.none
    private var resource: Resource { recipe.resource }

    init(_ recipe: Recipe) {
        self.recipe = recipe
    }

    func repeated() -> any RequestDelegate {
        var recipe = recipe
        recipe.isRepeated = true
        return NetworkRequest(recipe)
    }

    func prepare() -> PreparedRequest {
        if let prepared { return prepared }
        return prepare(unconditionally: false)
    }

    private func prepare(unconditionally: Bool) -> PreparedRequest {
        let new = PreparedRequest(recipe, unconditionally: unconditionally)
        // Each old value is released after the change, because its release may run code of the app.
        _ = exchange(&prepared, with: new)
        let places = resource.cachePlaces(forResponseTo: new)
        _ = exchange(&cachePlaces, with: places)
        return new
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        self.completionHandler = completionHandler
        guard !resource.isOutdated(made) else { return completeAsWiped() }
        service = resource.context.currentService
        if recipe.isRepeated, let request = completionHandler as? any Request {
            resource.context.repeatedRequests.begin(own: request)
        }
        lastLoadBefore = Int32(truncatingIfNeeded: resource.state.lastLoad)
        revisionBefore = resource.state.dataRevision
        sendUnlessDefective(prepare())
    }

    func cancelUnderlyingOperation() {
        networking?.cancel()
        noteLostWrite()
        release()
    }

    // MARK: Progress and description

    func computeProgress() -> Double {
        guard let networking else { return estimate.value?.value ?? 0 }
        let metrics = networking.transferMetrics
        var current =
            estimate.value
            ?? ProgressEstimate(
                startedAt: startTime, requestBytesTotal: metrics.requestBytesTotal, isUpload: recipe.makeBody != nil)
        current.update(metrics, at: resource.context.clock.monotonicTime)
        estimate = .some(current)
        return current.value
    }

    var progressReportingInterval: TimeInterval {
        prepare().resolved.progressReportingInterval
    }

    var requestDescription: String {
        let method = prepared?.method ?? recipe.method.rawValue.uppercased()
        return "\(method) \(PreparedText.url(prepared?.url?.absoluteString ?? resource.address))"
    }

    // MARK: Sending and receiving

    private func sendUnlessDefective(_ request: PreparedRequest) {
        guard completionHandler != nil else { return }  // Cancelled by code of the app while it was prepared.
        if let defect = request.defect { return complete(ResponseInfo(response: .failure(defect))) }
        // A request of a refresh must not wait for the places that the waiting requests have taken.
        guard let options = request.resolved.attemptOptions, !isOfRefresh else { return authorize(request) }
        let attempts = attempts ?? Attempts(request, of: resource, options: options)
        guard completionHandler != nil else { return }  // Cancelled by the network status of the app.
        self.attempts = attempts
        attempts.begin {
            self.sendIfCurrent(request)
        } fail: {
            self.noteLostWrite()
            self.complete(ResponseInfo(response: .failure(request.error($0))))
        }
    }

    /// Sends the request after a wait, unless it was cancelled or wiped meanwhile. A wipe does not cancel a request that a
    /// decorator of the app has detached.
    private func sendIfCurrent(_ request: PreparedRequest) {
        guard completionHandler != nil else { return }
        guard !resource.isOutdated(made) else { return completeAsWiped() }
        authorize(request)
    }

    /// Sends the request with the credential of the session, if there is one and the URL is in its scope.
    private func authorize(_ request: PreparedRequest) {
        guard let authentication, authentication.covers(request) else { return send(request, nil) }
        if let use = authentication.session.readyUse { return send(request, use) }
        authentication.session.authorize(self, over: resource.context.authenticationNetwork) { permission in
            guard self.completionHandler != nil else { return }
            switch permission {
            case .send(let use): self.send(request, use)
            case .fail(let error) where error.cause is SessionExpired && !self.resource.isPersonal:
                self.send(request, nil)
            case .fail(let error): self.complete(ResponseInfo(response: .failure(request.error(error))))
            }
        }
    }

    private var authentication: Authentication? { isOfRefresh ? nil : resource.context.authentication }

    private func send(_ request: PreparedRequest, _ use: Session.Use?) {
        guard !resource.isOutdated(made) else { return completeAsWiped() }
        var urlRequest = request.urlRequest
        let extras = use.flatMap { authentication?.apply($0, to: &urlRequest) }
        let credential = use == nil ? nil : authentication?.use(in: urlRequest)
        credentialNumber = use?.number ?? 0
        SiestaLog.log(.networkDetails, ["Request headers:", LoggedHeaders(urlRequest.allHTTPHeaderFields ?? [:])])
        sendCount &+= 1
        let (attempt, clock, processing) = (sendCount, resource.context.clock, request.resolved.processing)
        let (isContent, readsQuota) = (recipe.isConditional, attempts?.followsQuotas)
        let baseline = resource.context.contentRecords == nil ? nil : contentBaseline(request)
        let started = start(urlRequest, extras) { response in
            clock.whileCurrent {
                let arrival = Arrival(
                    attempt: attempt,
                    advice: Indirect(readsQuota.map { ServerAdvice(response, at: clock, readsQuota: $0) }),
                    isRefusal: credential?.isRefused(by: response) ?? false)
                if let baseline {
                    return response.process(processing, comparedWith: baseline) {
                        self.receiveCompared($0, $1, arrival)
                    }
                }
                guard !isContent else {
                    return response.process(processing, isContent: true) { self.receive($0, $1, arrival) }
                }
                let body = response.body ?? Data()
                response.process(processing, isContent: false) { self.receive($0, $1, body, arrival) }
            }
        }
        guard completionHandler != nil else { return started.cancel() }  // Cancelled while it was being started.
        _ = exchange(&networking, with: started)
        startTime = clock.monotonicTime
    }

    /// Returns the values with which the response is compared; nil if the request is not an ordinary load.
    private func contentBaseline(_ request: PreparedRequest) -> ContentBaseline? {
        guard recipe.isConditional, let records = resource.context.contentRecords else { return nil }
        guard request.resolved.configuration.changeDetection.isOn || resource.context.byteLimit != nil else {
            return nil
        }
        return ContentBaseline(resource, records, request.resolved)
    }

    private func start(
        _ request: URLRequest, _ extras: RequestExtras?,
        answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        let starter = resource.context.starter
        guard let makeBody = recipe.makeBody else {
            return starter.start(request, extras: extras, answering: completion)
        }
        do {
            let body = try makeBody()
            isBodyRepeatable = body.isRepeatable
            return starter.start(request, body: body, extras: extras, answering: completion)
        } catch {
            return FailedStart(error) { completion(NetworkResponse(error: $2)) }
        }
    }

    /// The facts about one response that are determined before it is processed.
    private struct Arrival {
        let attempt: UInt8
        let advice: Indirect<ServerAdvice>
        /// True if the server has refused the credential.
        let isRefusal: Bool
    }

    /// Receives the response to a load.
    private func receive(_ info: ResponseInfo, _ outputs: [CacheableOutput], _ arrival: Arrival) {
        var info = info
        guard let handler = accept(&info, outputs, arrival) else { return }
        if !outputs.isEmpty, !handler.willIgnore(info) { resource.write(outputs, to: cachePlaces) }
        complete(with: &info)
    }

    /// Prepares the end of the request with a response. Returns nil if the request does not end with this response, or
    /// has ended with it.
    @inline(__always)
    private func accept(
        _ info: inout ResponseInfo, _ outputs: [CacheableOutput], _ arrival: Arrival
    ) -> (any RequestCompletionHandler)? {
        guard let completionHandler, arrival.attempt == sendCount else { return nil }
        guard !resource.isOutdated(made) else {
            completeAsWiped()
            return nil
        }
        if case .failure(let error) = info.response { info.response = .failure(prepare().error(error)) }
        if arrival.isRefusal, isAuthorizedAgain(after: info, arrival) { return nil }
        if let advice = arrival.advice.value, isTriedAgain(after: &info, advice) { return nil }
        guard info.isNew else {
            receiveUnchanged(&info, outputs, completionHandler)
            return nil
        }
        return completionHandler
    }

    /// Receives the response to a request that is not a load. Keeps the body of a success, so that the app can decode it. Loads keep no body: several tasks share them, and a
    /// 304 has none.
    private func receive(_ info: ResponseInfo, _ outputs: [CacheableOutput], _ body: Data, _ arrival: Arrival) {
        var info = info
        if case .success = info.response, info.isNew {
            let request = prepare()
            info.body = ReceivedBody(
                data: body, decoder: request.resolved.configuration.jsonDecoder, url: request.url,
                method: request.method, clock: request.clock)
        }
        guard let handler = accept(&info, outputs, arrival) else { return }
        if !handler.willIgnore(info) {
            if !outputs.isEmpty { resource.write(outputs, to: cachePlaces) }
            if let prepared { resource.noteWrite(prepared, info, by: handler) }
        }
        complete(with: &info)
    }

    /// Handles the end of a request that was sent, and whose response is not awaited any longer.
    private func noteLostWrite() {
        guard sendCount > 0, !recipe.isConditional, let prepared else { return }
        resource.noteWrite(prepared, nil, by: completionHandler)
    }

    /// Receives a response that was compared with the data, and notes which configuration has processed it.
    private func receiveCompared(_ info: ResponseInfo, _ outputs: [CacheableOutput], _ arrival: Arrival) {
        var info = info
        info.comparison?.configuration = prepare().resolved
        receive(info, outputs, arrival)
    }

    /// Returns true if the server has refused the credential, and the request waits for another one or was sent again.
    private func isAuthorizedAgain(after info: ResponseInfo, _ arrival: Arrival) -> Bool {
        guard let session = authentication?.session else { return false }
        let isCurrent = session.isCurrent(credentialNumber)
        guard refusals.allowsRepetition(isCurrent: isCurrent) else { return false }
        guard isBodyRepeatable, !prepare().hasBodyStream else {
            session.noteRefusal(of: credentialNumber, over: resource.context.authenticationNetwork)
            return false
        }
        refusals.note(isCurrent: isCurrent)
        if let advice = arrival.advice.value { attempts?.endWithoutRetry(advice) }
        session.authorize(
            self, after: credentialNumber, over: resource.context.authenticationNetwork
        ) { permission in
            guard self.completionHandler != nil else { return }
            switch permission {
            case .send: self.sendUnlessDefective(self.prepare())
            case .fail(let error): self.complete(info.refused(error))
            }
        }
        return true
    }

    /// Returns true if the request failed and will be sent again.
    private func isTriedAgain(after info: inout ResponseInfo, _ advice: ServerAdvice) -> Bool {
        guard let attempts else { return false }
        return attempts.end(with: &info, advice: advice) {
            let request = prepare()
            return Attempts.Sent(
                method: request.isLoadWithBody ? "GET" : request.method, hasIdempotencyKey: request.hasIdempotencyKey,
                isRepeatable: isBodyRepeatable && !request.hasBodyStream)
        } again: {
            self.sendUnlessDefective(self.prepare())
        } fail: {
            self.noteLostWrite()
            self.complete(ResponseInfo(response: .failure($0)))
        }
    }

    /// Handles a response without new content: a 304, or a response with the same content as the current data.
    private func receiveUnchanged(
        _ info: inout ResponseInfo, _ outputs: [CacheableOutput], _ handler: any RequestCompletionHandler
    ) {
        guard let revision = info.unchangedRevision else { return receiveNotModified(prepare(), &info) }
        // Code of the app, or another load, may have replaced the data while the request was running.
        let isReplaced = revision != resource.state.contentRevision
        if !outputs.isEmpty {
            if !handler.willIgnore(info) { resource.write(outputs, to: cachePlaces) }
        } else if !isReplaced, !cachePlaces.isEmpty, let data = resource.state.data,
            case .success(let entity) = info.response
        {
            let headers = NotModified.differences(of: entity.headerFields, from: data.headerFields)
            resource.confirm(data.validator, updating: headers, in: cachePlaces)
        }
        if isReplaced { info.isNew = true }
        complete(with: &info)
    }

    /// Handles a 304: the version in the request's condition is current. The resource may have another version in the
    /// meantime.
    private func receiveNotModified(_ request: PreparedRequest, _ info: inout ResponseInfo) {
        let data = resource.state.data
        switch notModified(request).step {
        case .confirm:
            if let data { confirm(data, by: &info) }
        case .keep:
            if let data { complete(.unconfirmed(data)) }
        case .askAgain:
            isSecond = true
            sendUnlessDefective(prepare(unconditionally: true))
        case .fail:
            complete(ResponseInfo(response: .failure(request.noLocalDataError)))
        }
    }

    /// Completes the request with the data that the server has confirmed, and updates its headers.
    private func confirm(_ data: Entity<Any>, by info: inout ResponseInfo) {
        let updates = info.hasNewHeaders ? NotModified.updates(of: data.headerFields, by: info.headerFields) : [:]
        if recipe.isConditional, !cachePlaces.isEmpty {
            resource.confirm(data.validator, updating: updates, in: cachePlaces)
        }
        guard !updates.isEmpty else { return complete(ResponseInfo(response: .success(data), isNew: false)) }
        var updated = data
        updated.headerFields = data.headerFields.setting(updates)
        complete(.confirmed(updated))
    }

    private func notModified(_ request: PreparedRequest) -> NotModified {
        let state = resource.state
        return NotModified(
            source: state.source, current: state.data?.validator, asked: request.condition,
            isLoad: recipe.isConditional || isLoad,
            isUnchanged: resource.state.dataRevision == revisionBefore && request.asksForAll,
            // If this request is a load, its own number is `lastLoadBefore + 1`.
            isSuperseded: Int32(truncatingIfNeeded: state.shownLoad) &- lastLoadBefore > 1,
            isSecond: isSecond,
            isSafe: (["GET", "HEAD"].contains(request.method) || request.isLoadWithBody) && recipe.makeBody == nil)
    }

    /// True if the request is a load of its resource.
    private var isLoad: Bool {
        guard let request = completionHandler as? LiveRequest else { return false }
        return resource.running.isLoad(request)
    }

    /// Cancels the request because the resource was wiped after the request was made.
    private func completeAsWiped() {
        complete(resource.context.clock.whileCurrent { ResponseInfo.cancellation })
    }

    private func complete(_ info: ResponseInfo) {
        var info = info
        complete(with: &info)
    }

    private func complete(with info: inout ResponseInfo) {
        let (service, handler) = (service, completionHandler)
        if let metrics = networking?.requestMetrics { info.metrics = metrics }
        if let attempts, attempts.number > 1 {
            info.metrics = info.metrics ?? RequestMetrics(total: attempts.elapsed)
            info.metrics?.attempts = attempts.number
        }
        release()
        if let request = handler as? LiveRequest {
            request.complete(with: &info)
        } else {
            handler?.broadcastResponse(info)
        }
        extendLifetime(service)
    }

    private func release() {
        if recipe.isRepeated, let request = completionHandler as? any Request {
            resource.context.repeatedRequests.endOwn(request)
        }
        // Each object is released after the change, because its release may run code of the app.
        if let attempts = attempts.take() { attempts.stop() }
        authentication?.session.stopWaiting(self)
        _ = service.take()
        _ = completionHandler.take()
        _ = networking.take()
    }
}

extension ResponseInfo {
    /// Returns the response by which the server has refused the credential, with the reason for which the request was not
    /// sent again.
    fileprivate func refused(_ reason: RequestError) -> ResponseInfo {
        var info = self
        guard case .failure(var error) = response else { return ResponseInfo(response: .failure(reason)) }
        (error.userMessage, error.cause) = (reason.userMessage, reason.cause)
        info.response = .failure(error)
        return info
    }
}
