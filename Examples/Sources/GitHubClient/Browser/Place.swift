/// Somewhere to go.
package enum Place: Hashable, Sendable {
    /// The search for accounts, with a text to begin with.
    case search(String)
    /// An account and its repositories, by login.
    case account(String)
    /// The repositories that the user has starred.
    case stars
    /// The changes that the server has not confirmed.
    case changes
    /// A sentence of GitHub's wisdom.
    case zen
    /// A repository.
    case repository(Repository.ID)
    /// The stars of a repository and the changes of all users, live.
    case feed(Repository.ID)
}
