import Foundation

extension NetworkResponse {
    /// Returns the failure of a request to which the server did not send a success. Runs the response through the resource's
    /// pipeline, as for any request. If the pipeline makes a success of it, this is neither the stream nor the file that was
    /// asked for, and the failure is that of the response itself.
    @MainActor
    package func refusal(to request: PreparedRequest) async -> Response {
        switch await processed(for: request).value {
        case .success: .failure(plainError(for: request))
        case .failure(let error): .failure(request.error(error))
        }
    }

    /// Returns the error for this response without running it through the pipeline.
    @MainActor
    private func plainError(for request: PreparedRequest) -> RequestError {
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
