package import Foundation

/// A repository, in a list or alone.
package struct Repository: Codable, Hashable, Identifiable, Sendable {
    /// What leads to a repository.
    package struct ID: Hashable, Sendable {
        package let owner: String
        package let name: String

        package init(owner: String, name: String) {
            (self.owner, self.name) = (owner, name)
        }
    }

    package struct Owner: Codable, Hashable, Sendable {
        package let login: String
        package var avatarUrl: URL?
    }

    package struct License: Codable, Hashable, Sendable {
        package let spdxId: String?
        package let name: String
    }

    package let name: String
    package let owner: Owner
    package var description: String?
    package var language: String?
    package var license: License?
    package var topics: [String]?
    package var pushedAt: String?
    package let defaultBranch: String
    package let archived: Bool
    package let fork: Bool
    package let forksCount: Int
    package let openIssuesCount: Int
    /// Changes when the user stars the repository.
    package var stargazersCount: Int

    package var id: ID { ID(owner: owner.login, name: name) }
}

/// Somebody who has committed to a repository. Nobody knows the login of anonymous ones.
package struct Contributor: Decodable, Hashable, Sendable {
    package var login: String?
    package var avatarUrl: URL?
    package let contributions: Int
}

/// A language, and its part of a repository's code.
package struct Language: Hashable, Sendable {
    package let name: String
    /// From 0 to 1.
    package let share: Double

    /// The languages with the given numbers of bytes, most used first.
    static func shares(of bytes: [String: Int]) -> [Language] {
        let total = bytes.values.reduce(0.0) { $0 + Double($1) }
        return bytes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { Language(name: $0.key, share: total > 0 ? Double($0.value) / total : 0) }
    }
}
