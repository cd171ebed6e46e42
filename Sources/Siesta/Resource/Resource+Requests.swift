public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Resource {
    /// Starts a request of this resource as it is configured; the same as the other form without a mutation, and a
    /// little cheaper.
    public func request(_ method: RequestMethod) -> any Request {
        MainQueue.check("Resource.request(_:)")
        return request(NetworkRequest.Recipe(resource: self, method: method, mutation: nil))
    }

    /// Starts a request of this resource, which changes neither its state nor tells its observers.
    ///
    /// Built in this order: the method, the headers configured for it, `requestMutation`, the configured mutations. The
    /// method that this results in then decides about decorators and pipeline; one that ``RequestMethod`` does not have
    /// counts as GET.
    public func request(_ method: RequestMethod, requestMutation: @escaping RequestMutation = { _ in }) -> any Request {
        MainQueue.check("Resource.request(_:)")
        return request(NetworkRequest.Recipe(resource: self, method: method, mutation: requestMutation))
    }

    /// Starts a request with a method that ``RequestMethod`` does not have, such as `QUERY` or `REPORT`, sent as it is
    /// written.
    ///
    /// Configuration is that of GET. Nothing is written to persistent caches.
    public func request(method: String, requestMutation: @escaping RequestMutation = { _ in }) -> any Request {
        request(.get) { request in
            request.httpMethod = method
            requestMutation(&request)
        }
    }

    /// Starts a request with a body.
    ///
    /// A content type that is no header value fails with ``RequestError/Cause/InvalidHeader``, and nothing is sent.
    public func request(
        _ method: RequestMethod, data: Data, contentType: String, requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        guard HeaderSyntax.isValue(contentType) else {
            return unsendable(RequestError.Cause.InvalidHeader(name: "Content-Type"))
        }
        return request(method) { request in
            request.setValue(contentType, forHTTPHeaderField: "Content-Type")
            request.httpBody = data
            requestMutation(&request)
        }
    }

    /// Starts a request with text as its body; `; charset=` and the encoding's name are added to the content type.
    ///
    /// Text that the encoding cannot express fails with ``RequestError/Cause/UnencodableText``, and nothing is sent.
    public func request(
        _ method: RequestMethod, text: String, contentType: String = "text/plain", encoding: String.Encoding = .utf8,
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        guard let body = text.data(using: encoding), let charset = Charset.ianaName(of: encoding) else {
            return unsendable(RequestError.Cause.UnencodableText(encoding: encoding, text: text))
        }
        return request(
            method, data: body, contentType: "\(contentType); charset=\(charset)", requestMutation: requestMutation)
    }

    /// Starts a request with a JSON object or array as its body.
    ///
    /// What JSON cannot express fails with ``RequestError/Cause/InvalidJSONObject``, and nothing is sent.
    public func request(
        _ method: RequestMethod, json: any JSONConvertible, contentType: String = "application/json",
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        guard JSONSerialization.isValidJSONObject(json), let body = try? JSONSerialization.data(withJSONObject: json)
        else { return unsendable(RequestError.Cause.InvalidJSONObject()) }
        return request(method, data: body, contentType: contentType, requestMutation: requestMutation)
    }

    /// Starts a request with a value as its body, encoded as JSON (`application/json`).
    ///
    /// What cannot be encoded fails with the encoder's error as the cause, and nothing is sent. Encoding happens before
    /// this returns.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - body: the value.
    ///   - encoder: how to encode; nil for the ``Configuration/jsonEncoder`` of this resource and method.
    ///   - requestMutation: changes the request after its body is set.
    public func request(
        _ method: RequestMethod, body: some Encodable, encoder: JSONEncoder? = nil,
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        do {
            let data = try (encoder ?? configuration(for: method).jsonEncoder).encode(body)
            return request(method, data: data, contentType: "application/json", requestMutation: requestMutation)
        } catch {
            return unsendable(error)
        }
    }

    /// Starts a request with form parameters as its body (`application/x-www-form-urlencoded`), sorted by name.
    ///
    /// All but unreserved characters (RFC 3986 §2.3) is escaped. What cannot be fails with
    /// ``RequestError/Cause/NotURLEncodable``, and nothing is sent.
    public func request(
        _ method: RequestMethod, urlEncoded params: [String: String],
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        if let culprit = params.flatMap({ [$0.key, $0.value] }).first(where: { !$0.isWellFormed }) {
            return unsendable(RequestError.Cause.NotURLEncodable(offendingString: culprit))
        }
        let pairs = params.map { name, value in
            PercentEncoding.escapeFormItem(name) + "=" + PercentEncoding.escapeFormItem(value)
        }
        return request(
            method, data: Data(pairs.sorted().joined(separator: "&").utf8),
            contentType: "application/x-www-form-urlencoded", requestMutation: requestMutation)
    }

    /// Decorates the request that `recipe` makes, and starts what comes of it.
    func request(_ recipe: NetworkRequest.Recipe) -> any Request { request(NetworkRequest(recipe)) }

    /// Decorates the request that `work` is for, and starts what comes of it.
    func request(_ work: some PreparedRequestDelegate) -> any Request {
        MainQueue.checkInDebug("Resource.request(_:)")
        guard !isInvalid else { return failForInvalidURL() }
        let plain = LiveRequest(delegate: work, heartbeat: context.heartbeat)
        let decorators = work.prepare().resolved.configuration.requestDecorators
        guard !decorators.isEmpty else {
            begin(own: plain)
            plain.attach(.owner(self, keeping: nil))
            return plain.start()
        }
        guard let lineage = RequestLineage.current.decorated(work.lineageKey) else { return failForLineage(work) }
        let request = lineage.whileDecorating {
            context.clock.whileCurrent {
                decorators.reduce(plain as any Request) { request, decorate in decorate(self, request) }
            }
        }
        begin(own: request)
        let service = context.currentService  // What decorators make of a request may run longer than that, or instead.
        guard let live = request as? LiveRequest else {
            return request.onCompletion { _ in
                self.ownRequestCompleted(request)
                extendLifetime(service)
            }.start()
        }
        live.attach(.owner(self, keeping: service))
        live.endDecoration()
        return live.start()
    }

    private func failForInvalidURL() -> any Request {
        let cause = RequestError.Cause.InvalidURL(urlSource: invalidURLSource.value)
        return context.clock.whileCurrent {
            Self.failedRequest(returning: RequestError(userMessage: UserMessages.current.invalidURL, cause: cause))
        }
    }

    private func failForLineage(_ work: some PreparedRequestDelegate) -> any Request {
        context.clock.whileCurrent {
            Self.failedRequest(returning: RequestLineage.current.error(next: work.requestName))
        }
    }

    func unsendable(_ cause: any Error) -> any Request {
        context.clock.whileCurrent {
            var error = RequestError(userMessage: UserMessages.current.cannotSendRequest, cause: cause)
            error.requestURL = url
            return Self.failedRequest(returning: error)
        }
    }
}

extension String {
    /// Whether the text can be expressed in UTF-8: not so with unpaired surrogates, which strings of Objective-C may
    /// have.
    fileprivate var isWellFormed: Bool {
        #if canImport(ObjectiveC)
        data(using: .utf8) != nil
        #else
        true
        #endif
    }
}
