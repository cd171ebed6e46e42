package import Foundation
package import Siesta
import SiestaStorage

/// GitHub's REST API, as far as this app uses it: the one place that knows its addresses, headers, formats and ages.
///
/// Everything else asks for resources by what they are about, observes them, and reads typed content from them.
package final class GitHubAPI: Service {
    /// The server at which users sign in; nil if the only user is the owner of a token.
    package let authorization: Authorization?
    /// Asks the user about two descriptions of one repository.
    package var onConflict: (DescriptionConflict) async -> DescriptionConflict.Answer = { _ in .theirs }

    /// Creates the API at `baseURL`, which keeps what it loads in the folder `cache` if there is one.
    ///
    /// Users sign in at the server `authorization`. Without it, the owner of `token` is signed in from the start, if there
    /// is a token. All that is loaded belongs to the user who is signed in, since another user sees another GitHub.
    ///
    /// Changes that the server has not confirmed are kept beside the cache. Without a cache, they end with the process.
    package init(
        baseURL: URL, token: String? = nil, authorization: Authorization? = nil, cache: URL? = nil,
        networking: any NetworkingProviderConvertible = DefaultNetworking()
    ) {
        self.authorization = authorization
        super.init(baseURL: baseURL, standardTransformers: [], networking: networking)
        if let authorization {
            authenticate(with: authorization.oauth)
        } else {
            authenticate(with: .bearer(credentials: CommandLineToken(token: token)))
        }
        configureRequests()
        configureReloading()
        if let cache { configureCache(cache) }
        configureAges()
        configureStreams()
        configureModels()
        configureDependencies()
        resolveConflicts()
        outbox = cache.map { Outbox(at: URL(fileURLWithPath: $0.path + ".changes", isDirectory: true)) } ?? .inMemory()
    }

    private func configureRequests() {
        configure("**", description: "what GitHub asks of its clients") {
            $0.headers["Accept"] = "application/vnd.github+json"
            $0.headers["X-GitHub-Api-Version"] = "2022-11-28"
            $0.headers["User-Agent"] = "siesta-github-browser"
            $0.jsonDecoder = Self.decoder
            $0.pipeline[.cleanup].add(ErrorMessageTransformer())
        }
    }

    /// Failed requests are sent again. Requests wait for the network, and until GitHub accepts them. Resources on view are
    /// loaded again when the network returns.
    private func configureReloading() {
        configure("**", description: "when requests are sent again") {
            $0.useRecommendedReloading()
            $0.retry.firstDelay = 1
            $0.retry.decide = Self.decision
            $0.pacing = .standard
            $0.offline = .wait(upTo: 600)
        }
    }

    /// A 403 is final, except at the rate limit. Then the request is sent again as soon as the pacing permits it.
    private static func decision(_ attempt: RetryPolicy.FailedAttempt) -> RetryPolicy.Decision? {
        attempt.error.isRateLimit && attempt.number <= RetryPolicy.standard.retryLimit ? .retry(after: 0) : nil
    }

    /// Answers are kept as they came, so that they fit later versions of this app, and each user's apart from the
    /// others'. Without a partition, the cache would keep nothing while nobody is signed in.
    private func configureCache(_ folder: URL) {
        let cache = PersistentCache.file(at: folder).partitioned { [weak self] in self?.principal ?? "anonymous" }
        configure("**", description: "what outlives the app") { $0.pipeline[.rawData].cacheUsing(cache) }
        for pattern in Self.existing {
            configure(pattern, description: "what only the model says") {
                $0.pipeline[.model].cacheUsing(cache.of(Bool.self))
            }
        }
    }

    /// Addresses that say yes by existing. Their responses have no content that a cache could keep.
    private static let existing = ["/user/starred/*/*", "/user/following/*"]

    /// Until then, coming back to a screen costs no request; after it, mostly one that is answered with 304.
    private func configureAges() {
        configure("**") { $0.expirationTime = 60 }
        configure("/search/**") { $0.expirationTime = 20 }
        configure("/repos/*/*/languages") { $0.expirationTime = 600 }
        configure("/repos/*/*/contributors") { $0.expirationTime = 600 }
        configure("/zen", description: "as long as the server says") { $0.freshness = .http }
    }

    /// While somebody looks at them, a stream keeps these resources in step. It connects again by itself.
    private func configureStreams() {
        for pattern in ["/events", "/repos/*/*/stars"] {
            configure(pattern, description: "what follows the server") { $0.live = .changes }
        }
        configure("/events/stream") { $0.retry = .none }
    }

    /// A star given or taken makes stale what shows it: the repository, and each list with it. The star itself is known.
    private func configureDependencies() {
        configure("/repos/*/*") { $0.tagContent(of: Repository.self) { [$0.tag] } }
        configure("/**/repos") { $0.tagContent(of: [Repository].self) { Set($0.map(\.tag)) } }
        configure("/user/starred") { $0.tags = ["stars"] }
        configure("/user/starred/*/*", requestMethods: [.put, .delete], description: "what depends on a star") {
            $0.addInvalidations { star, _ in
                let id = star.url.pathComponents.suffix(2)
                return ["stars", .tag("repository \(id.joined(separator: "/"))")]
            }
        }
        configure("/users/*") { $0.tagContent(of: Account.self) { ["account \($0.login)"] } }
        configure("/user/following/*", requestMethods: [.put, .delete], description: "what depends on a follower") {
            $0.addInvalidations { following, _ in [.tag("account \(following.url.lastPathComponent)")] }
        }
        configure("/repos/*/*", requestMethods: [.patch], description: "nobody's edit is overwritten unseen") {
            $0.precondition = .unchanged
        }
    }

    private static let decoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    private func configureModels() {
        decode("/users/*", as: Account.self)
        decode("/repos/*/*", as: Repository.self)
        decode("/repos/*/*/languages", as: [String: Int].self) { Language.shares(of: $0.content) }
        decode("/repos/*/*/stars", as: StarCount.self)
        decode("/events", as: [FeedEvent].self)
        decode("/search/users", as: SearchResults.self)
        // Links to further pages name owners by number: /user/42/repos, /organizations/42/repos,
        // /repositories/42/contributors.
        decode("/**/repos", as: [Repository].self)
        decode("/user/starred", as: [Repository].self)
        decode("/**/contributors", as: [Contributor].self)
        configure("/zen") { $0.pipeline[.parsing].add(TextResponseTransformer()) }
        for pattern in Self.existing {
            configure(pattern, requestMethods: [.get]) { $0.pipeline[.model].add(ExistenceTransformer()) }
        }
    }
}

extension GitHubAPI {
    /// Users and organisations that match a text.
    package func search(_ text: String) -> TypedResource<SearchResults> {
        resource(template: "/search/users?per_page=30{&q}", ["q": text]).typed()
    }

    /// A user or an organisation.
    package func account(_ login: String) -> TypedResource<Account> {
        resource(template: "/users/{login}", ["login": login]).typed()
    }

    /// The first page of the repositories of an account.
    package func repositories(of login: String) -> TypedResource<[Repository]> {
        resource(template: "/users/{login}/repos?per_page=30&sort=pushed", ["login": login]).typed()
    }

    /// One repository.
    package func repository(_ id: Repository.ID) -> TypedResource<Repository> {
        resource(template: "/repos/{owner}/{name}", id.variables).typed()
    }

    /// Its languages, most used first.
    package func languages(of id: Repository.ID) -> TypedResource<[Language]> {
        resource(template: "/repos/{owner}/{name}/languages", id.variables).typed()
    }

    /// The first page of its contributors.
    package func contributors(to id: Repository.ID) -> TypedResource<[Contributor]> {
        resource(template: "/repos/{owner}/{name}/contributors", id.variables).typed()
    }

    /// The number of its stars. GitHub itself has no such resource.
    package func starCount(of id: Repository.ID) -> TypedResource<StarCount> {
        resource(template: "/repos/{owner}/{name}/stars", id.variables).typed()
    }

    /// The changes that users have made, the latest first. GitHub itself has another form of it.
    package var feed: TypedResource<[FeedEvent]> { resource("/events").typed() }

    /// The first page of the repositories that the user has starred. Needs a user.
    package var starred: TypedResource<[Repository]> {
        resource(template: "/user/starred?per_page=30", [:]).typed()
    }

    /// A sentence of GitHub's wisdom, and a new one every now and then.
    package var zen: TypedResource<String> { resource("/zen").typed() }

    /// Whether the user follows an account. Needs a user.
    package func following(_ login: String) -> TypedResource<Bool> {
        resource(template: "/user/following/{login}", ["login": login]).typed()
    }

    /// Whether the user has starred it. Needs a user.
    package func star(of id: Repository.ID) -> TypedResource<Bool> {
        resource(template: "/user/starred/{owner}/{name}", id.variables).typed()
    }
}

extension Repository.ID {
    fileprivate var variables: [String: String] { ["owner": owner, "name": name] }
}

extension Repository {
    /// The tag of all that shows this repository.
    fileprivate var tag: String { "repository \(id.owner)/\(id.name)" }
}
