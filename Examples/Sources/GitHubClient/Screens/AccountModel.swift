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

    /// Creates the model of an account. The list keeps at most three pages, and loads the others again when needed.
    package init(api: GitHubAPI, login: String) {
        self.login = login
        account = api.account(login)
        let pages = PagedResource(api.repositories(of: login), next: .link, maxPages: 3)
        repositories = PagedListModel(pages)
    }

    package var crumbs: [String] { [login] }

    package var resources: [Resource] { [account.resource] + repositories.list.resources }

    package func showMore() { repositories.list.beginLoadingNext() }

    package func setListsVisible(_ isVisible: Bool) { repositories.setVisible(isVisible) }
}
