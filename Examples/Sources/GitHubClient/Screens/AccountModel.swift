package import Siesta
package import SiestaUI

/// A user or an organisation, and the list of its repositories, which grows page by page.
@MainActor
package final class AccountModel: ScreenModel {
    package let monitor = ResourceMonitor()
    /// The login of the account.
    package let login: String
    /// The account.
    package let account: TypedResource<Account>
    /// The repositories of the account.
    package let repositories: PagedListModel<Repository>
    private let following: TypedResource<Bool>
    private let api: GitHubAPI

    /// Creates the model of an account. The list keeps at most three pages, and loads the others again when needed.
    package init(api: GitHubAPI, login: String) {
        (self.api, self.login) = (api, login)
        following = api.following(login)
        account = api.account(login)
        let pages = PagedResource(api.repositories(of: login), next: .link, maxPages: 3)
        repositories = PagedListModel(pages)
    }

    package var crumbs: [String] { [login] }

    /// The resources. Whether the account is followed is known only for a user who is signed in.
    package var resources: [Resource] {
        [account.resource] + repositories.list.resources + (api.principal == nil ? [] : [following.resource])
    }

    /// True if the user follows the account.
    package var isFollowed: Bool { following.content ?? false }

    /// True if the server has not confirmed ``isFollowed`` yet.
    package var isFollowPending: Bool { following.resource.isOptimistic }

    package func showMore() { repositories.list.beginLoadingNext() }

    package func setListsVisible(_ isVisible: Bool) { repositories.setVisible(isVisible) }
}
