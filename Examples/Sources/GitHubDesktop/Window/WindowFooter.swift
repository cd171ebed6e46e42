#if GTK
import CGTK
import GitHubClient
import Siesta
import SiestaGTK
import SiestaUI

/// The row at the bottom of the window: the outcome of the last action, the server and the user.
@MainActor
final class WindowFooter {
    let widget: WidgetPointer
    private let notice: WidgetPointer
    private let state = WidgetPointer.label(style: "dim-label")

    init() {
        notice = cgtk_widget_new(gtk_label_get_type(), GTK_ACCESSIBLE_ROLE_STATUS)
        gtk_label_set_xalign(notice.object, 0)
        gtk_label_set_ellipsize(notice.object, PANGO_ELLIPSIZE_END)
        let texts = WidgetPointer.row([notice.expanding(), state]).margins(12, 6)
        widget = .column([gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), texts])
        gtk_widget_set_halign(state, GTK_ALIGN_END)
    }

    func show(_ browser: BrowserModel) {
        gtk_label_set_text(notice.object, text(browser))
        let isBad = browser.notice?.isBad == true
        if isBad { gtk_widget_add_css_class(notice, "error") } else { gtk_widget_remove_css_class(notice, "error") }
        let server = browser.backend.isLive ? "api.github.com" : "server: \(browser.mood.name)"
        let network = browser.api.networkStatus.isConnected ? "" : "offline · "
        state.setText("\(network)\(server) · \(browser.userLabel)")
    }

    /// The notice; without one, the wait of a request that is not a load. Waits of loads are shown by the page.
    private func text(_ browser: BrowserModel) -> String {
        let monitor = browser.screen.monitor
        guard let notice = browser.notice else {
            return monitor.status.display.message == nil ? monitor.message?.line ?? "" : ""
        }
        return notice.text + (notice.next == .reload ? "; Ctrl+R asks it" : "")
    }
}
#endif
