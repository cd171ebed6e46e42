/// A repository with everything that never changes about it.
struct Repository: Sendable, Hashable, Identifiable {
    /// Bytes of code in one language.
    struct LanguageShare: Sendable, Hashable {
        let name: String
        let bytes: Int
    }

    /// Somebody who has committed to a repository.
    struct Contributor: Sendable, Hashable {
        let account: Account
        let contributions: Int
    }

    let id: Int
    let owner: Account
    let name: String
    let description: String?

    /// Largest first; empty if there is no code.
    let languages: [LanguageShare]

    /// The stars that others than the demo user have given.
    let starsOfOthers: Int

    let forks: Int
    let openIssues: Int
    let size: Int
    let topics: [String]
    let license: License?
    let homepage: String?
    let isFork: Bool
    let isArchived: Bool
    let defaultBranch: String
    let created: Moment
    let pushed: Moment
    let updated: Moment

    /// As in `owner/name`.
    var fullName: String { "\(owner.login)/\(name)" }

    /// The language with most bytes.
    var language: String? { languages.first?.name }
}
