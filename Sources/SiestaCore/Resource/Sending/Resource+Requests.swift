public import Foundation
import HTTPRules
import JSONCoding

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Resource {
    /// Starts a request of this resource with the configured options. Costs a little less than
    /// ``request(_:requestMutation:)`` without a mutation.
    public func request(_ method: RequestMethod) -> any Request {
        MainQueue.check("Resource.request(_:)")
        return request(NetworkRequest.Recipe(resource: self, method: method, mutation: nil))
    }

    /// Starts a request of this resource. The request neither changes the resource's state nor notifies its observers.
    ///
    /// The request is built in this order: the method, the headers configured for it, `requestMutation`, the configured
    /// mutations. The resulting method determines the pipeline and the decorators. A method that is not a
    /// ``RequestMethod`` has the pipeline and the decorators of GET.
    public func request(_ method: RequestMethod, requestMutation: @escaping RequestMutation = { _ in }) -> any Request {
        MainQueue.check("Resource.request(_:)")
        return request(NetworkRequest.Recipe(resource: self, method: method, mutation: requestMutation))
    }

    /// Starts a request with a method that is not a ``RequestMethod``, such as `QUERY` or `REPORT`. The method is sent
    /// exactly as given.
    ///
    /// The request uses the configuration of GET, and does not write to persistent caches.
    public func request(method: String, requestMutation: @escaping RequestMutation = { _ in }) -> any Request {
        request(.get) { request in
            request.httpMethod = method
            requestMutation(&request)
        }
    }

    /// Starts a request with a body.
    ///
    /// If the content type is not a valid header value, the request fails with ``RequestError/Code/invalidHeader``,
    /// and nothing is sent.
    public func request(
        _ method: RequestMethod, data: Data, contentType: String, requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        guard HeaderSyntax.isValue(contentType) else {
            return unsendable(RequestError.Failure.invalidHeader("Content-Type"))
        }
        return request(method) { request in
            request.setValue(contentType, forHTTPHeaderField: "Content-Type")
            request.httpBody = data
            requestMutation(&request)
        }
    }

    /// Starts a request with a text body. Adds `; charset=` and the name of the encoding to the content type.
    ///
    /// If the encoding cannot represent the text, the request fails with ``RequestError/Cause/UnencodableText``, and
    /// nothing is sent.
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
    /// If JSON cannot represent the value, the request fails with ``RequestError/Cause/InvalidJSONObject``, and nothing
    /// is sent.
    public func request(
        _ method: RequestMethod, json: any JSONConvertible, contentType: String = "application/json",
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        let usesFoundation = configuration(for: method).usesFoundationJSON
        guard let body = (try? JSONCoding.data(withJSONObject: json, usingFoundation: usesFoundation)) ?? nil else {
            return unsendable(RequestError.Cause.InvalidJSONObject())
        }
        return request(method, data: body, contentType: contentType, requestMutation: requestMutation)
    }

    /// Starts a request with a value as its body, encoded as JSON (`application/json`).
    ///
    /// The value is encoded before this method returns. If encoding fails, the request fails with the encoder's error
    /// as its cause, and nothing is sent.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - body: The value.
    ///   - encoder: The encoder; nil for the ``Configuration/jsonEncoder`` of this resource and method.
    ///   - requestMutation: Changes the request after its body is set.
    public func request(
        _ method: RequestMethod, body: some Encodable, encoder: JSONEncoder? = nil,
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        do {
            let data = try configuration(for: method).encoding.replaced(by: encoder).encode(body)
            return request(method, data: data, contentType: "application/json", requestMutation: requestMutation)
        } catch {
            return unsendable(error)
        }
    }

    /// Starts a request with form parameters as its body (`application/x-www-form-urlencoded`), sorted by name.
    ///
    /// All characters except the unreserved characters (RFC 3986 §2.3) are escaped. If a text cannot be escaped, the
    /// request fails with ``RequestError/Cause/NotURLEncodable``, and nothing is sent.
    public func request(
        _ method: RequestMethod, urlEncoded params: [String: String],
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        if let malformed = params.flatMap({ [$0.key, $0.value] }).first(where: { !$0.isWellFormed }) {
            return unsendable(RequestError.Cause.NotURLEncodable(offendingString: malformed))
        }
        let pairs = params.map { name, value in
            PercentEncoding.escapeFormItem(name) + "=" + PercentEncoding.escapeFormItem(value)
        }
        return request(
            method, data: Data(pairs.sorted().joined(separator: "&").utf8),
            contentType: "application/x-www-form-urlencoded", requestMutation: requestMutation)
    }

    /// Creates the request of `recipe`, applies the decorators, and starts the result.
    package func request(_ recipe: NetworkRequest.Recipe) -> any Request { request(NetworkRequest(recipe)) }

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
        guard work is NetworkRequest else { return begin(work) }
        return begin(NetworkRequest(loadBody.recipe(for: work.recipe)))
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
        guard let lineage = RequestLineage.current.decorated(work.lineageKey) else { return failForLineage(work) }
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
        live.attach(.owner(self, keeping: service))
        live.endDecoration()
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

extension String {
    /// True if the text can be encoded in UTF-8. A string from Objective-C may contain unpaired surrogates, which UTF-8
    /// cannot represent.
    fileprivate var isWellFormed: Bool {
        #if canImport(ObjectiveC)
        data(using: .utf8) != nil
        #else
        true
        #endif
    }
}

extension Resource {
    /// Returns a completed request that has failed with `error`, for methods that must return a request.
    public static func failedRequest(returning error: RequestError) -> any Request {
        hardWiredRequest(returning: .failure(error))
    }

    /// Returns a completed request with the given response.
    public static func hardWiredRequest(returning response: Response) -> any Request {
        LiveRequest(completedWith: response)
    }

    /// Returns an unstarted request whose work `delegate` does.
    public static func prepareRequest(using delegate: any RequestDelegate) -> any Request {
        LiveRequest(delegate: delegate, heartbeat: .shared(for: .current))
    }
}
