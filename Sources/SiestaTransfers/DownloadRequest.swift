import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The work of a download. An ``Exchange`` sends as many requests as the file needs.
@MainActor
final class DownloadRequest: PreparedRequestDelegate, ExchangeClient {
    let recipe: NetworkRequest.Recipe
    private let target: URL
    private let isResuming: Bool
    private let exchange: Exchange
    private var prepared: PreparedRequest?
    /// The file; nil before it is open.
    private var file: PartialFile?
    /// The point at which the next request resumes; nil to request the whole file.
    private var point: ResumePoint?
    /// The user whose credential the last request carries, even if all users share the resource; nil without a credential.
    private var principal: Principal?
    private var hasChangedPrincipal = false
    /// The receiver of the last response; nil before a request was sent.
    private var receiver: DownloadReceiver?
    private var rules: ArrivalRules?
    /// The redirects of the last attempt; nil without redirects.
    private var redirects: NetworkResponse.FollowedRedirects?
    private var estimate: ProgressEstimate?
    private var isCancelled = false
    /// True while the download waits for another one to the same file.
    private var isQueued = false
    /// The task that waits for the end of an attempt, and the ends for which no task has waited yet.
    private var waiting: CheckedContinuation<UncheckedSendable<End>, Never>?
    private var ends: [End] = []
    /// The decision between giving the file its final name and cancelling the download.
    private let commitment = Commitment()
    private var resource: Resource { recipe.resource }

    /// The end of an attempt.
    private enum End {
        /// The transport has ended it, with this error or with the response of the receiver, after these redirects.
        case received((any Error)?, NetworkResponse.FollowedRedirects?)
        /// The exchange has ended without a response to accept.
        case ended(ResponseInfo)
    }

    init(_ recipe: NetworkRequest.Recipe, to target: URL, isResuming: Bool, repeating last: Exchange? = nil) {
        self.recipe = recipe
        self.target = target
        self.isResuming = isResuming
        exchange = Exchange(of: recipe.resource, repeating: last)
    }

    func repeated() -> any RequestDelegate {
        var recipe = recipe
        recipe.isRepeated = true
        return DownloadRequest(recipe, to: target, isResuming: isResuming, repeating: exchange)
    }

    func prepare() -> PreparedRequest {
        if let prepared { return prepared }
        let new = PreparedRequest(recipe)
        prepared = new
        return new
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        guard !exchange.isOutdated else { return completionHandler.broadcastResponse(.cancellation) }
        let request = prepare()
        guard !isCancelled else { return }  // Cancelled by code of the app while it was prepared.
        if let defect = request.defect {
            return completionHandler.broadcastResponse(ResponseInfo(response: .failure(defect)))
        }
        exchange.begin(for: self)
        exchange.noteStart(request)
        let repeated = recipe.isRepeated ? completionHandler.live : nil
        if let repeated { resource.context.repeatedRequests.begin(own: repeated) }
        Task {
            defer { if let repeated { resource.context.repeatedRequests.endOwn(repeated) } }
            var info = await download(request)
            let service = exchange.complete(&info)
            if !isCancelled {
                if receiver != nil {
                    resource.noteWrite(
                        request, info, by: completionHandler, isRefusalUncertain: exchange.mayHaveHadEffect,
                        after: redirects)
                }
                exchange.noteEnd(info)
                exchange.causing { completionHandler.broadcastResponse(info) }
            }
            extendLifetime(service)
        }
    }

    func cancelEffect(ifUnwanted: Bool) -> Bool { commitment.cancel() }

    func cancelUnderlyingOperation() {
        isCancelled = true
        exchange.noteEnd(exchange.clock.whileCurrent { .cancellation })
        // While an attempt is running, its receiver writes to the file until the transport has ended it.
        let isSent = exchange.isSent
        exchange.cancel()
        if !isSent { deliver(.ended(cancellation)) }
        // If there is a receiver, a request was sent, and its response is not awaited any longer.
        if receiver != nil, let prepared { resource.noteWrite(prepared, nil, by: nil) }
    }

    // MARK: Progress and description

    func computeProgress() -> Double {
        guard let transferred = exchange.transferMetrics else { return estimate?.value ?? 0 }
        let now = exchange.clock.monotonicTime
        var current = estimate ?? ProgressEstimate(startedAt: now, requestBytesTotal: nil)
        current.update(fileMetrics(transferred), at: now)
        estimate = current
        return current.value
    }

    /// Converts the byte counts of the exchange to counts for the whole file. Returns no counts until the section of
    /// the file in the response is known. Otherwise, a resumed download would first count from 0, and its progress
    /// could not grow afterwards.
    private func fileMetrics(_ metrics: RequestTransferMetrics) -> RequestTransferMetrics {
        var metrics = metrics
        guard let section = receiver?.section, metrics.responseBytesReceived > 0 else {
            (metrics.responseBytesReceived, metrics.responseBytesTotal) = (0, nil)
            return metrics
        }
        metrics.responseBytesReceived += section.offset
        metrics.responseBytesTotal = section.total
        return metrics
    }

    var progressReportingInterval: TimeInterval { prepare().resolved.progressReportingInterval }

    var requestDescription: String {
        "GET \(PreparedText.url(prepared?.url?.absoluteString ?? resource.address)) into \(target.lastPathComponent)"
    }

    var isWaitingForTimer: Bool { isQueued || exchange.isWaitingForTimer }

    func retryNow(of resource: AnyObject) {
        if resource === self.resource { exchange.retryNow() }
    }

    // MARK: The download

    private func download(_ request: PreparedRequest) async -> ResponseInfo {
        isQueued = FileQueue.shared.isInUse(target)
        let path = await FileQueue.shared.waitForAccess(to: target) { self.isQueued = false }
        defer { FileQueue.shared.end(path) }
        guard !isCancelled else { return cancellation }
        guard request.method != "HEAD" else {
            return await failure(RequestError.Failure(.noFileContent), request)
        }
        principal = sender
        do {
            var file = try await PartialFile.open(
                for: target, requestURL: request.url?.absoluteString ?? "", principal: principal?.name)
            file.keepsRecord = usesParts
            self.file = file
            let info = await fill(file, request)
            await file.close(keepingPart: usesParts && !hasChangedPrincipal)
            return info
        } catch {
            return await failure(error, request)
        }
    }

    /// Sends requests until the file is complete. The loop ends: apart from retries, a request is repeated only after new
    /// bytes have arrived, or once to request the whole file. ``DownloadBudget`` limits the number of responses.
    private func fill(_ file: PartialFile, _ request: PreparedRequest) async -> ResponseInfo {
        point = usesParts ? file.resumePoint : nil
        var budget = DownloadBudget()
        guard !isCancelled else { return cancellation }
        exchange.clock.whileCurrent { exchange.send(request) }
        while true {
            let end = await nextEnd()
            guard !isCancelled, let receiver, let rules else { return ended(end) }
            guard case .received(let error, let redirects) = end else { return ended(end) }
            self.redirects = redirects
            let outcome = receiver.outcome(error)
            let step = receiver.step(after: outcome, &budget)
            var (info, response) = (ResponseInfo(response: .success(Self.noContent)), outcome)
            if case .fail(let failed) = step {
                (info, response) = (ResponseInfo(response: await failed.refusal(to: request)), failed)
            }
            if case .again(let next) = step { point = next } else { resume(after: receiver) }
            guard !isCancelled else { return cancellation }
            let arrival = rules.arrival(of: response, after: redirects)
            guard exchange.clock.whileCurrent({ exchange.accepts(&info, arrival) }) else { continue }
            switch step {
            case .again: exchange.clock.whileCurrent { exchange.send(request) }
            case .complete(let head): return await complete(file, head, request)
            case .fail: return info
            }
        }
    }

    /// The outcome of an attempt that has not failed, for the steps of the exchange.
    private static var noContent: Entity<Any> { Entity(headerFields: HeaderFields([:]), content: Data()) }

    /// Chooses the point at which a retry resumes, if the last attempt has received bytes of a version that can be resumed.
    private func resume(after receiver: DownloadReceiver) {
        guard let section = receiver.section, let validator = section.validator else {
            return point = receiver.section == nil ? point : nil
        }
        let offset = section.offset + receiver.count
        point = offset == 0 ? nil : ResumePoint(offset: offset, validator: validator, total: section.total)
    }

    var isRepeatable: Bool { !prepare().hasBodyStream }

    /// True if a part of the file may be kept and continued. Ranges are defined for GET only (RFC 9110 §14.2): the response
    /// to another method may depend on the body of the request, and sending the request again may have a second effect.
    private var usesParts: Bool { isResuming && prepare().method == "GET" }

    /// The user whose credential a request carries that is sent now. After the end of a session, requests carry none.
    private var sender: Principal? { .named(resource.context.authentication?.sentPrincipal) }

    func nextCall(_ obstacle: inout (any Error)?) -> TransportCall {
        let sender = sender
        if sender != principal {
            // For another user, the same validator may identify different bytes.
            (principal, hasChangedPrincipal, point) = (sender, true, nil)
            file?.keepsRecord = false
        }
        if receiver != nil, !isRepeatable { obstacle = RequestError.Failure(.unrepeatableBody) }
        if prepare().method != "GET" { point = nil }
        var call = TransportCall(prepare().urlRequest.downloading(from: point))
        let receiver = file.map { DownloadReceiver($0, asked: point) }
        (self.receiver, call.receiver) = (receiver, receiver)
        return call
    }

    func receiver(of attempt: Attempt) -> @Sendable (NetworkResponse) -> Void {
        (rules, redirects) = (attempt.rules, nil)
        receiver?.onBegin(exchange.streamBeginning(of: attempt))
        return { [request = attempt.call.request] response in
            let redirects = response.redirects(of: request)
            MainQueue.async { self.deliver(.received(response.error, redirects)) }
        }
    }

    func exchangeEnded(with info: ResponseInfo) { deliver(.ended(info)) }

    private func deliver(_ end: End) {
        if let waiting = waiting.take() { waiting.resume(returning: UncheckedSendable(end)) } else { ends.append(end) }
    }

    private func nextEnd() async -> End {
        guard ends.isEmpty else { return ends.removeFirst() }
        return await withCheckedContinuation { waiting = $0 }.value
    }

    private func ended(_ end: End) -> ResponseInfo {
        if !isCancelled, case .ended(let info) = end { info } else { cancellation }
    }

    private var cancellation: ResponseInfo { exchange.clock.whileCurrent { .cancellation } }

    private func complete(
        _ file: PartialFile, _ head: NetworkResponse.Head, _ request: PreparedRequest
    ) async -> ResponseInfo {
        guard !isCancelled else { return cancellation }
        do {
            guard try await file.complete(commitment) else { return cancellation }
            return ResponseInfo(response: .success(Entity(headerFields: head.fields, content: target)))
        } catch {
            return await failure(error, request)
        }
    }

    private func failure(_ error: any Error, _ request: PreparedRequest) async -> ResponseInfo {
        ResponseInfo(response: await NetworkResponse(error: error).refusal(to: request))
    }
}

extension URLRequest {
    /// Returns the request for the missing bytes of a file. The response must not be compressed, because ranges count
    /// the original bytes.
    fileprivate func downloading(from point: ResumePoint?) -> URLRequest {
        var request = self
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        for name in ["Range", "If-Range"] { request.setValue(point?.headers[name], forHTTPHeaderField: name) }
        return request
    }
}
