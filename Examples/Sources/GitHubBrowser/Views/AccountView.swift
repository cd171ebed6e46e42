import GitHubClient
import TerminalKit

/// Draws ``AccountScreen``. Pure.
enum AccountView {
    /// What there is to see.
    struct State: Equatable {
        var login = ""
        var account: Account?
        /// Nil is what has not come yet.
        var repositories: [Repository]?
        var isFollowed = false
        /// Whether the server has yet to confirm ``isFollowed``.
        var isFollowPending = false
        var selection = ListSelection()
    }

    /// How many rows are left for the list.
    static func listRows(_ state: State, in size: TerminalSize) -> Int {
        max(size.rows - head(state, in: size).count, 1)
    }

    static func lines(_ state: State, in size: TerminalSize) -> [Line] {
        let repositories = state.repositories ?? []
        let rows = state.selection.visible.filter(repositories.indices.contains).map { index in
            let line = row(repositories[index], columns: size.columns)
            return index == state.selection.selected ? line.adding(.inverse) : line
        }
        let note = state.repositories?.isEmpty == true ? [Line(" No repositories yet.", style: .dim)] : []
        return head(state, in: size) + rows + note
    }

    private static func head(_ state: State, in size: TerminalSize) -> [Line] {
        guard size.rows >= 10 else { return [] }
        let account = state.account
        let facts = [
            account.map { $0.isOrganisation ? "organisation" : "user" }, account?.location,
            account?.publicRepos.map { Words.count($0, "repository", "repositories") },
            account?.followers.map { Words.count($0, "follower") },
        ].compactMap { $0 }
        let name = Line(" \(account?.name ?? state.login)", style: .bold)
        let title =
            (facts.isEmpty ? name : name + Line(" · " + facts.joined(separator: " · "), style: .dim)) + follow(state)
        return [title, Line(" \(account?.bio ?? "")"), Line()]
    }

    private static func follow(_ state: State) -> Line {
        Line(state.isFollowed ? " · ✓ followed" : "", style: Style(foreground: .green))
            + Line(state.isFollowPending ? " saving" : "", style: .dim)
    }

    /// Name and stars always; language and description as far as there is room.
    private static func row(_ repository: Repository, columns: Int) -> Line {
        let nameColumns = columns >= 70 ? 26 : max(columns - 12, 8)
        let stars = Line(Words.count(repository.stargazersCount)).fitted(to: 7, alignment: .right)
        var row =
            Line(" ") + Line(repository.name, style: .bold).fitted(to: nameColumns)
            + Line(" ★", style: Style(foreground: .yellow)) + stars
        if columns >= 70 {
            row += "  " + Line(repository.language ?? "", style: Style(foreground: .cyan)).fitted(to: 11) + " "
            row += Line(repository.description ?? "", style: .dim)
        }
        return row.fitted(to: columns)
    }
}
