import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// GitHub's REST API, as far as this app uses it: the one place that knows its addresses, headers, formats and ages.
///
/// Everything else asks for resources by what they are about, observes them, and reads typed content from them.
final class GitHubAPI: Service {
    /// The token that goes with every request; nil for an anonymous user.
    ///
    /// A change forgets all that was loaded, since another user sees another GitHub.
    var token: String? {
        didSet {
            guard token != oldValue else { return }
            invalidateConfiguration()
            wipeResources()
        }
    }

    /// Creates the API at `baseURL`. What moves the bytes is a session of its own, unless a test has something else.
    init(
        baseURL: URL, token: String? = nil,
        networking: any NetworkingProviderConvertible = URLSessionConfiguration.ephemeral
    ) {
        self.token = token
        super.init(baseURL: baseURL, standardTransformers: [], networking: networking)
        configureRequests()
        configureAges()
        configureModels()
    }

    /// The pattern is relative to the base, so the token never follows a link to another server.
    private func configureRequests() {
        configure("**", description: "what GitHub asks of its clients") { [weak self] in
            $0.headers["Accept"] = "application/vnd.github+json"
            $0.headers["X-GitHub-Api-Version"] = "2022-11-28"
            $0.headers["User-Agent"] = "siesta-github-browser"
            $0.headers["Authorization"] = self?.token.map { "Bearer \($0)" }
            $0.pipeline[.cleanup].add(ErrorMessageTransformer())
        }
    }

    /// Until then, coming back to a screen costs no request; after it, mostly one that is answered with 304.
    private func configureAges() {
        configure("**") { $0.expirationTime = 60 }
        configure("/search/**") { $0.expirationTime = 20 }
        configure("/repos/*/*/languages") { $0.expirationTime = 600 }
        configure("/repos/*/*/contributors") { $0.expirationTime = 600 }
    }

    private func configureModels() {
        configureTransformer("/users/*") { try Self.decode(Account.self, $0) }
        configureTransformer("/repos/*/*") { try Self.decode(Repository.self, $0) }
        configureTransformer("/repos/*/*/languages") { Language.shares(of: try Self.decode([String: Int].self, $0)) }
        configureTransformer("/search/users") {
            let found = try Self.decode(SearchResults.self, $0)
            return Page(found.items, of: $0, total: found.totalCount)
        }
        // Links to further pages name owners by number: /user/42/repos, /organizations/42/repos, /repositories/42/contributors.
        configureTransformer("/**/repos") { Page(try Self.decode([Repository].self, $0), of: $0) }
        configureTransformer("/**/contributors") { Page(try Self.decode([Contributor].self, $0), of: $0) }
        configure("/user/starred/*/*", requestMethods: [.get]) { $0.pipeline[.model].add(ExistenceTransformer()) }
    }

    nonisolated private static let decoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    nonisolated private static func decode<Content: Decodable>(
        _ type: Content.Type, _ entity: Entity<Data>
    ) throws -> Content {
        try decoder.decode(type, from: entity.content)
    }
}

extension GitHubAPI {
    /// Users and organisations that match a text; content `Page<Account>`.
    func search(_ text: String) -> Resource {
        resource("/search/users").withParams(["q": text, "per_page": "30"])
    }

    /// A user or an organisation; content ``Account``.
    func account(_ login: String) -> Resource {
        resource("/users").child(login)
    }

    /// The first page of the repositories of an account; content `Page<Repository>`.
    func repositories(of login: String) -> Resource {
        account(login).child("repos").withParams(["sort": "pushed", "per_page": "30"])
    }

    /// One repository; content ``Repository``.
    func repository(_ id: Repository.ID) -> Resource {
        resource("/repos").child(id.owner).child(id.name)
    }

    /// Its languages, most used first; content `[Language]`.
    func languages(of id: Repository.ID) -> Resource {
        repository(id).child("languages")
    }

    /// The first page of its contributors; content `Page<Contributor>`.
    func contributors(to id: Repository.ID) -> Resource {
        repository(id).child("contributors")
    }

    /// Whether the user has starred it; content `Bool`. Needs a token.
    func star(of id: Repository.ID) -> Resource {
        resource("/user/starred").child(id.owner).child(id.name)
    }
}
