import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The work of a request to a resource, which can be told before it starts what will be sent.
@MainActor
protocol PreparedRequestDelegate: RequestDelegate {
    /// The request as it will be sent; built when first asked for.
    func prepare() -> PreparedRequest
}

/// The work of an ordinary request: builds it, sends it, and runs the answer through the resource's pipeline.
@MainActor
final class NetworkRequest: PreparedRequestDelegate {
    /// What it takes to build the request, now or again.
    struct Recipe {
        let resource: Resource
        /// The caller's changes, if there are any.
        let mutation: Resource.RequestMutation?
        /// Opens a body that is read while it is sent, instead of the one that the request has.
        var makeBody: BodyMaker?
        let method: RequestMethod
        /// Whether the request asks the server to compare with the resource's data (RFC 9110 §13.1).
        let isConditional: Bool
        /// Whether the request repeats another one, and so is in no list of its resource.
        var isRepeated = false

        init(
            resource: Resource, method: RequestMethod, isConditional: Bool = false,
            mutation: Resource.RequestMutation?
        ) {
            (self.resource, self.method) = (resource, method)
            (self.isConditional, self.mutation) = (isConditional, mutation)
        }
    }

    typealias BodyMaker = () throws -> any StreamedBody

    private let recipe: Recipe
    /// How often the request was sent; answers to earlier ones do not count. Beside what leaves half a word free.
    private var attempts: Int32 = 0
    private let made = WipeCount.now
    private var prepared: PreparedRequest?
    /// Where the answer is stored: decided together with the headers, which say whose answer it is.
    private var cachePlaces: [CacheLane.Place] = []
    private var networking: (any RequestNetworking)?
    /// A running request keeps its service, since hooks and configuration may rely on that.
    private var service: AnyObject?
    private var completionHandler: (any RequestCompletionHandler)?
    private var startTime: TimeInterval = 0
    /// Made when somebody asks for the progress.
    private var estimate = Boxed<ProgressEstimate>.none
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
        // What was there is released after each change, since that may run any code.
        _ = exchange(&prepared, with: new)
        let places = resource.cachePlaces(forAnswerTo: new, recipe)
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
        let request = prepare()
        if let defect = resource.context.clock.whileCurrent({ request.defect(recipe) }) {
            complete(ResponseInfo(response: .failure(defect)))
        } else {
            send(request)
        }
    }

    func cancelUnderlyingOperation() {
        networking?.cancel()
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
        let method = prepared?.method(recipe) ?? recipe.method.rawValue.uppercased()
        return "\(method) \(PreparedText.url(prepared?.url(recipe)?.absoluteString ?? resource.address))"
    }

    // MARK: Sending and receiving

    private func send(_ request: PreparedRequest) {
        let urlRequest = request.urlRequest(recipe)
        SiestaLog.log(.networkDetails, ["Request headers:", LoggedHeaders(urlRequest.allHTTPHeaderFields ?? [:])])
        attempts += 1
        let (attempt, clock, processing) = (attempts, resource.context.clock, request.resolved.processing)
        let started = start(urlRequest) { received in
            NetworkAnswer(received: received, clock: clock)
                .process(processing) { self.receive($0, attempt: attempt) }
        }
        guard completionHandler != nil else { return started.cancel() }  // Cancelled while it was being started.
        _ = exchange(&networking, with: started)
        startTime = clock.monotonicTime
    }

    private func start(
        _ request: URLRequest, answering completion: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> any RequestNetworking {
        let starter = resource.context.starter
        guard let makeBody = recipe.makeBody else { return starter.start(request, answering: completion) }
        do {
            return starter.start(request, body: try makeBody(), answering: completion)
        } catch {
            return FailedStart(error) { completion(ProviderAnswer(head: nil, body: nil, error: $2)) }
        }
    }

    private func receive(_ answer: ProcessedAnswer, attempt: Int32) {
        guard let completionHandler, attempt == attempts, let request = prepared else { return }
        guard !resource.isOutdated(made) else { return completeAsWiped() }
        if answer.isNotModified { return receiveNotModified(request) }
        var info = ResponseInfo(response: answer.response)
        if case .failure(var error) = answer.response {
            error.requestURL = request.url(recipe)
            error.requestMethod = request.method(recipe)
            info.response = .failure(error)
        }
        if !answer.outputs.isEmpty, !completionHandler.willIgnore(info) {
            resource.write(answer.outputs, to: cachePlaces)
        }
        complete(info)
    }

    /// The server says that what we have is current: true unless that was taken away or replaced while it was asked.
    private func receiveNotModified(_ request: PreparedRequest) {
        let isOurs = { (data: Entity<Any>) in request.validator == nil || request.validator == data.validator }
        if let data = resource.state.data, isOurs(data) || resource.state.isDataFromLoad {
            if recipe.isConditional {
                resource.updateTimestamps(of: request.validator ?? data.validator, in: cachePlaces)
            }
            return complete(ResponseInfo(response: .success(data), isNew: false))
        }
        if request.validator != nil {
            return send(prepare(unconditionally: true))
        }
        let error = resource.context.clock.whileCurrent { request.noLocalDataError(recipe) }
        complete(ResponseInfo(response: .failure(error)))
    }

    /// The resource was wiped after this was requested: nobody gets the answer.
    private func completeAsWiped() {
        complete(resource.context.clock.whileCurrent { ResponseInfo.cancellation })
    }

    private func complete(_ info: ResponseInfo) {
        let (service, handler) = (service, completionHandler)
        var info = info
        if let metrics = networking?.requestMetrics { info.metrics = metrics }
        release()
        handler?.broadcastResponse(info)
        extendLifetime(service)
    }

    private func release() {
        if recipe.isRepeated, let request = completionHandler as? any Request {
            resource.context.repeatedRequests.endOwn(request)
        }
        // Each is released after the change, since that may run any code.
        _ = service.take()
        _ = completionHandler.take()
        _ = networking.take()
    }
}
