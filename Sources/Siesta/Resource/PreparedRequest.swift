import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request as it goes to the network, and the configuration that governs its answer.
@MainActor
struct PreparedRequest {
    let urlRequest: URLRequest
    let resolved: ConfigurationSet.Resolved
    /// What the request asks the server to compare with; nil if it asks for nothing of the kind.
    let validator: Validator?

    /// Whether the answer is the resource itself.
    var isGet: Bool { urlRequest.httpMethod == "GET" }

    /// Builds the request: headers as configured, then the condition, then the caller's changes, then the configured ones.
    init(_ recipe: NetworkRequest.Recipe, unconditionally: Bool = false) {
        let resource = recipe.resource
        let configuration = resource.configuration(for: recipe.method)
        var request = URLRequest(url: resource.url)
        request.httpMethod = recipe.method.rawValue.uppercased()
        for (name, value) in configuration.headers { request.setValue(value, forHTTPHeaderField: name) }
        validator = recipe.isConditional && !unconditionally ? resource.state.data?.validator : nil
        validator?.add(to: &request)
        resource.context.clock.whileCurrent {
            recipe.mutation(&request)
            for mutate in configuration.requestMutations { mutate(&request) }
        }
        urlRequest = request
        resolved = resource.resolvedConfiguration(for: Self.method(of: request))
    }

    var noLocalDataError: RequestError {
        var error = RequestError(
            userMessage: UserMessages.current.noLocalData, cause: RequestError.Cause.NoLocalDataFor304())
        error.httpStatusCode = 304
        error.requestURL = urlRequest.url
        error.requestMethod = urlRequest.httpMethod
        return error
    }

    /// The method whose configuration applies; GET for one that this library does not know.
    private static func method(of request: URLRequest) -> RequestMethod {
        request.httpMethod.flatMap { RequestMethod(rawValue: $0.lowercased()) } ?? .get
    }
}

/// What identifies a version of a resource: its entity tag, else its date of modification (RFC 9110 §8.8).
struct Validator: Equatable {
    private enum Kind { case entityTag, lastModified }

    private let kind: Kind
    private let value: String

    func add(to request: inout URLRequest) {
        switch kind {
        case .entityTag: request.setValue(value, forHTTPHeaderField: "If-None-Match")
        case .lastModified: request.setValue(value, forHTTPHeaderField: "If-Modified-Since")
        }
    }

    fileprivate init?(_ headers: HeaderFields) {
        if let tag = headers["etag"] {
            (kind, value) = (.entityTag, tag)
        } else if let date = headers["last-modified"] {
            (kind, value) = (.lastModified, date)
        } else {
            return nil
        }
    }
}

extension Entity {
    var validator: Validator? { Validator(headerFields) }
}
