#if GTK
import CGTK
import GitHubClient
import Siesta
import SiestaGTK

/// A repository with its languages and contributors.
@MainActor
final class RepositoryPage: Page {
    let widget: WidgetPointer
    private let repository: RepositoryModel
    private let browser: BrowserModel
    private let list: ResourceList<Contributor>
    private let head: RepositoryHead

    init(_ repository: RepositoryModel, _ browser: BrowserModel) {
        (self.repository, self.browser) = (repository, browser)
        list = ResourceList(repository.contributors) { [browser] in ContributorRow.make(browser.avatars) }
        head = RepositoryHead()
        let title = WidgetPointer.label("Contributors", style: "heading").margins(12, 6)
        let line: WidgetPointer = gtk_separator_new(GTK_ORIENTATION_HORIZONTAL)
        gtk_widget_set_vexpand(list.widget, 1)
        widget = PageFrame(.column([head.widget, line, title, list.widget]), repository.monitor).widget
        list.setLabel("Contributors")
        list.activatesOnClick()
        list.onActivate = { [weak browser] contributor, _ in
            if let login = contributor.login { browser?.open(.account(login)) }
        }
        update()
    }

    var model: any ScreenModel { repository }

    var focusWidget: WidgetPointer? { list.listView }

    func update() {
        head.show(repository, avatars: browser.avatars)
    }
}
#endif
