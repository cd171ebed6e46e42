/// A person or an organisation.
struct Account: Sendable, Hashable, Identifiable {
    /// What an account can be.
    enum Kind: Sendable, Hashable {
        case user, organisation
    }

    let id: Int
    let login: String
    let kind: Kind
    let name: String?

    /// The biography of a person, the description of an organisation.
    let bio: String?

    let location: String?
    let company: String?
    let blog: String?
    let followers: Int
    let following: Int
    let created: Moment
    let updated: Moment
}
