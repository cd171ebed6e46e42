import Foundation
package import Siesta

/// The changes that a user can make. Each is shown at once, and kept until the server has confirmed it: while the server is
/// gone, and when the app has ended meanwhile.
extension GitHubAPI {
    /// The changes of the user that the server has not confirmed, in their order.
    package var changes: [Outbox.Entry] { (outbox?.entries ?? []).filter { $0.principal == principal } }

    /// Stars or unstars a repository.
    ///
    /// The repository counts the star at once. The server's count is loaded when the server knows of the star.
    @discardableResult
    package func setStarred(_ isStarred: Bool, _ id: Repository.ID) -> PendingChange {
        let count = repository(id).edit { $0.stargazersCount += isStarred ? 1 : -1 }
        return set(isStarred, star(of: id), also: count)
    }

    /// Follows an account, or follows it no longer.
    @discardableResult
    package func setFollowed(_ isFollowed: Bool, _ login: String) -> PendingChange {
        let count = account(login).edit { $0.followers? += isFollowed ? 1 : -1 }
        return set(isFollowed, following(login), also: count)
    }

    /// Changes the description of a repository. If somebody else has changed it meanwhile, ``onConflict`` decides.
    @discardableResult
    package func setDescription(_ text: String, of id: Repository.ID) -> PendingChange {
        repository(id).mutate(.patch, body: .json(["description": text]), durable: true) { $0.description = text }
    }

    private func set(_ exists: Bool, _ resource: TypedResource<Bool>, also count: ResourceEdit) -> PendingChange {
        var options = ChangeOptions()
        options.settlement = .edit  // The response is empty.
        return resource.mutate(
            exists ? .put : .delete, also: [resource.replace(by: exists), count], options: options, durable: true
        )
    }

    // MARK: Conflicts

    /// Two descriptions of one repository.
    package struct DescriptionConflict: Equatable, Sendable {
        /// The ways out.
        package enum Answer: Equatable, Sendable {
            case mine, theirs
            /// A text that the user has made of both.
            case merged(String)
        }

        package let id: Repository.ID
        package let mine: String
        package let theirs: String

        /// Creates a conflict.
        package init(id: Repository.ID, mine: String, theirs: String) {
            (self.id, self.mine, self.theirs) = (id, mine, theirs)
        }
    }

    /// Decides about changes of repositories that the server has refused because the repository has changed. Only a change
    /// of the description by somebody else is a question. A new star, for example, is none.
    func resolveConflicts() {
        resolveConflicts("/repos/*/*", as: Repository.self) { [weak self] conflict in
            guard let self, var merged = conflict.theirs, let mine = conflict.mine?.description,
                let text = await description(mine, over: merged, since: conflict.base)
            else { return .giveUp }
            merged.description = text
            return .send(merged, body: .json(["description": text]))
        }
    }

    /// Returns the description to send; nil for that of the server.
    private func description(_ mine: String, over theirs: Repository, since base: Repository?) async -> String? {
        let isChanged = base == nil || base?.description != theirs.description
        guard isChanged, theirs.description != mine else { return mine }
        let conflict = DescriptionConflict(id: theirs.id, mine: mine, theirs: theirs.description ?? "")
        return switch await onConflict(conflict) {
        case .mine: mine
        case .theirs: nil
        case .merged(let text): text
        }
    }
}
