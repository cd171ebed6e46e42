/// The addresses that the script expects to see, as paths with queries, and what it expects of them.
enum Addresses {
    /// What the detail of a repository is made of.
    static let detail = [repository, "\(repository)/contributors", "\(repository)/languages"]
    /// The repository that most of the script is about.
    static let repository = "/repos/lanternworks/lucid-anchor"
    /// Whether it is starred.
    static let star = "/user/starred/lanternworks/lucid-anchor"
    /// The starred repositories.
    static let stars = "/user/starred?per_page=30"
    /// What a stream keeps in step: the number of stars, and the feed.
    static let live = ["\(repository)/stars", "/events"]
    /// The stream.
    static let stream = "/events/stream"
    /// The sentence.
    static let zen = ["/zen"]
    /// A page of the first account's repositories, from the second one.
    static func page(_ number: Int) -> String { "/users/lanternworks/repos?per_page=30&sort=pushed&page=\(number)" }

    /// The pages of the OAuth 2.0 server.
    static let (authorization, tokens) = ("/login/oauth/authorize", "/login/oauth/access_token")

    /// An account, and the first page of its repositories.
    static func account(_ login: String) -> [String] {
        ["/users/\(login)", "/users/\(login)/repos?per_page=30&sort=pushed"]
    }

    /// Whether the user follows an account.
    static func following(_ login: String) -> String { "/user/following/\(login)" }

    /// The first account with two pages.
    static let twoPages = account("lanternworks") + [page(2)]

    /// A search, by the text as it stands in a query.
    static func search(_ text: String) -> [String] {
        ["/search/users?per_page=30&q=\(text)"]
    }
}

/// The lines for resources whose observers have been told the same, such as `requested error`.
func heard(_ events: String, _ addresses: [String]) -> [String] {
    addresses.map { "\($0): \(events)" }
}

/// The lines for requests that were answered in the same way, such as `200 GET`.
func answered(_ answer: String, _ addresses: [String], _ notes: String...) -> [String] {
    addresses.map { ([answer + " " + $0] + notes).joined(separator: ", ") }
}

/// The lines for a user who signs in.
let signedIn = answered("302 GET", [Addresses.authorization]) + refreshed

/// The line for new tokens.
let refreshed = answered("200 POST", [Addresses.tokens])

/// The same lines or addresses several times.
func * (count: Int, lines: [String]) -> [String] {
    Array(repeating: lines, count: count).flatMap(\.self)
}
