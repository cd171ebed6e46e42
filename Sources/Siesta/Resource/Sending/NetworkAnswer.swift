import Dispatch
import Foundation

/// The response or error that a networking provider returned for one request. Any thread may use it.
///
/// The provider's thread may be the only thread of a transport. Therefore this type does no work on that thread whose
/// cost the server controls.
struct NetworkAnswer: Sendable {
    let received: ProviderAnswer
    let clock: SiestaClock
    /// True if the response is meant to be the content of a resource or a file. Then a redirect is a failure.
    var isContent = false

    /// Runs the response through the pipeline, off the main thread, and calls back on the main actor.
    ///
    /// A response that needs no parsing, and that no transformer accepts, goes to the main actor directly.
    func process(
        _ processing: ResponseProcessing, watch: MainQueueWatch = .shared,
        completion: @escaping @MainActor (ProcessedAnswer) -> Void
    ) {
        let contentType = received.head?.fields["content-type"]
        if isCheapToInterpret(contentType) {
            let raw = interpret()
            let known = isFailure ? nil : contentType
            if isNotModified || !processing.hasCache && processing.ignores(raw, contentType: known) {
                guard SiestaLog.Category.networkDetails.isEnabled else {
                    return handOver(processed(raw), watch, completion)
                }
                return handOver(processed(raw), watch) {
                    logDetails()
                    completion($0)
                }
            }
        }
        DispatchQueue.global(qos: .userInitiated).async {
            handOver(processInBackground(processing), watch, completion)
        }
    }

    /// Passes the response to the main actor. Uses the watch only if its message would be logged.
    private func handOver(
        _ answer: ProcessedAnswer, _ watch: MainQueueWatch, _ completion: @escaping @MainActor (ProcessedAnswer) -> Void
    ) {
        let answer = UncheckedSendable(answer)
        let watch = SiestaLog.Category.network.isEnabled ? watch : nil
        watch?.handOver()
        MainQueue.queue.async {
            MainActor.assumeIsolated {
                watch?.take()
                completion(answer.value)
            }
        }
    }

    private func processInBackground(_ processing: ResponseProcessing) -> ProcessedAnswer {
        logDetails()
        let raw = interpret()
        guard !isNotModified else { return processed(raw) }
        let (response, outputs) = clock.whileCurrent { processing.process(raw, hasNoContent: hasNoContent) }
        return processed(response, outputs: isWhole ? outputs : [])
    }

    private func logDetails() {
        SiestaLog.log(
            .networkDetails,
            [
                "Response headers:", LoggedHeaders(received.head?.fields.dictionary ?? [:]), "body:",
                received.body?.count ?? 0, "bytes",
            ])
    }

    private func processed(
        _ response: Response, outputs: [CacheableOutput] = []
    ) -> ProcessedAnswer {
        ProcessedAnswer(
            response: response, outputs: outputs, isNotModified: isNotModified,
            redirectStatus: isRedirect ? Int16(received.head?.status ?? 0) : 0)
    }

    /// Returns true if a `Response` can be made without parsing. The server does not control the cost of such a
    /// response.
    private func isCheapToInterpret(_ contentType: String?) -> Bool {
        guard let contentType else { return true }
        return contentType.utf8.count <= 256 && !(isFailure && ProblemDetails.isContentType(contentType))
    }

    /// Returns a failure for an error, a status of 400 and above, or a redirect in place of content; otherwise a
    /// success.
    private func interpret() -> Response {
        if let error = received.error, isCancellation(error) {
            return clock.whileCurrent { .failure(.cancelled(networkError: error)) }
        }
        let (head, body) = (received.head, received.body)
        guard isFailure else {
            let fields = head?.fields ?? HeaderFields([:])
            return .success(Entity(headerFields: fields, content: body ?? Data(), clock: clock))
        }
        let content = body ?? (head == nil ? nil : Data())
        return .failure(
            RequestError(
                statusCode: head?.status, headerFields: head?.fields, content: content,
                cause: received.error ?? refusedRedirect, userMessage: nil, clock: clock))
    }

    private var isFailure: Bool {
        received.error != nil || (received.head?.status ?? 200) >= 400 || refusedRedirect != nil
    }

    private var refusedRedirect: RequestError.Cause.RedirectNotFollowed? {
        guard isContent, isRedirect, let head = received.head else { return nil }
        return RequestError.Cause.RedirectNotFollowed(statusCode: head.status)
    }

    private func isCancellation(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSURLErrorDomain && error.code == URLError.cancelled.rawValue
    }

    private var isNotModified: Bool { received.error == nil && received.head?.status == 304 }

    /// True if the response is a redirect that was not followed (RFC 9110 §15.4).
    private var isRedirect: Bool {
        received.head.map { (300...399).contains($0.status) } ?? false && !isNotModified
    }

    /// True if the body is the complete content, and not a range or a difference (RFC 9110 §15.3.7, RFC 3229).
    private var isWhole: Bool {
        !isRedirect
            && received.head.map { ![206, 226].contains($0.status) && $0.fields["content-range"] == nil } ?? true
    }

    /// True for a success without a body. There is nothing to convert.
    private var hasNoContent: Bool {
        (200...299).contains(received.head?.status ?? 200) && received.body?.isEmpty ?? true
    }
}

/// A response that the pipeline has processed.
struct ProcessedAnswer {
    var response: Response
    var outputs: [CacheableOutput] = []
    var isNotModified = false
    /// The status code of a redirect that was not followed; 0 for any other response.
    var redirectStatus: Int16 = 0
}
