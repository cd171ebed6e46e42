import Foundation

extension ProviderAnswer {
    /// What an answer that is no success comes to: through the resource's pipeline, as that of any request.
    @MainActor
    func refusal(to request: PreparedRequest, clock: SiestaClock) async -> Response {
        var response = await processed(request, clock).value.response
        if case .success = response, let head, head.status < 400 {  // a redirect that leads nowhere, say
            response = .failure(
                RequestError(
                    statusCode: head.status, headerFields: head.fields, content: body, cause: nil, userMessage: nil,
                    clock: clock))
        }
        guard case .failure(var error) = response else { return response }
        error.requestURL = request.url
        error.requestMethod = request.method
        return .failure(error)
    }

    @MainActor
    private func processed(_ request: PreparedRequest, _ clock: SiestaClock) async -> UncheckedTransfer<ProcessedAnswer>
    {
        await withCheckedContinuation { continuation in
            NetworkAnswer(received: self, clock: clock).process(request.resolved.processing) { answer in
                continuation.resume(returning: UncheckedTransfer(answer))
            }
        }
    }
}
