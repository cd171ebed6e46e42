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
    private let contributors: PagedSelection<Contributor>

    /// Creates the screen of a repository.
    init(api: GitHubAPI, id: Repository.ID) {
        self.api = api
        self.id = id
        repository = api.repository(id)
        languages = api.languages(of: id)
        star = api.star(of: id)
        // Nobody knows whether two anonymous contributors are the same.
        contributors = PagedSelection(PagedResource(withoutIdentity: api.contributors(to: id), next: .link), by: \.self)
    }

    var crumbs: [String] { [id.owner, id.name] }

    /// The star belongs to a user, so it is asked for only if there is one.
    var resources: [Resource] {
        [repository.resource, languages.resource] + contributors.list.resources
            + (api.principal == nil ? [] : [star.resource])
    }

    var hints: [KeyHint] {
        [KeyHint("s", isStarred ? "unstar" : "star"), KeyHint("⏎", "contributor"), .search, .back, .forward, .refresh]
    }

    var isBusy: Bool { star.isRequesting }

    var position: String { contributors.items != nil && contributors.list.hasNext ? "n: more contributors" : "" }

    private var isStarred: Bool { star.content ?? false }

    func showMore() { contributors.list.beginLoadingNext() }

    func press(_ key: Key) -> Reaction {
        guard key == .character("s") else { return contributors.press(key) { $0.login.map(Place.account) } }
        return star.isRequesting ? .handled : .star(id, !isStarred)
    }

    func body(in size: TerminalSize) -> [Line] {
        RepositoryView.lines(
            RepositoryView.State(
                id: id, repository: repository.content, isStarred: isStarred,
                isStarPending: star.isRequesting && !star.isLoading, languages: languages.content,
                contributors: contributors.items, selected: contributors.rows(height: size.rows).selected),
            in: size)
    }
}
