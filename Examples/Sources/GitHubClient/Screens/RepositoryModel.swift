package import Siesta
package import SiestaUI

/// A repository with its languages and contributors. Each of its resources may be stale or fail independently.
@MainActor
package final class RepositoryModel: ScreenModel {
    package let monitor = ResourceMonitor()
    package let id: Repository.ID
    package let repository: TypedResource<Repository>
    package let languages: TypedResource<[Language]>
    package let contributors: PagedListModel<Contributor>
    private let star: TypedResource<Bool>
    private let api: GitHubAPI

    /// Creates the model of a repository.
    package init(api: GitHubAPI, id: Repository.ID) {
        self.api = api
        self.id = id
        repository = api.repository(id)
        languages = api.languages(of: id)
        star = api.star(of: id)
        // Nobody knows whether two anonymous contributors are the same.
        contributors = PagedListModel(
            PagedResource(withoutIdentity: api.contributors(to: id), next: .link), id: \.self, isEqual: ==)
    }

    package var crumbs: [String] { [id.owner, id.name] }

    /// The resources. The star belongs to a user, so it is loaded only if a user is signed in.
    package var resources: [Resource] {
        [repository.resource, languages.resource] + contributors.list.resources
            + (api.principal == nil ? [] : [star.resource])
    }

    /// True if the user has starred the repository.
    package var isStarred: Bool { star.content ?? false }

    /// True if the server has not confirmed ``isStarred`` yet.
    package var isStarPending: Bool { star.resource.isOptimistic }

    /// True if the server has not confirmed a new description yet.
    package var isDescriptionPending: Bool {
        repository.resource.pendingChanges.contains { $0.resource === repository.resource }
    }

    package func showMore() { contributors.list.beginLoadingNext() }

    package func setListsVisible(_ isVisible: Bool) { contributors.setVisible(isVisible) }
}
