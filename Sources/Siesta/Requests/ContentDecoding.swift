import Foundation

extension Request {
    /// Returns a request that succeeds only with content of type `Content`. Decodes the body of the response if the
    /// pipeline has not made such content of it.
    @MainActor
    func typed<Content: Sendable>(as type: Content.Type) -> any Request {
        let heartbeat = (self as? LiveRequest)?.heartbeat ?? .shared(for: .current)
        return chained { info in
            guard info.isNew, !info.isRedirect, case .success(let entity) = info.response,
                entity.content(as: type) == nil
            else { return .useThisResponse }
            return .passTo(LiveRequest(delegate: ContentDecoding<Content>(info, entity), heartbeat: heartbeat))
        }
    }
}

/// The work of decoding the body of a response: off the main actor, unless the type's conformance to `Decodable` is
/// isolated to the main actor.
@MainActor
private struct ContentDecoding<Content: Sendable>: RequestDelegate {
    private let info: ResponseInfo
    private let entity: Entity<Any>

    init(_ info: ResponseInfo, _ entity: Entity<Any>) {
        (self.info, self.entity) = (info, entity)
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        let response = FinishedResponse(entity, info)
        Task {
            var info = info
            let content = await Self.contentInBackground(of: response) ?? Self.content(of: response)
            info.response = (content ?? .failure(response.mismatch(Content.self, remedy: nil))).map {
                entity.withContent($0)
            }
            completionHandler.broadcastResponse(info)
        }
    }

    func cancelUnderlyingOperation() {}

    func repeated() -> any RequestDelegate { self }

    var requestDescription: String { "Decoding to \(Content.self)" }

    @concurrent
    private static func contentInBackground(of response: FinishedResponse) async -> Result<Content, RequestError>? {
        content(of: response)
    }

    /// Returns nil if the type has no conformance to `Decodable` that may be used on the current thread. A cast of the
    /// type itself does not tell this: it succeeds on every thread.
    private nonisolated static func content(of response: FinishedResponse) -> Result<Content, RequestError>? {
        guard ConformanceIsolation(Content.self).allowsUse, let type = Content.self as? any Decodable.Type else {
            return nil
        }
        return Result { () throws(RequestError) in
            guard let content = try response.decode(type, with: nil) as? Content else {
                throw response.mismatch(Content.self, remedy: nil)
            }
            return content
        }
    }
}
