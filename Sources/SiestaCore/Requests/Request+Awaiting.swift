public import Foundation

extension Request {
    /// Waits until the request has completed. Returns the entity of its response, or throws its error.
    ///
    ///     let user = try await service.resource("/users/42").load().value
    ///
    /// Starts the request if it has not been started. Any number of tasks may wait for the same request. Hooks that
    /// were attached before the call run before the wait ends.
    ///
    /// If the waiting task is cancelled, the wait ends at once with the cause ``RequestError/Cause/RequestCancelled``.
    /// The request itself is cancelled, too, unless another waiting task, a hook, or an observer of the loaded resource
    /// needs its outcome. Hooks that decorators attach to all requests do not count.
    ///
    /// A task that is already cancelled sends no request: a request that it starts completes as cancelled at once. To
    /// send a request nevertheless, start it in a separate `Task`. This rule does not apply to loads by
    /// ``Resource/load()``, ``Resource/load(using:)`` and ``Resource/loadIfNeeded()``, because several tasks may share
    /// a load.
    public var value: Entity<Any> {
        get async throws(RequestError) { try await response.response.get() }
    }

    /// Waits in the same way as ``value``, and returns the response, either a success or a failure.
    public var response: ResponseInfo {
        get async { await RequestWaiter.response(of: self) }
    }

    /// Waits in the same way as ``value``, and returns the content as a value of type `Content`.
    ///
    /// The content is the value that the pipeline has made of the response. To decode the body of the response into
    /// another type, use ``decoded(as:decoder:)``. `Void` accepts every success except a redirect that was not followed,
    /// and thus every status from 200 to 299:
    ///
    ///     try await user.request(.delete).content(as: Void.self)
    ///
    /// - Throws: The request's error. If the content is of another type, an error with the cause
    ///   ``RequestError/Code/wrongContentType``, which names both types. For `Void`, an error with the cause
    ///   ``RequestError/Code/redirectNotFollowed`` if the response is such a redirect.
    public func content<Content: Sendable>(
        as type: Content.Type = Content.self
    ) async throws(RequestError) -> Content {
        let info = await response
        let entity = try info.response.get()
        if let content = entity.content as? Content { return content }
        return try FinishedResponse(entity, info).content(as: type)
    }

    /// Waits in the same way as ``value``, and returns the response with its status, headers, body and content, as a
    /// value that any task can use.
    ///
    ///     let response = try await service.resource("/reports").request(.post, json: ["year": 2026]).finished()
    ///     print(response.status ?? 0, response.header(forKey: "Location") ?? "no location")
    ///
    /// - Throws: The request's error, for example for a status of 400 or more. Then the error has the status
    ///   (``RequestError/httpStatusCode``), and its ``RequestError/entity`` has the headers and the content.
    @discardableResult
    public func finished() async throws(RequestError) -> FinishedResponse {
        let info = await response
        return FinishedResponse(try info.response.get(), info)
    }

    /// Waits in the same way as ``value``, and returns the response as a value of type `Content`.
    ///
    ///     let created = try await users.request(.post, body: ada).decoded(as: User.self)
    ///
    /// If the pipeline has made a `Content` of the response, returns this content. Otherwise decodes the JSON in the
    /// body of the response; see ``FinishedResponse/decoded(as:decoder:)``. Decodes off the main actor, unless the
    /// conformance of `Content` to `Decodable` is isolated to the main actor. All conformances are, in a module whose
    /// default isolation is `MainActor`, except those of `nonisolated` types.
    ///
    /// - Parameters:
    ///   - type: The type of the result.
    ///   - decoder: The decoder for the body; nil for the ``Configuration/jsonDecoder`` of the request.
    /// - Throws: The request's error, or the errors of ``FinishedResponse/decoded(as:decoder:)``.
    public func decoded<Content: Decodable>(
        as type: Content.Type = Content.self, decoder: JSONDecoder? = nil
    ) async throws(RequestError) -> Content {
        let response = try await finished()
        guard let content: Result<Content, RequestError> = await response.decodedInBackground(with: decoder) else {
            return try response.decoded(as: type, decoder: decoder)
        }
        return try content.get()
    }
}

extension Entity {
    /// Returns the content if it is of type `NewContent`, and nil otherwise. Every content is a `Void`.
    package func cast<NewContent>(to type: NewContent.Type) -> NewContent? {
        content as? NewContent ?? () as? NewContent
    }

    /// Returns the error for content that is not of type `NewContent`; nil if the content is of that type.
    package func mismatch<NewContent>(with type: NewContent.Type) -> RequestError? {
        cast(to: type) == nil ? mismatch(type) : nil
    }

    /// Returns the error for content that is not of the type `type`. `remedy` completes the description of its cause.
    func mismatch(_ type: Any.Type, remedy: String? = nil) -> RequestError {
        var cause = RequestError.Cause.WrongContentType(
            expectedType: type, actualType: Swift.type(of: content as Any))
        cause.remedy = remedy
        return RequestError(userMessage: UserMessages.current.cannotParseResponse, cause: cause)
    }
}
