package import Foundation

extension Request {
    /// Returns a request that succeeds only with content of type `Content`. Decodes the body of the response if the
    /// pipeline has not made such content of it.
    @MainActor
    func typed<Content: Sendable>(as type: Content.Type) -> any Request {
        let heartbeat = live?.heartbeat ?? .shared(for: .current)
        return chained { info in
            guard info.isNew, !info.isRedirect, case .success(let entity) = info.response,
                entity.cast(to: type) == nil
            else { return .useThisResponse }
            return .passTo(LiveRequest(delegate: ContentDecoding<Content>(info, entity), heartbeat: heartbeat))
        }
    }
}

/// The work of decoding the body of a response.
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
            let content: Result<Content, RequestError>? = await response.decodedInBackground(with: nil)
            info.response = (content ?? .failure(response.mismatch(Content.self, remedy: nil))).map {
                entity.withContent($0)
            }
            completionHandler.broadcastResponse(info)
        }
    }

    func cancelUnderlyingOperation() {}

    func repeated() -> any RequestDelegate { self }

    var requestDescription: String { "Decoding to \(Content.self)" }
}

extension FinishedResponse {
    /// Returns the response as a `Content`, as `decoded(as:decoder:)` does. Decodes off the main actor, unless the type's
    /// conformance to `Decodable` is isolated to the main actor. Returns nil if the type does not conform.
    package func decodedInBackground<Content>(with decoder: JSONDecoder?) async -> Result<Content, RequestError>? {
        if let content: Result<Content, RequestError> = await contentInBackground(with: decoder).value {
            return content
        }
        return await contentOnMainActor(with: decoder).value
    }

    @MainActor
    private func contentOnMainActor<Content>(
        with decoder: JSONDecoder?
    ) -> UncheckedSendable<Result<Content, RequestError>?> {
        UncheckedSendable(contentWhereAllowed(with: decoder))
    }

    /// The wrapper is sound, because only the caller receives a content that was decoded here.
    @concurrent
    private func contentInBackground<Content>(
        with decoder: JSONDecoder?
    ) async -> UncheckedSendable<Result<Content, RequestError>?> {
        UncheckedSendable(contentWhereAllowed(with: decoder))
    }

    /// Returns nil if the type has no conformance to `Decodable` that may be used on the current thread. A cast of the
    /// type itself does not tell this: it succeeds on every thread.
    private func contentWhereAllowed<Content>(with decoder: JSONDecoder?) -> Result<Content, RequestError>? {
        guard ConformanceIsolation(Content.self).allowsUse, let type = Content.self as? any Decodable.Type else {
            return nil
        }
        return Result { () throws(RequestError) in
            guard let content = try decodedHere(as: type, with: decoder) as? Content else {
                throw mismatch(Content.self, remedy: nil)
            }
            return content
        }
    }
}
