package import Siesta
package import SiestaUI

/// The stars of a repository and the changes of all users, which a stream of the server keeps in step.
@MainActor
package final class FeedModel: ScreenModel {
    package let monitor = ResourceMonitor()
    package let id: Repository.ID
    /// The number of stars.
    package let stars: TypedResource<StarCount>
    /// The changes, the latest first.
    package let feed: PagedListModel<FeedEvent>
    private let star: TypedResource<Bool>
    private let api: GitHubAPI

    /// Creates the model of a repository.
    package init(api: GitHubAPI, id: Repository.ID) {
        (self.api, self.id) = (api, id)
        stars = api.starCount(of: id)
        star = api.star(of: id)
        feed = PagedListModel(PagedResource(api.feed, next: .link))
    }

    package var crumbs: [String] { [id.owner, id.name, "Live"] }

    /// The resources. The star belongs to a user, so it is loaded only if a user is signed in.
    package var resources: [Resource] {
        [stars.resource] + feed.list.resources + (api.principal == nil ? [] : [star.resource])
    }

    /// True if the user has starred the repository.
    package var isStarred: Bool { star.content ?? false }

    package func setListsVisible(_ isVisible: Bool) { feed.setVisible(isVisible) }
}
