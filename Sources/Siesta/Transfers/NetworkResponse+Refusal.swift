import Foundation

extension NetworkResponse {
    /// Returns the response for a request to which the server did not send a success. Runs it through the resource's
    /// pipeline, as for any request.
    @MainActor
    func refusal(to request: PreparedRequest, _ recipe: NetworkRequest.Recipe) async -> Response {
        var response = await processed(request, recipe.resource.context.clock).value
        if case .success = response, let head, head.status < 400 {  // For example, a redirect without an address.
            response = .failure(plainError(for: request, recipe))
        }
        guard case .failure(var error) = response else { return response }
        error.requestURL = request.url(recipe)
        error.requestMethod = request.method(recipe)
        return .failure(error)
    }

    /// Returns the error for this response without running it through the pipeline.
    @MainActor
    func plainError(for request: PreparedRequest, _ recipe: NetworkRequest.Recipe) -> RequestError {
        var plain = RequestError(
            statusCode: head?.status, headerFields: head?.fields, content: body, cause: error, userMessage: nil,
            clock: recipe.resource.context.clock)
        plain.requestURL = request.url(recipe)
        plain.requestMethod = request.method(recipe)
        return plain
    }

    @MainActor
    private func processed(_ request: PreparedRequest, _ clock: SiestaClock) async -> UncheckedSendable<Response> {
        var content = self
        content.isContent = true
        return await withCheckedContinuation { continuation in
            clock.whileCurrent {
                content.process(request.resolved.processing) { info, _ in
                    continuation.resume(returning: UncheckedSendable(info.response))
                }
            }
        }
    }
}
