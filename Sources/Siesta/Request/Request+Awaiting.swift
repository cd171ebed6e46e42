extension Request {
    /// Waits until the request has completed, and returns what it brought or throws why it failed.
    ///
    ///     let user = try await service.resource("/users/42").load().value
    ///
    /// A request that has not been started is started. Any number of tasks may wait for the same request; hooks that
    /// were attached earlier have run before the wait ends.
    ///
    /// If the waiting task is cancelled, the wait ends at once with the cause ``RequestError/Cause/RequestCancelled``.
    /// The request itself is cancelled, too, unless somebody else is interested in it: another waiting task, a hook, or
    /// an observer of the resource that it loads. Hooks that decorators attach to all requests do not count.
    ///
    /// A task that is cancelled already sends no request: a request that it starts completes as cancelled at once. Start
    /// a request that must be sent all the same in a `Task` of its own. The loads that ``Resource/load()``,
    /// ``Resource/load(using:)`` and ``Resource/loadIfNeeded()`` start are not affected, since others share them.
    public var value: Entity<Any> {
        get async throws(RequestError) { try await response.response.get() }
    }

    /// Waits until the request has completed, and returns its response whatever it is; otherwise the same as ``value``.
    public var response: ResponseInfo {
        get async { await RequestWaiter.response(of: self) }
    }

    /// Waits as ``value`` does, and returns the content if it is of the type `Content`.
    ///
    /// - Throws: the request's error, or one with the cause ``RequestError/Cause/WrongContentType`` that names both
    ///   types.
    public func content<Content: Sendable>(
        as type: Content.Type = Content.self
    ) async throws(RequestError) -> Content {
        try await value.requiredContent(as: type)
    }
}

extension Entity {
    /// The content if it is of the type `NewContent`.
    ///
    /// - Throws: an error with the cause ``RequestError/Cause/WrongContentType`` that names both types.
    func requiredContent<NewContent>(as type: NewContent.Type) throws(RequestError) -> NewContent {
        if let content = content as? NewContent { return content }
        throw mismatch(type)
    }

    /// The error that says so if the content is not of the type `NewContent`.
    func mismatch<NewContent>(with type: NewContent.Type) -> RequestError? {
        content is NewContent ? nil : mismatch(type)
    }

    private func mismatch(_ type: Any.Type) -> RequestError {
        RequestError(
            userMessage: UserMessages.current.cannotParseResponse,
            cause: RequestError.Cause.WrongContentType(expectedType: type, actualType: Swift.type(of: content as Any)))
    }
}
