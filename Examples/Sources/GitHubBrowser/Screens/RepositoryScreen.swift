import Siesta
import TerminalKit

/// A repository with its languages and contributors; three resources and more, each of which may be stale or fail by
/// itself.
@MainActor
final class RepositoryScreen: Screen {
    let monitor = ResourceMonitor()
    private let api: GitHubAPI
    private let id: Repository.ID
    private let repository: TypedResource<Repository>
    private let languages: TypedResource<[Language]>
    private let star: TypedResource<Bool>
    private var chain: PageChain<Contributor>
    private var selection = ListSelection()

    /// Creates the screen of a repository.
    init(api: GitHubAPI, id: Repository.ID) {
        self.api = api
        self.id = id
        repository = api.repository(id)
        languages = api.languages(of: id)
        star = api.star(of: id)
        chain = PageChain(first: api.contributors(to: id))
    }

    var crumbs: [String] { [id.owner, id.name] }

    /// The star belongs to a user, so it is asked for only if there is one.
    var resources: [Resource] {
        [repository.resource, languages.resource] + chain.resources + (api.principal == nil ? [] : [star.resource])
    }

    var hints: [KeyHint] {
        [KeyHint("s", isStarred ? "unstar" : "star"), KeyHint("⏎", "contributor"), .search, .back, .forward, .refresh]
    }

    var isBusy: Bool { star.isRequesting }

    var position: String { chain.hasMore ? "n: more contributors" : "" }

    private var isStarred: Bool { star.content ?? false }

    func showMore() {
        if chain.hasMore { chain.wanted += 1 }
    }

    func press(_ key: Key) -> Reaction {
        switch key {
        case .character("s"):
            return star.isRequesting ? .handled : .star(id, !isStarred)
        case .enter:
            let items = chain.items
            guard let selected = selection.selected, items.indices.contains(selected) else { return .ignored }
            return items[selected].login.map { .open(.account($0)) } ?? .handled
        default:
            selection.update(count: chain.items.count, height: selection.height)
            guard selection.handle(key) else { return .ignored }
            if selection.selected == selection.count - 1 { showMore() }
            return .handled
        }
    }

    func body(in size: TerminalSize) -> [Line] {
        let contributors = chain.items
        selection.update(count: contributors.count, height: size.rows)
        return RepositoryView.lines(
            RepositoryView.State(
                id: id, repository: repository.content, isStarred: isStarred,
                isStarPending: star.isRequesting && !star.isLoading, languages: languages.content,
                contributors: chain.first.content.map { _ in contributors }, selected: selection.selected),
            in: size)
    }
}
