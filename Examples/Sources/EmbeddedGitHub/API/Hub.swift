/// The service as a value: what exists, what is starred, what is left of the rate limit.
///
/// It decides every answer, and knows neither sockets nor clocks.
struct Hub: Sendable {
    /// The accounts and repositories, which never change.
    let catalogue: Catalogue

    /// The address of the server, without a slash at the end.
    let base: String

    /// The ids of the repositories that each user has starred, by login, latest first.
    var starred: [String: [Int]]

    /// When stars were last given or taken, by id of the repository.
    var touched: [Int: Moment] = [:]

    /// The descriptions that users have changed, by id of the repository.
    var descriptions: [Int: String] = [:]

    /// The accounts that each user follows, by login of the user.
    var followed: [String: Set<String>] = [:]

    /// The changes of stars, followers and descriptions.
    var feed = Feed()

    /// The writes that were carried out.
    var ledger = Ledger()

    private var budget = RateBudget()

    /// The OAuth 2.0 server.
    var authorization = AuthorizationServer()

    /// Starts with the stars that the catalogue lists for the users.
    init(catalogue: Catalogue = .shared, base: String) {
        (self.catalogue, self.base) = (catalogue, base)
        starred = catalogue.starredAtFirst
    }

    var presenter: Presenter { Presenter(base: base) }

    /// The login of the user whose token this request carries; nil without a valid token.
    func login(of request: HTTPRequest, at now: Moment) -> String? {
        credentials(of: request, at: now).login
    }

    /// Decides on one request: exactly one answer, whatever was asked.
    ///
    /// An authorised request that is answered with 304 costs nothing, nor does asking for the rate limit.
    mutating func answer(
        _ request: HTTPRequest, at now: Moment, fault: EmbeddedGitHub.Behaviour.Fault?, quotaReset: Int? = nil,
        avatarFaults: [String: EmbeddedGitHub.Behaviour.AvatarFault] = [:]
    ) -> HTTPResponse {
        let route = Route(method: request.method, segments: request.target.segments)
        if case .endpoint(let endpoint, let names) = route {
            if endpoint.isOfAuthorization {
                return authorize(request, endpoint, at: now).withCommonHeaders(at: now)
            }
            if endpoint.isImage {
                let image = fault == .serverError ? .failure(.serverError) : image(names, request.target, avatarFaults)
                return response(image, to: request).withCommonHeaders(at: now)
            }
        }
        let isAuthorised = login(of: request, at: now) != nil
        var standing = budget.spend(0, authorised: isAuthorised, at: now)
        if fault == .rateLimited {
            standing = standing.exhausted(until: quotaReset.map { now.adding(seconds: max(1, $0)) })
        }
        var response = respond(to: request, route, standing, fault, now)
        let isFree = route.endpoint == .rateLimit || isAuthorised && response.status == 304 || fault == .rateLimited
        if !isFree { standing = budget.spend(authorised: isAuthorised, at: now) }
        for field in standing.headers { response.headers.append(field) }
        return response.withCommonHeaders(at: now)
    }

    /// Answers bytes that are no request, without counting them.
    func refuse(status: Int, at now: Moment) -> HTTPResponse {
        Problem.badRequest(status: status).response.withCommonHeaders(at: now)
    }

    // MARK: - Deciding

    private mutating func authorize(_ request: HTTPRequest, _ endpoint: Endpoint, at now: Moment) -> HTTPResponse {
        endpoint == .authorize
            ? authorization.authorize(request.target.query, at: now) : authorization.issue(request, at: now)
    }

    private mutating func respond(
        to request: HTTPRequest, _ route: Route, _ standing: RateBudget.Standing,
        _ fault: EmbeddedGitHub.Behaviour.Fault?, _ now: Moment
    ) -> HTTPResponse {
        let credentials = credentials(of: request, at: now)
        switch route {
        case _ where fault == .serverError: return Problem.serverError.response
        case _ where credentials == .wrong: return Problem.badCredentials.response
        case .endpoint(.rateLimit, _): return Resource(json: standing.json).response(to: request)
        case _ where fault == .rateLimited: return Problem.rateLimitExceeded.response
        case .nowhere: return Problem.notFound.response
        case .wrongMethod(let allowed): return Problem.wrongMethod(allowed: allowed).response
        case .endpoint(let endpoint, _) where endpoint.needsToken(for: request.method) && credentials.login == nil:
            return Problem.requiresAuthentication.response
        case .endpoint(.eventStream, _): return feed.response(to: request)
        case .endpoint(.zen, _): return Resource.zen(at: now).response(to: request)
        case .endpoint(let endpoint, let names) where Ledger.isWrite(request.method):
            return write(request, endpoint, names, by: credentials.login ?? "", at: now)
        case .endpoint(.star, let names):
            return found(repository(names).map { starred[credentials.login ?? "", default: []].contains($0.id) })
        case .endpoint(.following, let names):
            return found(account(names[0], nil).map { follows(credentials.login ?? "", $0) })
        case .endpoint(let endpoint, let names):
            return response(resource(endpoint, names, request.target, for: credentials.login), to: request)
        }
    }

    private func response(_ found: Result<Resource, Problem>, to request: HTTPRequest) -> HTTPResponse {
        switch found {
        case .success(let resource): resource.response(to: request)
        case .failure(let problem): problem.response
        }
    }

    private func credentials(of request: HTTPRequest, at now: Moment) -> Credentials {
        Credentials(authorization: request.headers["Authorization"]) { token in
            token == EmbeddedGitHub.token
                ? EmbeddedGitHub.login : authorization.login(ofAccessToken: token, at: now)
        }
    }

    // MARK: - Figures that users change

    /// The number of stars that a repository has now.
    func stars(of repository: Repository) -> Int {
        repository.starsOfOthers + starred.values.count { $0.contains(repository.id) }
    }

    /// When the representation of a repository last changed: strictly later after every change of its stars.
    func modified(_ repository: Repository) -> Moment {
        touched[repository.id] ?? repository.updated
    }

    /// The number of followers that an account has now.
    func followers(of account: Account) -> Int {
        account.followers + followed.values.count { $0.contains(account.login) }
    }

    /// Whether a user follows an account.
    private func follows(_ login: String, _ account: Account) -> Bool {
        followed[login, default: []].contains(account.login)
    }

    /// The description that a repository has now.
    func description(of repository: Repository) -> String? { descriptions[repository.id] ?? repository.description }

    /// 204 for what exists, else 404.
    private func found(_ isFound: Result<Bool, Problem>) -> HTTPResponse {
        (try? isFound.get()) == true ? HTTPResponse(204) : Problem.notFound.response
    }
}

extension Route {
    fileprivate var endpoint: Endpoint? {
        if case .endpoint(let endpoint, _) = self { endpoint } else { nil }
    }
}

extension HTTPResponse {
    fileprivate func withCommonHeaders(at now: Moment) -> HTTPResponse {
        var response = self
        response.headers["Server"] = "github.com"
        response.headers["Date"] = now.httpDate
        response.headers["X-GitHub-Media-Type"] = "github.v3; format=json"
        return response
    }
}
