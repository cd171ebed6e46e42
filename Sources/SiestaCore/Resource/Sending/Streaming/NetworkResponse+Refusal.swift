import Foundation

extension NetworkResponse {
    /// Returns the response for a request to which the server did not send a success. Runs it through the resource's
    /// pipeline, as for any request.
    @MainActor
    package func refusal(to request: PreparedRequest) async -> Response {
        let response = await processed(for: request).value
        if case .success = response, let head, head.status < 400 {  // For example, a redirect without an address.
            return .failure(plainError(for: request))
        }
        return response.mapError { request.error($0) }
    }

    /// Returns the error for this response without running it through the pipeline.
    @MainActor
    package func plainError(for request: PreparedRequest) -> RequestError {
        request.error(
            request.clock.whileCalling {
                RequestError(statusCode: head?.status, headerFields: head?.fields, content: body, cause: error)
            })
    }

    @MainActor
    private func processed(for request: PreparedRequest) async -> UncheckedSendable<Response> {
        await withCheckedContinuation { continuation in
            request.clock.whileCalling {
                process(request.resolved.processing, isContent: true) { info, _ in
                    continuation.resume(returning: UncheckedSendable(info.response))
                }
            }
        }
    }
}
