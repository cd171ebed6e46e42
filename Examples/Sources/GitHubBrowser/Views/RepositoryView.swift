import GitHubClient
import TerminalKit

/// Draws ``RepositoryScreen``. Pure.
enum RepositoryView {
    /// What there is to see; nil is what has not come yet.
    struct State: Equatable {
        var id: Repository.ID
        var repository: Repository?
        var isStarred = false
        /// Whether the server has yet to confirm ``isStarred``.
        var isStarPending = false
        /// Whether the server has yet to confirm the description.
        var isDescriptionPending = false
        /// The description that the user edits; nil if nobody edits it.
        var field: TextField?
        var languages: [Language]?
        var contributors: [Contributor]?
        /// The contributor that is selected.
        var selected: Int?
    }

    static func lines(_ state: State, in size: TerminalSize) -> [Line] {
        let head = head(state, columns: size.columns)
        let languages = languageLines(state, columns: size.columns >= 64 ? 32 : size.columns)
        let contributors = contributorLines(state, columns: size.columns >= 64 ? size.columns - 36 : size.columns)
        let lines: [Line]
        let focus: Int
        if size.columns >= 64 {
            lines = head + sideBySide(languages, contributors)
            focus = head.count + (state.selected ?? -1) + 1
        } else {
            lines = head + languages + [Line()] + contributors
            focus = lines.count - contributors.count + (state.selected ?? -1) + 1
        }
        return window(lines, focus: state.selected ?? 0 == 0 ? 0 : focus, rows: size.rows)
    }

    /// The part of the lines with one of them in view, and nothing cut off above if that can be.
    static func window(_ lines: [Line], focus: Int, rows: Int) -> [Line] {
        let top = max(0, min(focus - max(rows - 2, 0), lines.count - rows))
        return Array(lines.dropFirst(top).prefix(rows))
    }

    // MARK: Head

    private static func head(_ state: State, columns: Int) -> [Line] {
        guard let repository = state.repository else {
            return [Line(" \(state.id.owner)/\(state.id.name)", style: .bold), Line()]
        }
        let text = description(repository, state, columns: columns - 2)
        let details = Line(" " + facts(repository).joined(separator: " · "), style: .dim)
        let topics = (repository.topics ?? []).map { "#" + $0 }.joined(separator: " ")
        return [title(repository, state, columns: columns)] + text.map { Line(" ") + $0 } + [Line(), details]
            + (topics.isEmpty ? [] : [Line(" " + topics, style: Style(foreground: .blue))]) + [Line()]
    }

    private static func description(_ repository: Repository, _ state: State, columns: Int) -> [Line] {
        if let field = state.field { return [field.line(columns: columns)] }
        let lines = Words.wrapped(repository.description ?? "No description.", columns: columns - 7, rows: 3)
        guard state.isDescriptionPending, let last = lines.last else { return lines }
        return lines.dropLast() + [last + Line(" saving", style: .dim)]
    }

    private static func title(_ repository: Repository, _ state: State, columns: Int) -> Line {
        let mark = state.isStarred ? " ★ " : " ☆ "
        let wait = state.isStarPending ? Line(" saving", style: .dim) : Line()
        let stars =
            Line(mark, style: Style(bold: state.isStarred, foreground: .yellow))
            + Line(Words.count(repository.stargazersCount)) + wait + " "
        let name = Line(" \(repository.owner.login)/", style: .dim) + Line(repository.name, style: .bold)
        return name.fitted(to: max(columns - stars.columns, 8)) + stars
    }

    private static func facts(_ repository: Repository) -> [String] {
        [
            repository.archived ? "archived" : nil, repository.fork ? "fork" : nil,
            repository.license.map { $0.spdxId ?? $0.name }, Words.count(repository.forksCount, "fork"),
            Words.count(repository.openIssuesCount, "issue"),
            repository.pushedAt.map { "pushed \($0.prefix(10))" }, repository.defaultBranch,
        ].compactMap { $0 }
    }

    // MARK: Columns

    private static func languageLines(_ state: State, columns: Int) -> [Line] {
        let rows = (state.languages ?? []).prefix(8).map { language in
            let share = Int((language.share * 1_000).rounded())
            let percent = Line("\(share / 10).\(share % 10) %").fitted(to: 8, alignment: .right)
            let bar = Line(
                ProgressBar(fraction: language.share).text(columns: max(columns - 22, 1)),
                style: Style(foreground: .green))
            return Line(" ") + Line(language.name).fitted(to: 12) + bar + percent + " "
        }
        let title = Line(" Languages", style: .bold)
        return [title] + (rows.isEmpty ? [placeholder(state.languages)] : rows)
    }

    private static func contributorLines(_ state: State, columns: Int) -> [Line] {
        let contributors = state.contributors ?? []
        let rows = contributors.enumerated().map { index, contributor in
            let count = Line(Words.count(contributor.contributions)).fitted(to: 8, alignment: .right)
            let name = Line(contributor.login ?? "somebody without an account")
            let line = Line(" ") + name.fitted(to: max(columns - 10, 4)) + count + " "
            return index == state.selected ? line.adding(.inverse) : line
        }
        let count = state.contributors.map { " \($0.count)" } ?? ""
        let title = Line(" Contributors", style: .bold) + Line(count, style: .dim)
        return [title] + (rows.isEmpty ? [placeholder(state.contributors)] : rows)
    }

    private static func placeholder(_ content: (some Collection)?) -> Line {
        Line(content == nil ? " …" : " none", style: .dim)
    }

    private static func sideBySide(_ left: [Line], _ right: [Line]) -> [Line] {
        (0..<max(left.count, right.count)).map { row in
            let first = left.indices.contains(row) ? left[row] : Line()
            let second = right.indices.contains(row) ? right[row] : Line()
            return first.fitted(to: 34) + second
        }
    }
}
