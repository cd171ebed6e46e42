/// Every refusal, in the words and shape that GitHub uses.
enum Problem: Sendable, Equatable {
    case badRequest(status: Int)
    case badCredentials
    case requiresAuthentication
    case rateLimitExceeded
    case notFound
    case wrongMethod(allowed: [String])
    case missingSearchText
    case unparsable
    case outdated
    case invalidDescription
    case serverError

    /// The answer.
    var response: HTTPResponse {
        var json: JSON = ["message": .string(message)]
        if let error { json = json.merging(["errors": .array([error])]) }
        json = json.merging(["documentation_url": .string(documentation), "status": .string(String(status))])
        var response = HTTPResponse(status, json: json)
        if case .wrongMethod(let allowed) = self { response.headers["Allow"] = allowed.joined(separator: ", ") }
        return response
    }

    /// What is wrong with a field; nil if nothing is.
    private var error: JSON? {
        switch self {
        case .missingSearchText:
            ["resource": .string("Search"), "field": .string("q"), "code": .string("missing")]
        case .invalidDescription:
            ["resource": .string("Repository"), "field": .string("description"), "code": .string("custom")]
        default: nil
        }
    }

    private var status: Int {
        switch self {
        case .badRequest(let status): status
        case .unparsable: 400
        case .badCredentials, .requiresAuthentication: 401
        case .rateLimitExceeded: 403
        case .notFound: 404
        case .wrongMethod: 405
        case .outdated: 412
        case .missingSearchText, .invalidDescription: 422
        case .serverError: 500
        }
    }

    private var message: String {
        switch self {
        case .badRequest: "Bad Request"
        case .badCredentials: "Bad credentials"
        case .requiresAuthentication: "Requires authentication"
        case .rateLimitExceeded:
            "API rate limit exceeded for 127.0.0.1. (But here's the good news: Authenticated requests get a higher "
                + "rate limit. Check out the documentation for more details.)"
        case .notFound: "Not Found"
        case .wrongMethod: "Method Not Allowed"
        case .missingSearchText, .invalidDescription: "Validation Failed"
        case .unparsable: "Problems parsing JSON"
        case .outdated: "Precondition Failed"
        case .serverError: "Server Error"
        }
    }

    private var documentation: String {
        switch self {
        case .rateLimitExceeded:
            "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting"
        case .missingSearchText: "https://docs.github.com/v3/search/"
        default: "https://docs.github.com/rest"
        }
    }
}
