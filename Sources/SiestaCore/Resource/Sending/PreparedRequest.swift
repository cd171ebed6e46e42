package import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A request as it is sent to the network, and the configuration that applies to its response.
///
/// If the app has no mutations, the request's properties are computed from the recipe, and a `URLRequest` is built only
/// when the request is sent.
@MainActor
package final class PreparedRequest {
    private let resource: Resource
    /// The method before the app's mutations.
    private let originalMethod: RequestMethod
    package let resolved: ConfigurationSet.Resolved
    /// The validator that the library adds as a condition; nil if the library adds no condition.
    private let validator: Validator?
    /// The modification date that is sent beside an entity tag; nil without such a date, and if freshness does not follow
    /// HTTP.
    private let date: Indirect<String>
    /// True if all conditions are removed, including those that the app has set.
    private let isUnconditional: Bool
    /// The request after the app's mutations; empty if there are no mutations.
    private let mutated: Indirect<Mutated>

    private struct Mutated {
        var request: URLRequest
        /// True if the caller's mutation has changed the URL.
        var isOther = false
        /// True if the request is the load of a resource whose loads have a body.
        var isLoadWithBody = false
        /// The name of a header that cannot be sent; nil if all headers can be sent.
        var invalidHeader: String?
    }

    /// Builds the request in this order: the configured headers, the condition, the caller's mutation, the configured
    /// mutations.
    ///
    /// Local content never has a condition, because it does not come from the server.
    package init(_ recipe: borrowing NetworkRequest.Recipe, unconditionally: Bool = false) {
        let (resource, mutation) = (recipe.resource, recipe.mutation)
        (self.resource, originalMethod) = (resource, recipe.method)
        isUnconditional = unconditionally
        validator = recipe.isLoad && !unconditionally ? resource.validatorOfLoad : nil
        let resolved = resource.resolvedConfiguration(for: recipe.method)
        date = validator == nil || resolved.httpFreshness == nil ? .none : Indirect(resource.secondCondition)
        let needsKey = resolved.addsIdempotencyKeys && [.post, .patch].contains(recipe.method)
        guard mutation != nil || !resolved.configuration.requestMutations.isEmpty || needsKey else {
            (mutated, self.resolved) = (.none, resolved)
            return
        }
        var mutated = Mutated(request: PreparedRequest.plain(recipe.method, resource, resolved, validator, date))
        mutated.isLoadWithBody = recipe.isLoad && mutation != nil  // Only such loads have a mutation.
        resource.context.clock.whileCalling {
            mutation?(&mutated.request)
            mutated.isOther = mutated.request.url != resource.url
            for mutate in resolved.configuration.requestMutations { mutate(&mutated.request) }
        }
        if unconditionally { mutated.request.removeConditions() }
        if resolved.addsIdempotencyKeys, !mutated.isLoadWithBody { mutated.request.addIdempotencyKey() }
        mutated.invalidHeader =
            resolved.invalidHeader ?? mutated.request.allHTTPHeaderFields.flatMap(HeaderSyntax.invalidName)
        self.mutated = .some(mutated)
        self.resolved =
            mutated.isLoadWithBody
            ? resolved : resource.resolvedConfiguration(for: PreparedRequest.method(of: mutated.request))
    }

    package var clock: SiestaClock { resource.context.clock }

    /// A new `URLRequest`, or the result of the app's mutations.
    package var urlRequest: URLRequest {
        if let mutated = mutated.value { return mutated.request }
        var request = Self.plain(originalMethod, resource, resolved, validator, date)
        if isUnconditional { request.removeConditions() }
        return request
    }

    /// The validator in the request's condition, set by the library or by the app; nil if the request has no condition.
    var condition: Validator? {
        if mutated.isEmpty, let validator { return validator }
        let request = urlRequest
        return Validator(condition: { request.value(forHTTPHeaderField: $0) })
    }

    package var url: URL? {
        mutated.isEmpty ? resource.url : mutated.value?.request.url
    }

    /// The absolute URL as text; empty if the app has removed the URL.
    package var address: String {
        mutated.value.map { $0.request.url?.absoluteString ?? "" } ?? resource.address
    }

    package var method: String {
        mutated.value.map { $0.request.httpMethod ?? "" } ?? originalMethod.rawValue.uppercased()
    }

    /// True if the request changes nothing on the server (RFC 9110 §9.2.1). A load is safe whatever its method, by the app's
    /// declaration.
    package var isSafe: Bool {
        guard mutated.isEmpty else { return isLoadWithBody || HTTPMethods.isSafe(method) }
        return switch originalMethod {
        case .get, .head, .options: true
        default: false
        }
    }

    /// True if the request asks for the complete content of the resource.
    var asksForAll: Bool {
        guard let mutated = mutated.value else { return originalMethod == .get }
        let isLoadMethod =
            mutated.request.httpMethod == "GET" && resource.loadBody == nil || mutated.isLoadWithBody
        return isLoadMethod && !mutated.isOther && mutated.request.value(forHTTPHeaderField: "Range") == nil
    }

    /// True if the request is the load of a resource whose loads have a body. By the app's declaration, it is safe.
    package var isLoadWithBody: Bool { mutated.value?.isLoadWithBody ?? false }

    package var hasIdempotencyKey: Bool {
        headers.contains { name, value in
            name.caseInsensitiveCompare(IdempotencyKey.field) == .orderedSame && IdempotencyKey.isKey(value)
        }
    }

    /// True if the request may have other headers than the configuration says.
    var isMutated: Bool { !mutated.isEmpty }

    /// True if the body is a stream, which can be read only once.
    package var hasBodyStream: Bool { mutated.value?.request.httpBodyStream != nil }

    /// The headers. If the app has no mutations, they do not include the headers of the condition.
    package var headers: [String: String] {
        mutated.value.map { $0.request.allHTTPHeaderFields ?? [:] } ?? resolved.configuration.headers
    }

    private static func plain(
        _ method: RequestMethod, _ resource: Resource, _ resolved: ConfigurationSet.Resolved, _ validator: Validator?,
        _ date: Indirect<String>
    ) -> URLRequest {
        var request = URLRequest(url: resource.url)
        if method != .get { request.httpMethod = method.rawValue.uppercased() }
        for (name, value) in resolved.configuration.headers { request.setValue(value, forHTTPHeaderField: name) }
        validator?.add(to: &request)
        if let date = date.value { request.setValue(date, forHTTPHeaderField: Validator.conditions[1]) }
        return request
    }

    /// The error that prevents sending; nil if the request can be sent. A header must be valid, and mutations must
    /// neither remove the URL nor set a method that is not a token (RFC 9110 §9.1). For example, a method with line
    /// breaks could add a second request to the connection.
    package var defect: RequestError? {
        if let name = mutated.isEmpty ? resolved.invalidHeader : mutated.value?.invalidHeader {
            return error(.invalidHeader(name))
        }
        guard let mutated = mutated.value else { return nil }
        if mutated.request.url == nil {
            return error(UserMessages.current.invalidURL, RequestError.Cause.InvalidURL(urlSource: nil))
        }
        guard !HeaderSyntax.isName(method) else { return nil }
        return error(
            .init(.invalidMethod, reason: "the method \(PreparedText.line(method, limit: 100))", name: method))
    }

    /// The error for a 304 that confirms no data.
    var noLocalDataError: RequestError {
        var error = error(UserMessages.current.noLocalData, RequestError.Cause.NoLocalDataFor304())
        error.httpStatusCode = 304
        return error
    }

    private func error(_ failure: RequestError.Failure) -> RequestError {
        error(clock.whileCalling { RequestError(failure) })
    }

    private func error(_ message: String, _ cause: any Error) -> RequestError {
        error(clock.whileCalling { RequestError(userMessage: message, cause: cause) })
    }

    /// Returns `error` with the URL and the method of this request.
    package func error(_ error: RequestError) -> RequestError {
        var error = error
        error.setRequest(url, method: method)
        return error
    }

    /// Returns the method whose configuration applies. It is GET for a method that is not a ``RequestMethod``.
    private static func method(of request: URLRequest) -> RequestMethod {
        request.httpMethod.flatMap { RequestMethod(rawValue: $0.lowercased()) } ?? .get
    }
}

extension URLRequest {
    /// Adds a random key to a POST or PATCH request without a key. Its form is a string of structured fields (RFC 9651),
    /// as draft-ietf-httpapi-idempotency-key-header requires.
    fileprivate mutating func addIdempotencyKey() {
        guard
            ["POST", "PATCH"].contains(httpMethod),
            !IdempotencyKey.isKey(value(forHTTPHeaderField: IdempotencyKey.field))
        else { return }
        setValue("\"\(UUID().uuidString)\"", forHTTPHeaderField: IdempotencyKey.field)
    }

    fileprivate mutating func removeConditions() {
        for name in Validator.conditions { setValue(nil, forHTTPHeaderField: name) }
    }
}
