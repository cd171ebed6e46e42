extension Request {
    /// Waits until the request has completed, and returns its response as a value that any task can use. The response
    /// contains the status, headers, body and content.
    ///
    ///     let created = try await users.request(.post, body: .encoded(ada)).value.decoded(as: User.self)
    ///     let report = try await api.resource("/reports").request(.post, body: .json(["year": 2026])).value
    ///     print(report.status ?? 0, report.header(forKey: "Location") ?? "no location")
    ///
    /// To check only whether the request succeeds, get the content as `Void`:
    ///
    ///     try await user.request(.delete).value.content(as: Void.self)
    ///
    /// Starts the request if it has not been started. Any number of tasks may wait for the same request. When the
    /// request completes, hooks that were attached earlier run before the waiting tasks resume.
    ///
    /// If the waiting task is cancelled, the wait ends at once with an error whose cause is
    /// ``RequestError/Cause/RequestCancelled``. The request itself is also cancelled, unless another waiting task, a
    /// hook, or an observer of the loaded resource needs the outcome. Hooks for progress, and hooks that decorators
    /// attach, do not keep the request running. However, if the request is a download whose file already has its final
    /// name, neither the wait nor the request is cancelled.
    ///
    /// If a task that is already cancelled starts a request, the request is cancelled at once, and is not sent. To send
    /// the request anyway, start it in a separate `Task`. However, if a cancelled task starts a load with
    /// ``Resource/load()``, ``Resource/load(using:)`` or ``Resource/loadIfNeeded()``, the start itself does not cancel
    /// the load, because several tasks may share it.
    ///
    /// - Throws: The request's error. If the status is 400 or more, the error contains the status
    ///   (``RequestError/httpStatusCode``), and its ``RequestError/entity`` contains the headers and the content.
    public var value: FinishedResponse {
        get async throws(RequestError) {
            let info = await response
            return FinishedResponse(try info.response.get(), info)
        }
    }

    /// Waits in the same way as ``value``, and returns the response, either a success or a failure.
    package var response: ResponseInfo {
        get async { await RequestWaiter.response(of: self) }
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
        let remedy = remedy ?? "is there a rule service.decode(…, as: \(type).self) for this URL and method?"
        let reason =
            "expected content of type \(type), but the pipeline made \(Swift.type(of: content as Any)) of the response; "
        return RequestError(.init(.wrongContentType, reason: reason + remedy))
    }
}
