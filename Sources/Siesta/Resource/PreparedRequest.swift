import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request as it goes to the network, and the configuration that governs its answer.
///
/// One that no closure of the app has touched is told from its parts, and made into a `URLRequest` only when it is
/// sent.
@MainActor
struct PreparedRequest {
    let resolved: ConfigurationSet.Resolved
    /// What the library asks the server to compare with; nil if it asks for nothing of the kind.
    private let validator: Validator?
    /// Whether conditions are taken away, also those that the app has set.
    private let isUnconditional: Bool
    /// What the closures of the app have made of it, if there are any.
    private let mutated: Boxed<Mutated>

    private struct Mutated {
        var request: URLRequest
        /// Whether the caller asks for something else than what is at the resource's URL.
        var isOther = false
        /// The name of a header that cannot be sent.
        var invalidHeader: String?
    }

    /// Builds the request: headers as configured, then the condition, then the caller's changes, then the configured
    /// ones.
    ///
    /// Local content has no condition: whatever its headers say, no server has sent it.
    init(_ recipe: NetworkRequest.Recipe, unconditionally: Bool = false) {
        isUnconditional = unconditionally
        validator = recipe.isConditional && !unconditionally ? recipe.resource.state.serverData?.validator : nil
        let resolved = recipe.resource.resolvedConfiguration(for: recipe.method)
        guard recipe.mutation != nil || !resolved.configuration.requestMutations.isEmpty else {
            (mutated, self.resolved) = (.none, resolved)
            return
        }
        var mutated = Mutated(request: Self.plain(recipe.method, recipe.resource, resolved, validator))
        recipe.resource.context.clock.whileCurrent {
            recipe.mutation?(&mutated.request)
            mutated.isOther = mutated.request.url != recipe.resource.url
            for mutate in resolved.configuration.requestMutations { mutate(&mutated.request) }
        }
        if unconditionally { mutated.request.removeConditions() }
        mutated.invalidHeader =
            resolved.invalidHeader ?? mutated.request.allHTTPHeaderFields.flatMap(HeaderSyntax.invalidName)
        self.mutated = .some(mutated)
        self.resolved = recipe.resource.resolvedConfiguration(for: Self.method(of: mutated.request))
    }

    /// The request of a recipe, which in this and all that follows must be the one that this was made of.
    func urlRequest(_ recipe: NetworkRequest.Recipe) -> URLRequest {
        if let mutated = mutated.value { return mutated.request }
        var request = Self.plain(recipe.method, recipe.resource, resolved, validator)
        if isUnconditional { request.removeConditions() }
        return request
    }

    /// What the server is asked to compare with, be it for the library or for the app.
    func condition(_ recipe: NetworkRequest.Recipe) -> Validator? {
        if mutated.isEmpty, let validator { return validator }
        let request = urlRequest(recipe)
        return Validator(condition: { request.value(forHTTPHeaderField: $0) })
    }

    func url(_ recipe: NetworkRequest.Recipe) -> URL? {
        mutated.isEmpty ? recipe.resource.url : mutated.value?.request.url
    }

    func method(_ recipe: NetworkRequest.Recipe) -> String {
        mutated.value.map { $0.request.httpMethod ?? "" } ?? recipe.method.rawValue.uppercased()
    }

    /// Whether the answer is the resource itself, and all of it.
    func asksForAll(_ recipe: NetworkRequest.Recipe) -> Bool {
        guard let mutated = mutated.value else { return recipe.method == .get }
        return mutated.request.httpMethod == "GET" && !mutated.isOther
            && mutated.request.value(forHTTPHeaderField: "Range") == nil
    }

    /// The headers; of a request that no closure of the app has touched, without those of the condition.
    func headers(_ recipe: NetworkRequest.Recipe) -> [String: String] {
        mutated.value.map { $0.request.allHTTPHeaderFields ?? [:] } ?? resolved.configuration.headers
    }

    private static func plain(
        _ method: RequestMethod, _ resource: Resource, _ resolved: ConfigurationSet.Resolved, _ validator: Validator?
    ) -> URLRequest {
        var request = URLRequest(url: resource.url)
        if method != .get { request.httpMethod = method.rawValue.uppercased() }
        for (name, value) in resolved.configuration.headers { request.setValue(value, forHTTPHeaderField: name) }
        validator?.add(to: &request)
        return request
    }

    /// Why the request must not be sent: a header is invalid, or mutations have left the request without a URL, or with a
    /// method that is not a token (RFC 9110 §9.1), such as one with line breaks that would smuggle in a second request.
    func defect(_ recipe: NetworkRequest.Recipe) -> RequestError? {
        if let name = mutated.isEmpty ? resolved.invalidHeader : mutated.value?.invalidHeader {
            return error(recipe, UserMessages.current.cannotSendRequest, RequestError.Cause.InvalidHeader(name: name))
        }
        guard let mutated = mutated.value else { return nil }
        if mutated.request.url == nil {
            return error(recipe, UserMessages.current.invalidURL, RequestError.Cause.InvalidURL(urlSource: nil))
        }
        let method = method(recipe)
        guard !HeaderSyntax.isName(method) else { return nil }
        return error(recipe, UserMessages.current.cannotSendRequest, RequestError.Cause.InvalidMethod(method))
    }

    func noLocalDataError(_ recipe: NetworkRequest.Recipe) -> RequestError {
        var error = error(recipe, UserMessages.current.noLocalData, RequestError.Cause.NoLocalDataFor304())
        error.httpStatusCode = 304
        return error
    }

    private func error(_ recipe: NetworkRequest.Recipe, _ message: String, _ cause: any Error) -> RequestError {
        var error = RequestError(userMessage: message, cause: cause)
        error.requestURL = url(recipe)
        error.requestMethod = method(recipe)
        return error
    }

    /// The method whose configuration applies; GET for one that this library does not know.
    private static func method(of request: URLRequest) -> RequestMethod {
        request.httpMethod.flatMap { RequestMethod(rawValue: $0.lowercased()) } ?? .get
    }
}

extension URLRequest {
    fileprivate mutating func removeConditions() {
        for name in Validator.conditions { setValue(nil, forHTTPHeaderField: name) }
    }
}
