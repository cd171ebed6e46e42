/// A repository, in a list or alone.
struct Repository: Decodable, Hashable, Identifiable, Sendable {
    /// What leads to a repository.
    struct ID: Hashable, Sendable {
        let owner: String
        let name: String
    }

    struct Owner: Decodable, Hashable, Sendable {
        let login: String
    }

    struct License: Decodable, Hashable, Sendable {
        let spdxId: String?
        let name: String
    }

    let name: String
    let owner: Owner
    var description: String?
    var language: String?
    var license: License?
    var topics: [String]?
    var pushedAt: String?
    let defaultBranch: String
    let archived: Bool
    let fork: Bool
    let forksCount: Int
    let openIssuesCount: Int
    /// Changes when the user stars the repository.
    var stargazersCount: Int

    var id: ID { ID(owner: owner.login, name: name) }
}

/// Somebody who has committed to a repository. Nobody knows the login of anonymous ones.
struct Contributor: Decodable, Hashable, Sendable {
    var login: String?
    let contributions: Int
}

/// A language, and its part of a repository's code.
struct Language: Hashable, Sendable {
    let name: String
    /// From 0 to 1.
    let share: Double

    /// The languages with the given numbers of bytes, most used first.
    static func shares(of bytes: [String: Int]) -> [Language] {
        let total = bytes.values.reduce(0.0) { $0 + Double($1) }
        return bytes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { Language(name: $0.key, share: total > 0 ? Double($0.value) / total : 0) }
    }
}
