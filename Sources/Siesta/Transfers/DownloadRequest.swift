import Foundation
import Isolation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The work of a download. It makes as many exchanges with the server as the file needs.
@MainActor
final class DownloadRequest: PreparedRequestDelegate, CommittingRequestDelegate {
    let recipe: NetworkRequest.Recipe
    private let target: URL
    private let isResuming: Bool
    private var prepared: PreparedRequest?
    private var networking: (any RequestNetworking)?
    private var receiver: DownloadReceiver?
    private var estimate: ProgressEstimate?
    /// The service. A running request keeps it alive, because hooks and configuration may rely on it.
    private var service: AnyObject?
    private var isCancelled = false
    private let made = WipeCount.now
    /// The decision between giving the file its final name and cancelling the download.
    private let commitment = Commitment()
    private let authorization: TransferAuthorization
    private var resource: Resource { recipe.resource }

    init(_ recipe: NetworkRequest.Recipe, to target: URL, isResuming: Bool) {
        self.recipe = recipe
        self.target = target
        self.isResuming = isResuming
        authorization = TransferAuthorization(recipe.resource)
    }

    func repeated() -> any RequestDelegate {
        var recipe = recipe
        recipe.isRepeated = true
        return DownloadRequest(recipe, to: target, isResuming: isResuming)
    }

    func prepare() -> PreparedRequest {
        if let prepared { return prepared }
        let new = PreparedRequest(recipe)
        prepared = new
        return new
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        guard !resource.isOutdated(made) else { return completionHandler.broadcastResponse(.cancellation) }
        service = resource.context.currentService
        let request = prepare()
        if let defect = request.defect {
            return completionHandler.broadcastResponse(ResponseInfo(response: .failure(defect)))
        }
        let repeated = recipe.isRepeated ? completionHandler as? any Request : nil
        if let repeated { resource.context.repeatedRequests.begin(own: repeated) }
        Task {
            defer { if let repeated { resource.context.repeatedRequests.endOwn(repeated) } }
            var info = ResponseInfo(response: await download(request))
            if let metrics = networking?.requestMetrics { info.metrics = metrics }
            // Released after the change, because the release may run code of the app; same below.
            _ = networking.take()
            if !isCancelled {
                if receiver != nil { resource.noteWrite(request, info, by: completionHandler) }
                completionHandler.broadcastResponse(info)
            }
            _ = service.take()
        }
    }

    func cancelEffect(ifUnwanted: Bool) -> Bool { commitment.cancel() }

    func cancelUnderlyingOperation() {
        isCancelled = true
        authorization.cancel()
        networking?.cancel()
        // If there is a receiver, a request was sent, and its response is not awaited any longer.
        if receiver != nil, let prepared { resource.noteWrite(prepared, nil, by: nil) }
    }

    // MARK: Progress and description

    func computeProgress() -> Double {
        guard let networking else { return estimate?.value ?? 0 }
        let metrics = fileMetrics(networking.transferMetrics)
        let now = resource.context.clock.monotonicTime
        var current = estimate ?? ProgressEstimate(startedAt: now, requestBytesTotal: nil)
        current.update(metrics, at: now)
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

    // MARK: The download

    private func download(_ request: PreparedRequest) async -> Response {
        let path = await FileQueue.shared.waitForAccess(to: target)
        defer { FileQueue.shared.end(path) }
        guard !isCancelled else { return .failure(.cancelled()) }
        guard request.method != "HEAD" else {
            return await failure(RequestError.Cause.NoFileContent(), request)
        }
        do {
            let file = try await PartialFile.open(
                for: target, requestURL: request.url?.absoluteString ?? "",
                principal: authorization.principal(of: request))
            let response = await fill(file, request)
            await file.close(keepingPart: isResuming)
            return response
        } catch {
            return await failure(error, request)
        }
    }

    /// Sends requests until the file is complete. The loop ends: a request is repeated only after new bytes have
    /// arrived, or once to request the whole file. ``DownloadBudget`` limits the number of responses.
    private func fill(_ file: PartialFile, _ request: PreparedRequest) async -> Response {
        var point = isResuming ? file.resumePoint : nil
        var budget = DownloadBudget()
        while true {
            guard !isCancelled else { return .failure(.cancelled()) }
            let receiver = DownloadReceiver(file, asked: point)
            let authorized: TransferAuthorization.Authorized
            do throws(RequestError) {
                authorized = try await authorization.authorized(
                    request, as: request.urlRequest.downloading(from: point))
            } catch {
                return .failure(error)
            }
            guard !isCancelled, !resource.isOutdated(made) else { return .failure(.cancelled()) }
            let error = await exchange(authorized, receiver)
            if receiver.isUseless, !isCancelled {
                point = nil
                continue
            }
            if receiver.isContradictory, !isCancelled { return await receiver.refusal.refusal(to: request) }
            guard error == nil, let head = receiver.head else {
                return await NetworkResponse(error: error).refusal(to: request)
            }
            guard let section = receiver.section else {
                let refusal = receiver.refusal
                guard authorization.isRepeated(after: refusal) else { return await refusal.refusal(to: request) }
                continue
            }
            guard let isComplete = section.completes(with: receiver.count) else {
                return await failure(URLError(.networkConnectionLost), request)
            }
            if !isComplete, let validator = section.validator {
                guard budget.allowsStep(after: receiver.count) else {
                    return await failure(RequestError.Cause.TooManyPartialResponses(count: budget.steps), request)
                }
                point = ResumePoint(offset: section.offset + receiver.count, validator: validator, total: section.total)
                continue
            }
            return await complete(file, head, request)
        }
    }

    private func exchange(
        _ request: TransferAuthorization.Authorized, _ receiver: DownloadReceiver
    ) async -> (any Error)? {
        self.receiver = receiver
        return await withCheckedContinuation { continuation in
            let waiting = Locked<CheckedContinuation<(any Error)?, Never>?>(continuation)
            let started = resource.context.starter.start(
                request.request, receiver: receiver, extras: request.extras
            ) { _, _, error in
                waiting.withLock { $0.take() }?.resume(returning: receiver.failure(error))
            }
            _ = Swift.exchange(&networking, with: started)
            if isCancelled { started.cancel() }
        }
    }

    private func complete(
        _ file: PartialFile, _ head: NetworkResponse.Head, _ request: PreparedRequest
    ) async -> Response {
        guard !isCancelled else { return .failure(.cancelled()) }
        do {
            guard try await file.complete(commitment) else { return .failure(.cancelled()) }
            return .success(Entity(headerFields: head.fields, content: target))
        } catch {
            return await failure(error, request)
        }
    }

    private func failure(_ error: any Error, _ request: PreparedRequest) async -> Response {
        await NetworkResponse(error: error).refusal(to: request)
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
