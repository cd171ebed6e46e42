#if GTK
import CGTK
import GitHubClient
import Siesta
import SiestaGTK

/// The stars of a repository and the changes of all users, live.
@MainActor
final class FeedPage: Page {
    let widget: WidgetPointer
    private let feed: FeedModel
    private let list: ResourceList<FeedEvent>
    private let stars = WidgetPointer.label(style: "title-2")

    init(_ feed: FeedModel) {
        self.feed = feed
        list = ResourceList(feed.feed) {
            let label = WidgetPointer.label()
            return ListRow(label.margins(6, 4)) { label.setText("\($0.actor) \($0.action) \($0.subject)") }
        }
        list.setLabel("Changes by all users")
        gtk_widget_set_vexpand(list.widget, 1)
        let name = WidgetPointer.label("\(feed.id.owner)/\(feed.id.name)", style: "title-2").expanding()
        let title = WidgetPointer.label("Changes by all users", style: "heading").margins(12, 6)
        let content = WidgetPointer.column([
            .row([name, stars]).margins(12, 12), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), title, list.widget,
        ])
        widget = PageFrame(content, feed.monitor).widget
        update()
    }

    var model: any ScreenModel { feed }

    var focusWidget: WidgetPointer? { list.listView }

    func update() {
        let count = feed.stars.content.map { " \(Words.count($0.count))" } ?? ""
        stars.setText((feed.isStarred ? "★" : "☆") + count)
    }
}
#endif
