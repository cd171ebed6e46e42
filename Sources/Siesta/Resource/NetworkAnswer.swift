import Dispatch
import Foundation

/// What a networking provider returned for one request, on whatever thread it did so.
struct NetworkAnswer: Sendable {
    let received: ProviderAnswer
    let clock: SiestaClock

    /// Runs the answer through the pipeline, off the main thread, and calls back on the main actor.
    ///
    /// An answer that no transformer looks at goes to the main actor directly.
    func process(_ processing: ResponseProcessing, completion: @escaping @MainActor (ProcessedAnswer) -> Void) {
        SiestaLog.log(
            .networkDetails,
            [
                "Response headers:", LoggedHeaders(received.head?.fields.dictionary ?? [:]), "body:",
                received.body?.count ?? 0, "bytes",
            ])
        let raw = interpret()
        guard !isNotModified, processing.hasCache || !processing.ignores(raw) else {
            let answer = UncheckedTransfer(ProcessedAnswer(response: raw, isNotModified: isNotModified))
            return MainQueue.queue.async { MainActor.assumeIsolated { completion(answer.value) } }
        }
        let transfer = UncheckedTransfer(raw)
        DispatchQueue.global(qos: .userInitiated).async {
            let (response, outputs) = clock.whileCurrent {
                processing.process(transfer.value, hasNoContent: hasNoContent)
            }
            let answer = UncheckedTransfer(ProcessedAnswer(response: response, outputs: isWhole ? outputs : []))
            MainQueue.async { completion(answer.value) }
        }
    }

    /// An error, or a status of 400 and above, is a failure; everything else is a success.
    private func interpret() -> Response {
        if let error = received.error, isCancellation(error) {
            return clock.whileCurrent { .failure(.cancelled(networkError: error)) }
        }
        let (head, body) = (received.head, received.body)
        let isFailure = received.error != nil || (head?.status ?? 200) >= 400
        guard isFailure else {
            let fields = head?.fields ?? HeaderFields([:])
            return .success(Entity(headerFields: fields, content: body ?? Data(), clock: clock))
        }
        let content = body ?? (head == nil ? nil : Data())
        return .failure(
            RequestError(
                statusCode: head?.status, headerFields: head?.fields, content: content, cause: received.error,
                userMessage: nil, clock: clock))
    }

    private func isCancellation(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSURLErrorDomain && error.code == URLError.cancelled.rawValue
    }

    private var isNotModified: Bool { received.error == nil && received.head?.status == 304 }

    /// Whether the content is all there is, and not a range or a difference (RFC 9110 §15.3.7, RFC 3229).
    private var isWhole: Bool {
        received.head.map { ![206, 226].contains($0.status) && $0.fields["content-range"] == nil } ?? true
    }

    private var hasNoContent: Bool {
        (received.head?.status == 204 || received.head?.status == 205) && (received.body ?? Data()).isEmpty
    }
}

/// An answer that has been through the pipeline.
struct ProcessedAnswer {
    var response: Response
    var outputs: [ResponseProcessing.CacheableOutput] = []
    var isNotModified = false
}
