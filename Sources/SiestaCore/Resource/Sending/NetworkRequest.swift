import Dispatch
package import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The work of a request to a resource that can build its `URLRequest` before it starts.
@MainActor
package protocol PreparedRequestDelegate: LibraryRequestDelegate {
    var recipe: NetworkRequest.Recipe { get }

    /// Returns the request as it will be sent. Builds it on the first call.
    func prepare() -> PreparedRequest
}

extension LiveRequest {
    /// The resource whose request this is; nil if it is a chain, or work of the app.
    package var resource: Resource? { (delegate as? any PreparedRequestDelegate)?.recipe.resource }
}

extension PreparedRequestDelegate {
    /// The key by which requests of one lineage are compared.
    var lineageKey: RequestLineage.Key {
        RequestLineage.Key(address: recipe.resource.address, method: prepare().method)
    }

    package var requestName: String { lineageKey.description }
}

/// The work of an ordinary request: builds it, and runs the response through the resource's pipeline. An ``Exchange`` sends
/// it.
@MainActor
package final class NetworkRequest: PreparedRequestDelegate, ExchangeClient {
    /// The values from which the request can be built more than once.
    package struct Recipe {
        package let resource: Resource
        /// The caller's changes; nil if the caller makes no changes.
        let mutation: Resource.RequestMutation?
        /// Opens a body that is read while it is sent, and that replaces the body of the `URLRequest`; nil without such
        /// a body.
        package var makeBody: BodyMaker?
        let method: RequestMethod
        /// True if the request is a load. Then it carries a condition with the validator of the resource's data (RFC 9110
        /// §13.1).
        let isLoad: Bool
        /// True if the request repeats another request, and is therefore in no list of its resource.
        package var isRepeated = false
        /// The number of the load if it has waited for a cache. Other loads receive their number after the start.
        var loadNumber: Resource.State.LoadNumber?

        package init(
            resource: Resource, method: RequestMethod, isLoad: Bool = false, mutation: Resource.RequestMutation?
        ) {
            (self.resource, self.method) = (resource, method)
            (self.isLoad, self.mutation) = (isLoad, mutation)
        }

        /// Creates the recipe of a request with a body. `mutation` changes the request after its body is set.
        package init(
            resource: Resource, method: RequestMethod, body: RequestBody.Encoded?,
            mutation: @escaping Resource.RequestMutation
        ) {
            self.init(resource: resource, method: method) { request in
                body?.add(to: &request)
                mutation(&request)
            }
            makeBody = body?.maker
        }

        /// The same recipe for a response that the pipeline does not process: without a negotiated `Accept`.
        @MainActor package var unprocessed: Recipe {
            guard resource.resolvedConfiguration(for: method).negotiatedAccept != nil else { return self }
            return replacingMutation { [mutation] request in
                request.setValue(nil, forHTTPHeaderField: "Accept")
                mutation?(&request)
            }
        }

        /// Returns the same recipe with another mutation.
        func replacingMutation(_ mutation: @escaping Resource.RequestMutation) -> Recipe {
            var copy = Recipe(resource: resource, method: method, isLoad: isLoad, mutation: mutation)
            (copy.makeBody, copy.isRepeated, copy.loadNumber) = (makeBody, isRepeated, loadNumber)
            return copy
        }
    }

    package typealias BodyMaker = () throws -> any StreamedBody

    package let recipe: Recipe
    /// True if the request was sent again without a condition.
    @exclusivity(unchecked) private(set) var isSecond = false
    /// The body of all attempts, if it is read while it is sent. A source may be readable only once, and a file must be
    /// the same for each attempt.
    private var body = Indirect<any StreamedBody>.none
    /// The number of the resource's newest load when the request was started. If it is a load, its own number is the next.
    @exclusivity(unchecked) private(set) var lastLoadBefore: Int32 = 0
    /// The revision of the resource's data when the request was started.
    @exclusivity(unchecked) private(set) var revisionBefore: UInt32 = 0
    let exchange: Exchange
    @exclusivity(unchecked) private(set) var prepared: PreparedRequest?
    /// The request of the current attempt, if the freshness of the resource follows HTTP.
    @exclusivity(unchecked) private(set) var asked: HTTPFreshness.Asked?
    /// The cache entries to which the response to the current attempt is written.
    @exclusivity(unchecked) private(set) var cachePlaces: [CacheLane.Place] = []
    /// The request that receives the response; nil before the start, and after the end.
    @exclusivity(unchecked) private(set) var handler: LiveRequest?
    /// The change that this request sends; nil if there is none.
    @exclusivity(unchecked) package var change: (any SentChange)?
    /// The progress estimate, created when the progress is first read.
    private var estimate = Indirect<ProgressEstimate>.none
    var resource: Resource { recipe.resource }

    package init(_ recipe: Recipe, repeating last: Exchange? = nil) {
        self.recipe = recipe
        exchange = Exchange(of: recipe.resource, repeating: last)
    }

    package func repeated() -> any RequestDelegate {
        var recipe = recipe
        (recipe.isRepeated, recipe.loadNumber) = (true, nil)
        return replacingRecipe(by: recipe)
    }

    /// Returns a new request with another recipe, which sends the same change.
    func replacingRecipe(by recipe: Recipe) -> NetworkRequest {
        let new = NetworkRequest(recipe, repeating: exchange)
        new.change = change
        return new
    }

    package func prepare() -> PreparedRequest {
        if let prepared { return prepared }
        return prepare(unconditionally: false)
    }

    func prepare(unconditionally: Bool) -> PreparedRequest {
        let new = PreparedRequest(recipe, unconditionally: unconditionally)
        // The old value is released after the change, because its release may run code of the app.
        extendLifetime(Swift.exchange(&prepared, with: new))
        return new
    }

    package func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        handler = completionHandler.live
        guard !exchange.isOutdated else { return completeAsWiped() }
        exchange.begin(for: self)
        if recipe.isRepeated, let request = handler {
            resource.context.repeatedRequests.begin(own: request)
        }
        lastLoadBefore = recipe.loadNumber.map { $0 - 1 } ?? resource.state.lastLoad
        revisionBefore = resource.state.dataRevision
        let request = prepare()
        exchange.noteStart(request, isLoad: recipe.isLoad || isLoad)
        guard !recipe.isLoad, resource.mayHaveRange(for: request) else { return sendUnlessDefective(request) }
        resource.beginReadingCache()
        resource.whenCacheIsRead { self.sendUnlessStored(request) }
    }

    /// Completes a request for a part of fresh data, or sends it.
    private func sendUnlessStored(_ request: PreparedRequest) {
        guard handler != nil else { return }  // Cancelled while the cache was read.
        guard let part = resource.storedRange(for: request) else { return sendUnlessDefective(request) }
        var info = ResponseInfo(response: .success(part))
        // The caller sees the same as after a response of the server.
        info.status = Int16(clamping: part.statusCode ?? 0)
        complete(with: &info)
    }

    package func cancelUnderlyingOperation() {
        exchange.noteEnd(resource.context.clock.whileCalling { .cancellation })
        let handler = handler
        exchange.cancel()
        noteLostWrite(by: handler)
        release()
    }

    // MARK: Progress and description

    package func computeProgress() -> Double {
        guard let metrics = exchange.transferMetrics else { return estimate.value?.value ?? 0 }
        var current =
            estimate.value
            ?? ProgressEstimate(
                startedAt: exchange.startTime, requestBytesTotal: metrics.requestBytesTotal,
                isUpload: recipe.makeBody != nil)
        current.update(metrics, at: resource.context.clock.monotonicTime)
        estimate = .some(current)
        return current.value
    }

    package var progressReportingInterval: TimeInterval {
        (prepared?.resolved ?? prepare().resolved).progressReportingInterval
    }

    package var requestDescription: String {
        let method = prepared?.method ?? recipe.method.rawValue.uppercased()
        return "\(method) \(PreparedText.url(prepared?.url?.absoluteString ?? resource.address))"
    }

    package var isWaitingForTimer: Bool { exchange.isWaitingForTimer }

    package func retryNow(of resource: AnyObject) {
        if resource === self.resource { exchange.retryNow() }
    }

    // MARK: Sending

    private func sendUnlessDefective(_ request: PreparedRequest) {
        guard handler != nil else { return }  // Cancelled by code of the app while it was prepared.
        if let defect = request.defect { return complete(ResponseInfo(response: .failure(defect))) }
        exchange.send(request)
    }

    /// Sends the request again without a condition, because the response to the condition cannot be used.
    func sendUnconditionally() {
        (isSecond, exchange.reason) = (true, .unconditional)
        sendUnlessDefective(prepare(unconditionally: true))
    }

    package var isRepeatable: Bool { body.value?.isRepeatable ?? true && !prepare().hasBodyStream }

    package func nextCall(_ obstacle: inout (any Error)?) -> TransportCall {
        let request = prepare()
        // For each attempt, because the principal may have changed while the request waited.
        let places = resource.cachePlaces(forResponseTo: request)
        extendLifetime(Swift.exchange(&cachePlaces, with: places))
        asked = recipe.isLoad && request.resolved.httpFreshness == nil ? nil : resource.asked(by: request)
        var call = TransportCall(request.urlRequest)
        call.needsRedirects = asked != nil
        // Code of the app, which computes the cache keys, may have cancelled the request.
        guard handler != nil, let makeBody = recipe.makeBody else { return call }
        do {
            let opened = try body.value ?? makeBody()
            body = .some(opened)
            call.body = opened
        } catch {
            obstacle = error
        }
        return call
    }

    package func receiver(of attempt: Attempt) -> @Sendable (NetworkResponse) -> Void {
        let request = prepare()
        let reception = Reception(
            request: self, rules: attempt.rules, asked: asked, sent: attempt.call.request,
            isContent: recipe.isLoad, processing: processing(of: attempt),
            baseline: resource.context.contentRecords == nil ? nil : contentBaseline(request))
        return { response in
            if let refused = response.refused(unlessAmong: RequestedForms(reception.sent)) {
                reception.take(refused)
            } else {
                reception.take(response)
            }
        }
    }

    /// What happens to the response to one attempt, before the main actor receives it.
    private struct Reception: Sendable {
        let request: NetworkRequest
        let rules: ArrivalRules
        let asked: HTTPFreshness.Asked?
        let sent: URLRequest
        let isContent: Bool
        let processing: ResponseProcessing
        let baseline: ContentBaseline?

        func take(_ response: NetworkResponse) {
            processing.trace?.recordRedirects(of: response)
            rules.clock.whileCalling {
                let redirects = isContent ? nil : response.redirects(of: sent)
                let arrival = rules.arrival(of: response, after: redirects)
                let cleared = asked == nil ? [] : response.serversClearingCaches(requestedAt: sent.url)
                if let baseline {
                    return response.process(processing, comparedWith: baseline, asked: asked) {
                        [request] info, outputs in
                        request.exchange.causing { request.receiveCompared(info, outputs, arrival, cleared) }
                    }
                }
                guard !isContent else {
                    return response.process(processing, isContent: true, asked: asked) { [request] info, outputs in
                        request.exchange.causing { request.receive(info, outputs, arrival, cleared) }
                    }
                }
                let body = response.body ?? Data()
                response.process(processing, isContent: false, asked: asked) { [request] info, outputs in
                    request.change?.noteRedirect(redirects?.last)
                    request.exchange.causing { request.receive(info, outputs, body, arrival, cleared, redirects) }
                }
            }
        }
    }

    /// Returns the processing of the response to an attempt, which notes for listeners what it does.
    private func processing(of attempt: Attempt) -> ResponseProcessing {
        let resolved = prepare().resolved
        guard attempt.event != 0, let activity = resource.context.activity else { return resolved.processing }
        return resolved.processing.traced(
            by: PipelineTrace(
                hub: activity, address: resource.address, cause: attempt.event, names: resolved.names))
    }

    /// Returns the values with which the response is compared; nil if the request is not an ordinary load.
    private func contentBaseline(_ request: PreparedRequest) -> ContentBaseline? {
        guard recipe.isLoad, let records = resource.context.contentRecords else { return nil }
        guard request.resolved.configuration.changeDetection.isOn || resource.context.byteLimit != nil else {
            return nil
        }
        return ContentBaseline(resource, records, request.resolved)
    }

    // MARK: Completing

    /// Cancels the request because the resource was wiped after the request was made.
    func completeAsWiped() {
        complete(resource.context.clock.whileCalling { ResponseInfo.cancellation })
    }

    func complete(_ info: ResponseInfo) {
        var info = info
        complete(with: &info)
    }

    func complete(with info: inout ResponseInfo) {
        let handler = handler
        let service = exchange.complete(&info)
        release()
        guard let activity = resource.context.activity, handler != nil else { return pass(&info, to: handler, service) }
        exchange.noteEnd(info)
        activity.causing(exchange.event) { pass(&info, to: handler, service) }
    }

    @inline(__always)
    private func pass(_ info: inout ResponseInfo, to handler: LiveRequest?, _ service: AnyObject?) {
        handler?.complete(with: &info)
        extendLifetime(service)
    }

    private func release() {
        if recipe.isRepeated, let request = handler {
            resource.context.repeatedRequests.endOwn(request)
        }
        // Released after the change, because their release may run code of the app.
        if recipe.makeBody != nil { extendLifetime(Swift.exchange(&body, with: .none)) }
        extendLifetime(handler.take())
    }
}
