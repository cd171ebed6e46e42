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

    /// Why the request must not be sent: mutations have left it without a URL, or with a method that is not a token
    /// (RFC 9110 §9.1), such as one with line breaks that would smuggle in a second request.
    var defect: RequestError? {
        if urlRequest.url == nil {
            return error(UserMessages.current.invalidURL, RequestError.Cause.InvalidURL(urlSource: nil))
        }
        let method = urlRequest.httpMethod ?? ""
        let isToken = !method.isEmpty && method.utf8.allSatisfy(Self.isTokenCharacter)
        return isToken ? nil : error(UserMessages.current.cannotSendRequest, RequestError.Cause.InvalidMethod(method))
    }

    var noLocalDataError: RequestError {
        var error = error(UserMessages.current.noLocalData, RequestError.Cause.NoLocalDataFor304())
        error.httpStatusCode = 304
        return error
    }

    private func error(_ message: String, _ cause: any Error) -> RequestError {
        var error = RequestError(userMessage: message, cause: cause)
        error.requestURL = urlRequest.url
        error.requestMethod = urlRequest.httpMethod
        return error
    }

    /// RFC 9110 §5.6.2.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
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
