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
    /// - Throws: The request's error, or an error with the cause ``RequestError/Cause/WrongContentType``, which names
    ///   both types, if the content is of another type.
    public func content<Content: Sendable>(
        as type: Content.Type = Content.self
    ) async throws(RequestError) -> Content {
        try await value.requiredContent(as: type)
    }
}

extension Entity {
    /// Returns the content as a value of type `NewContent`.
    ///
    /// - Throws: If the content is of another type, an error with the cause ``RequestError/Cause/WrongContentType``,
    ///   which names both types.
    func requiredContent<NewContent>(as type: NewContent.Type) throws(RequestError) -> NewContent {
        if let content = content as? NewContent { return content }
        throw mismatch(type)
    }

    /// Returns the error for content that is not of type `NewContent`; nil if the content is of that type.
    func mismatch<NewContent>(with type: NewContent.Type) -> RequestError? {
        content is NewContent ? nil : mismatch(type)
    }

    private func mismatch(_ type: Any.Type) -> RequestError {
        RequestError(
            userMessage: UserMessages.current.cannotParseResponse,
            cause: RequestError.Cause.WrongContentType(expectedType: type, actualType: Swift.type(of: content as Any)))
    }
}
