/// Everything that the API offers; the raw value is the path, with names in braces for what varies.
enum Endpoint: String, Sendable, CaseIterable {
    case searchUsers = "search/users"
    case user = "users/{login}"
    case userRepositories = "users/{login}/repos"
    case organisation = "orgs/{org}"
    case organisationRepositories = "orgs/{org}/repos"
    case repository = "repos/{owner}/{repo}"
    case languages = "repos/{owner}/{repo}/languages"
    case contributors = "repos/{owner}/{repo}/contributors"
    case stars = "repos/{owner}/{repo}/stars"
    case events
    case eventStream = "events/stream"
    case me = "user"
    case myRepositories = "user/repos"
    case myStars = "user/starred"
    case star = "user/starred/{owner}/{repo}"
    case following = "user/following/{login}"
    case rateLimit = "rate_limit"
    case zen = "zen"
    case avatar = "avatars/{login}"
    case authorize = "login/oauth/authorize"
    case accessToken = "login/oauth/access_token"

    /// The methods that it answers, as they are listed in `Allow`.
    var methods: [String] {
        switch self {
        case .star, .following: ["GET", "HEAD", "PUT", "DELETE"]
        case .repository: ["GET", "HEAD", "PATCH"]
        case .authorize, .eventStream: ["GET"]
        case .accessToken: ["POST"]
        default: ["GET", "HEAD"]
        }
    }

    /// Whether it belongs to the OAuth 2.0 server, which works independently of the API.
    var isOfAuthorization: Bool { self == .authorize || self == .accessToken }

    /// Whether it is an image. Images need no token, do not count for the rate limit, and come without it.
    var isImage: Bool { self == .avatar }

    /// Whether it answers a request with this method with 401 if there is no token.
    func needsToken(for method: String) -> Bool {
        switch self {
        case .me, .myRepositories, .myStars, .star, .following: true
        default: method == "PATCH"
        }
    }

    /// What the names in braces stand for in a path, or nil if the path is not of this endpoint.
    func arguments(in segments: [String]) -> [String]? {
        let template = rawValue.split(separator: "/")
        guard template.count == segments.count else { return nil }
        var arguments: [String] = []
        for (part, segment) in zip(template, segments) {
            if part.hasPrefix("{"), !segment.isEmpty {
                arguments.append(segment)
            } else if part != segment {
                return nil
            }
        }
        return arguments
    }
}
