#if GTK
import CGTK
import GitHubClient
import SiestaGTK

/// The repositories that the user has starred.
@MainActor
final class StarsPage: Page {
    let model: any ScreenModel
    let widget: WidgetPointer
    private let list: ResourceList<Repository>

    init(_ stars: StarsModel, _ browser: BrowserModel) {
        model = stars
        list = ResourceList(stars.stars) { RepositoryRow.make() }
        list.setLabel("Starred repositories")
        list.activatesOnClick()
        list.onActivate = { [weak browser] repository, _ in browser?.open(.repository(repository.id)) }
        gtk_widget_set_vexpand(list.widget, 1)
        let title = WidgetPointer.label("Starred repositories", style: "title-2").margins(12, 12)
        let content = WidgetPointer.column([title, gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), list.widget])
        widget = PageFrame(content, stars.monitor).widget
    }

    var focusWidget: WidgetPointer? { list.listView }

    func update() {}
}
#endif
