#if GTK
import CGTK
import GitHubClient
import Siesta
import SiestaGTK

/// A user or an organisation, and the list of its repositories.
@MainActor
final class AccountPage: Page {
    let widget: WidgetPointer
    private let account: AccountModel
    private let browser: BrowserModel
    private let list: ResourceList<Repository>
    private let avatar = RemoteImage(width: Avatars.headSize, height: Avatars.headSize)
    private let name = WidgetPointer.label(style: "title-2")
    private let bio = WidgetPointer.label(wraps: true)
    private let facts = WidgetPointer.label(style: "dim-label", wraps: true)

    init(_ account: AccountModel, _ browser: BrowserModel) {
        (self.account, self.browser) = (account, browser)
        list = ResourceList(account.repositories) { RepositoryRow.make() }
        list.setLabel("Repositories")
        list.activatesOnClick()
        list.onActivate = { [weak browser] repository, _ in browser?.open(.repository(repository.id)) }
        gtk_widget_set_vexpand(list.widget, 1)
        gtk_widget_set_valign(avatar.widget, GTK_ALIGN_START)
        let head = WidgetPointer.row([avatar.widget, .column(spacing: 4, [name, bio, facts]).expanding()])
        let content = WidgetPointer.column([
            head.margins(12, 12), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), list.widget,
        ])
        widget = PageFrame(content, account.monitor).widget
        update()
    }

    var model: any ScreenModel { account }

    var focusWidget: WidgetPointer? { list.listView }

    func update() {
        let account = account.account.content
        name.setText(account?.name ?? self.account.login)
        bio.setText(OneLine.text(account?.bio ?? ""))
        facts.setText(
            [
                account.map { $0.isOrganisation ? "organisation" : "user" }, account?.location,
                account?.publicRepos.map { Words.count($0, "repository", "repositories") },
                account?.followers.map { Words.count($0, "follower") },
            ].compactMap { $0 }.joined(separator: " · "))
        avatar.alternativeText = account.map { "Avatar of \($0.login)" } ?? ""
        avatar.resource = browser.avatars.avatar(at: account?.avatarUrl, pixels: Avatars.pixels)
    }
}
#endif
