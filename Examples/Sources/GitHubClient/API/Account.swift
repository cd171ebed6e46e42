package import Foundation

/// A user or an organisation; what is optional is absent in search results.
package struct Account: Codable, Hashable, Identifiable, Sendable {
    package let login: String
    package let type: String
    package var avatarUrl: URL?
    package var name: String?
    package var bio: String?
    package var location: String?
    package var publicRepos: Int?
    package var followers: Int?

    package var id: String { login }

    /// Whether it is an organisation rather than a person.
    package var isOrganisation: Bool { type == "Organization" }
}

/// The answer to a search.
package struct SearchResults: Decodable, Sendable {
    package let totalCount: Int
    package let items: [Account]
}
