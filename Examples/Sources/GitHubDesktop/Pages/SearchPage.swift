#if GTK
import CGTK
import GitHubClient
import SiestaGTK
import SiestaUI

/// The accounts that a search has found. The text is typed into the entry of the window.
@MainActor
final class SearchPage: Page {
    let widget: WidgetPointer
    private let search: SearchModel
    private let browser: BrowserModel
    private let content = WidgetPointer.column([])
    private let note = WidgetPointer.label(style: "dim-label", wraps: true).margins(12, 24)
    private var list: ResourceList<Account>?

    init(_ search: SearchModel, _ browser: BrowserModel) {
        (self.search, self.browser) = (search, browser)
        gtk_label_set_xalign(note.object, 0.5)
        let column = WidgetPointer.column([note, content])
        gtk_widget_set_vexpand(content, 1)
        widget = PageFrame(column, search.monitor).widget
        update()
    }

    var model: any ScreenModel { search }

    var focusWidget: WidgetPointer? { list?.listView }

    func update() {
        note.setText(search.note)
        let results = search.results
        guard list?.model !== results else { return }
        content.removeChildren()
        list = results.map(makeList)
        if let list { gtk_box_append(content.as(), list.widget) }
    }

    private func makeList(_ results: PagedListModel<Account>) -> ResourceList<Account> {
        let list = ResourceList(results) { [browser] in AccountRow.make(browser.avatars) }
        list.setLabel("Users and organisations")
        list.activatesOnClick()
        list.onActivate = { [weak browser] account, _ in browser?.open(.account(account.login)) }
        gtk_widget_set_vexpand(list.widget, 1)
        return list
    }
}

extension ResourceList {
    /// Makes a single click activate a row, and draws lines between rows.
    func activatesOnClick() {
        gtk_list_view_set_single_click_activate(listView.object, 1)
        gtk_list_view_set_show_separators(listView.object, 1)
    }
}
#endif
