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
final class NetworkRequest: PreparedRequestDelegate, TimedRequestDelegate {
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

        /// The same recipe for a response that the pipeline does not process: without a negotiated `Accept`.
        @MainActor var unprocessed: Recipe {
            guard resource.resolvedConfiguration(for: method).negotiatedAccept != nil else { return self }
            return replacingMutation { [mutation] request in
                request.setValue(nil, forHTTPHeaderField: "Accept")
                mutation?(&request)
            }
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
    var sendCount: UInt8 = 0
    /// True if the request was sent again without a condition.
    var isSecond = false
    /// The reason for which the request is sent next.
    var sendReason = ActivityEvent.SendReason.first
    /// False if the body was sent from a source that can be read only once.
    var isBodyRepeatable = true
    /// The number of the resource's newest load when the request was started.
    var lastLoadBefore: Int32 = 0
    /// The revision of the resource's data when the request was started.
    var revisionBefore: UInt32 = 0
    let made = WipeCount.now
    /// The principal for whom the request was made; nil if nobody was signed in.
    private let maker: Principal?
    /// The number of the event of the start; 0 if there were no listeners.
    var startEvent = 0
    /// The trace context of the last attempt; empty if none was sent.
    var trace = Indirect<TraceContext>.none
    var prepared: PreparedRequest?
    /// The cache entries to which the response is written. They are determined together with the headers, because both
    /// depend on the principal.
    var cachePlaces: [CacheLane.Place] = []
    private var networking: (any RequestNetworking)?
    /// The service. A running request keeps it alive, because hooks and configuration may rely on it.
    private var service: AnyObject?
    var completionHandler: (any RequestCompletionHandler)?
    private var startTime: TimeInterval = 0
    /// True if the request was made by the refresh of a credential. Then it carries none.
    private let isOfRefresh = Session.isRefreshing
    /// The change that this request sends; nil if there is none.
    var change: PendingChange?
    var refusals = Refusals()
    /// The number of the credential that was sent last; 0 if none was sent.
    var credentialNumber: Int32 = 0
    /// The attempts; nil if retries, pacing and waits for the network are off.
    var attempts: Attempts?
    /// The progress estimate, created when the progress is first read.
    private var estimate = Indirect<ProgressEstimate>.none
    var resource: Resource { recipe.resource }

    init(_ recipe: Recipe) {
        self.recipe = recipe
        maker = recipe.resource.context.principal
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

    func prepare(unconditionally: Bool) -> PreparedRequest {
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
        let request = prepare()
        if let activity = resource.context.activity { noteStart(request, activity) }
        guard !recipe.isConditional, resource.mayHaveRange(for: request) else { return sendUnlessDefective(request) }
        resource.beginReadingCache()
        resource.whenCacheIsRead { self.sendUnlessStored(request) }
    }

    /// Completes a request for a part of fresh data, or sends it.
    private func sendUnlessStored(_ request: PreparedRequest) {
        guard completionHandler != nil else { return }  // Cancelled while the cache was read.
        guard let part = resource.storedRange(for: request) else { return sendUnlessDefective(request) }
        complete(ResponseInfo(response: .success(part)))
    }

    func cancelUnderlyingOperation() {
        if resource.context.activity != nil { noteEnd(resource.context.clock.whileCurrent { .cancellation }) }
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

    var isWaitingForTimer: Bool {
        attempts?.isWaiting ?? false || (networking as? any TimedNetworking)?.isWaitingForTimer ?? false
    }

    // MARK: Sending

    func sendUnlessDefective(_ request: PreparedRequest) {
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

    /// Sends the request after a wait, unless it was cancelled meanwhile.
    private func sendIfCurrent(_ request: PreparedRequest) {
        if completionHandler != nil { authorize(request) }
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

    var authentication: Authentication? { isOfRefresh ? nil : resource.context.authentication }

    private func send(_ request: PreparedRequest, _ use: Session.Use?) {
        guard !resource.isOutdated(made) else { return completeAsWiped() }
        if WriteOutcome.isWrite(request.method), resource.context.isFormer(maker) {
            noteLostWrite()
            return completeAsWiped()
        }
        var urlRequest = request.urlRequest
        let extras = use.flatMap { authentication?.apply($0, to: &urlRequest) }
        let credential = use == nil ? nil : authentication?.use(in: urlRequest)
        credentialNumber = use?.number ?? 0
        if request.resolved.sendsTraceContext { addTraceContext(to: &urlRequest) }
        SiestaLog.log(.networkDetails, ["Request headers:", LoggedHeaders(urlRequest.allHTTPHeaderFields ?? [:])])
        sendCount &+= 1
        let (attempt, clock, processing) = (sendCount, resource.context.clock, noteSending(request))
        let (isContent, readsQuota) = (recipe.isConditional, attempts?.followsQuotas)
        let baseline = resource.context.contentRecords == nil ? nil : contentBaseline(request)
        let asked = recipe.isConditional && request.resolved.httpFreshness == nil ? nil : resource.asked(by: request)
        let (sent, isOfChange) = (urlRequest, change != nil)
        let started = start(urlRequest, extras, tracksRedirects: asked != nil) { response in
            var response = response
            response.refuse(unlessAmong: RequestedForms(sent))
            processing.trace?.recordRedirects(of: response)
            clock.whileCurrent {
                let arrival = Arrival(
                    attempt: attempt,
                    advice: Indirect(readsQuota.map { ServerAdvice(response, at: clock, readsQuota: $0) }),
                    isRefusal: credential?.isRefused(by: response) ?? false, isByHTTP: asked != nil,
                    cleared: asked == nil ? [] : response.serversClearingCaches(requestedAt: sent.url))
                if let baseline {
                    return response.process(processing, comparedWith: baseline, asked: asked) { info, outputs in
                        self.causing { self.receiveCompared(info, outputs, arrival) }
                    }
                }
                guard !isContent else {
                    return response.process(processing, isContent: true, asked: asked) { info, outputs in
                        self.causing { self.receive(info, outputs, arrival) }
                    }
                }
                let (body, redirect) = (response.body ?? Data(), isOfChange ? response.lastRedirect(of: sent) : nil)
                response.process(processing, isContent: false, asked: asked) { info, outputs in
                    if isOfChange { self.change?.redirect = redirect }
                    self.causing { self.receive(info, outputs, body, arrival) }
                }
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
        _ request: URLRequest, _ extras: RequestExtras?, tracksRedirects: Bool,
        answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        let starter = resource.context.starter
        guard let makeBody = recipe.makeBody else {
            return starter.start(
                request, extras: extras, tracksRedirects: tracksRedirects, answering: completion)
        }
        do {
            let body = try makeBody()
            isBodyRepeatable = body.isRepeatable
            return starter.start(
                request, body: body, extras: extras, tracksRedirects: tracksRedirects, answering: completion)
        } catch {
            return FailedStart(error) { completion(NetworkResponse(error: $2)) }
        }
    }

    // MARK: Completing

    /// Cancels the request because the resource was wiped after the request was made.
    func completeAsWiped() {
        complete(resource.context.clock.whileCurrent { ResponseInfo.cancellation })
    }

    func complete(_ info: ResponseInfo) {
        var info = info
        complete(with: &info)
    }

    func complete(with info: inout ResponseInfo) {
        let (service, handler) = (service, completionHandler)
        if let metrics = networking?.requestMetrics { info.metrics = metrics }
        if let attempts, attempts.number > 1 {
            info.metrics = info.metrics ?? RequestMetrics(total: attempts.elapsed)
            info.metrics?.attempts = attempts.number
        }
        release()
        guard let activity = resource.context.activity, handler != nil else { return pass(&info, to: handler, service) }
        noteEnd(info)
        activity.causing(event) { pass(&info, to: handler, service) }
    }

    @inline(__always)
    private func pass(_ info: inout ResponseInfo, to handler: (any RequestCompletionHandler)?, _ service: AnyObject?) {
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
