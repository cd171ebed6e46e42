/// A user or an organisation; what is optional is absent in search results.
struct Account: Decodable, Hashable, Identifiable, Sendable {
    let login: String
    let type: String
    var name: String?
    var bio: String?
    var location: String?
    var publicRepos: Int?
    var followers: Int?

    var id: String { login }

    /// Whether it is an organisation rather than a person.
    var isOrganisation: Bool { type == "Organization" }
}

/// The answer to a search.
struct SearchResults: Decodable, Sendable {
    let totalCount: Int
    let items: [Account]
}
