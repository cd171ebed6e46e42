package import Siesta
package import SiestaUI

/// The repositories that the user has starred. The list is polled, because stars may also be given elsewhere.
@MainActor
package final class StarsModel: ScreenModel {
    package let monitor = ResourceMonitor()
    /// The starred repositories.
    package let stars: PagedListModel<Repository>
    private let api: GitHubAPI

    /// Creates the model. The list is polled while the screen is on view, because only then it is observed.
    package init(api: GitHubAPI) {
        self.api = api
        stars = PagedListModel(PagedResource(api.starred, next: .link))
        poll()
    }

    package var crumbs: [String] { ["Stars"] }

    package var resources: [Resource] { stars.list.resources }

    package func showMore() { stars.list.beginLoadingNext() }

    package func setListsVisible(_ isVisible: Bool) { stars.setVisible(isVisible) }

    /// Polls again, because the poll has ended with the session of the last user.
    package func forgetUser() {
        poll()
    }

    private func poll() {
        api.starred.poll(every: 60, owner: self)
    }
}
