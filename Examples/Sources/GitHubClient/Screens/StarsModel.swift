package import Siesta

/// The repositories that the user has starred. The list is polled, because stars may also be given elsewhere.
@MainActor
package final class StarsModel: ScreenModel {
    package let monitor = ResourceMonitor()
    /// The starred repositories.
    package let stars: PagedResource<Repository>
    private let api: GitHubAPI

    /// Creates the model. The list is polled while the screen is on view, because only then it is observed.
    package init(api: GitHubAPI) {
        self.api = api
        stars = PagedResource(api.starred, next: .link)
        poll()
    }

    package var crumbs: [String] { ["Stars"] }

    package var resources: [Resource] { stars.resources }

    package func showMore() { stars.beginLoadingNext() }

    /// Polls again, because the poll has ended with the session of the last user.
    package func forgetUser() {
        poll()
    }

    private func poll() {
        api.starred.poll(every: 60, owner: self)
    }
}
