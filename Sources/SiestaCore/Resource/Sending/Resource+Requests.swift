public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Resource {
    /// Starts a request of this resource with the configured options. This method is slightly faster than
    /// ``request(_:requestMutation:)`` without a mutation.
    public func request(_ method: RequestMethod) -> any Request {
        MainQueue.check("Resource.request(_:)")
        return request(NetworkRequest.Recipe(resource: self, method: method, mutation: nil))
    }

    /// Starts a request of this resource. The request neither changes the resource's state nor notifies its observers.
    ///
    /// The library sets the method and the headers that are configured for this method, then calls `requestMutation`,
    /// and then the closures of ``Configuration/mutateRequests(with:)``. If `requestMutation` or one of these closures
    /// changes the method, the pipeline and the decorators for the new method apply. If the new method is not a
    /// ``RequestMethod``, those for GET apply.
    public func request(_ method: RequestMethod, requestMutation: @escaping RequestMutation = { _ in }) -> any Request {
        MainQueue.check("Resource.request(_:)")
        return request(NetworkRequest.Recipe(resource: self, method: method, mutation: requestMutation))
    }

    /// Starts a request with a method that is not a ``RequestMethod``, such as `QUERY` or `REPORT`. The method is sent
    /// exactly as given.
    ///
    /// The request uses the options that are configured for GET, and does not write to persistent caches.
    public func request(method: String, requestMutation: @escaping RequestMutation = { _ in }) -> any Request {
        request(.get) { request in
            request.httpMethod = method
            requestMutation(&request)
        }
    }

    /// Starts a request with a body.
    ///
    ///     let created = try await users.request(.post, body: .encoded(ada)).value.decoded(as: User.self)
    ///
    /// - Parameters:
    ///   - method: The HTTP method of the request.
    ///   - body: The body to send, and its content type.
    ///   - requestMutation: A closure that changes the request after its body has been set.
    public func request(
        _ method: RequestMethod, body: RequestBody, requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        MainQueue.check("Resource.request(_:body:requestMutation:)")
        do {
            let body = try body.encoded(for: self, method)
            return request(.init(resource: self, method: method, body: body, mutation: requestMutation))
        } catch {
            return unsendable(error)
        }
    }

    /// Starts a request with bytes as its body; see ``RequestBody/data(_:contentType:)``.
    public func request(
        _ method: RequestMethod, data: Data, contentType: String, requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        request(method, body: .data(data, contentType: contentType), requestMutation: requestMutation)
    }

    /// Starts a request with text as its body; see ``RequestBody/text(_:contentType:encoding:)``.
    public func request(
        _ method: RequestMethod, text: String, contentType: String = "text/plain", encoding: String.Encoding = .utf8,
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        let body = RequestBody.text(text, contentType: contentType, encoding: encoding)
        return request(method, body: body, requestMutation: requestMutation)
    }

    /// Starts a request with a JSON object or array as its body; see ``RequestBody/json(_:contentType:)``.
    public func request(
        _ method: RequestMethod, json: any JSONConvertible, contentType: String = "application/json",
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        request(method, body: .json(json, contentType: contentType), requestMutation: requestMutation)
    }

    /// Starts a request with form parameters as its body; see ``RequestBody/form(_:)``.
    public func request(
        _ method: RequestMethod, urlEncoded params: [String: String],
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        request(method, body: .form(params), requestMutation: requestMutation)
    }

    /// Creates the request of `recipe`, applies the decorators, and starts the result.
    package func request(_ recipe: consuming NetworkRequest.Recipe) -> any Request { request(NetworkRequest(recipe)) }

    /// Creates the request for `work`, applies the decorators, and starts the result.
    package func request(_ work: some PreparedRequestDelegate) -> any Request {
        MainQueue.checkInDebug("Resource.request(_:)")
        guard !isPeculiar else { return peculiarRequest(work) }
        return begin(work)
    }

    /// Starts a request of a resource whose loads have a body. If the resource is invalid, the request fails.
    private func peculiarRequest(_ work: some PreparedRequestDelegate) -> any Request {
        guard let loadBody else {
            return context.clock.whileCalling {
                var error = RequestError(userMessage: peculiarityMessage, cause: peculiarityCause)
                if invalidURLSource == nil, case .invalidBody = peculiarity { error.setRequest(url, method: nil) }
                return Self.failedRequest(returning: error)
            }
        }
        guard let work = work as? NetworkRequest else { return begin(work) }
        return begin(work.replacingRecipe(by: loadBody.recipe(for: work.recipe)))
    }

    private var peculiarityMessage: String {
        if case .invalidBody = peculiarity { return UserMessages.current.cannotSendRequest }
        return UserMessages.current.invalidURL
    }

    @inline(__always)
    private func begin(_ work: some PreparedRequestDelegate) -> any Request {
        let plain = LiveRequest(delegate: work, heartbeat: context.heartbeat)
        let decorators = work.prepare().resolved.configuration.requestDecorators
        guard !decorators.isEmpty else {
            begin(own: plain)
            plain.attach(.owner(self, keeping: nil))
            return plain.start()
        }
        let time = context.clock.monotonicTime
        guard let lineage = RequestLineage.current.decorated(work.lineageKey, at: time) else {
            return failForLineage(work)
        }
        let request = lineage.whileDecorating {
            context.clock.whileCalling {
                decorators.reduce(plain as any Request) { request, decorate in decorate(self, request) }
            }
        }
        begin(own: request)
        let service = context.currentService  // A decorator's request may outlive the original one.
        guard let live = request.live else {
            return request.onCompletion { _ in
                self.ownRequestCompleted(request)
                extendLifetime(service)
            }.start()
        }
        let isInUse = live.isInUse  // A decorator may return a request that others wait for.
        live.attach(.owner(self, keeping: service))
        if !isInUse { live.endDecoration() }
        return live.start()
    }

    private func failForLineage(_ work: some PreparedRequestDelegate) -> any Request {
        context.clock.whileCalling {
            Self.failedRequest(returning: RequestLineage.current.error(next: work.requestName))
        }
    }

    package func unsendable(_ cause: any Error) -> any Request {
        context.clock.whileCalling {
            var error = RequestError(userMessage: UserMessages.current.cannotSendRequest, cause: cause)
            error.setRequest(url, method: nil)
            return Self.failedRequest(returning: error)
        }
    }
}

extension Resource {
    /// Returns a request that has already failed with `error`. Use it in functions that must return a request.
    public static func failedRequest(returning error: RequestError) -> any Request {
        hardWiredRequest(returning: .failure(error))
    }

    /// Returns a request that has already completed with the given response.
    public static func hardWiredRequest(returning response: Response) -> any Request {
        LiveRequest(completedWith: response)
    }

    /// Returns a request that `delegate` carries out. The request has not been started.
    public static func prepareRequest(using delegate: any RequestDelegate) -> any Request {
        LiveRequest(delegate: delegate, heartbeat: .shared(for: .current))
    }
}
