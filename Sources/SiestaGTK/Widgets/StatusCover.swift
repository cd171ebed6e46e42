#if GTK
import CGTK
import SiestaUI

/// The page that covers the content: an activity indicator or a failure.
@MainActor final class StatusCover {
    /// A scrolling widget, so that the texts also fit into a small cover.
    let widget: WidgetPointer = gtk_scrolled_window_new()
    private let spinner: WidgetPointer = gtk_spinner_new()
    private let loading = StatusPage(role: GTK_ACCESSIBLE_ROLE_STATUS)
    private let failure = StatusPage(role: GTK_ACCESSIBLE_ROLE_ALERT)

    init() {
        let pages: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(widget.opaque, pages)
        gtk_widget_set_focusable(widget, 0)
        gtk_widget_add_css_class(widget, "background")
        gtk_widget_set_size_request(spinner, 32, 32)
        gtk_box_prepend(loading.widget.cast(), spinner)
        for page in [loading, failure] { gtk_box_append(pages.cast(), page.widget) }
        gtk_widget_set_visible(widget, 0)
    }

    var retryButton: WidgetPointer { failure.retryButton }

    func onRetry(_ action: @escaping @MainActor () -> Void) {
        for page in [loading, failure] { page.onRetry(action) }
    }

    func show(_ display: StatusDisplay, loading label: String) {
        let isLoading = display.cover == .loading
        if isLoading {
            cgtk_set_accessible_label(spinner, label)
            loading.show(display.message, name: label)
            gtk_spinner_start(spinner.opaque)
        } else {
            gtk_spinner_stop(spinner.opaque)
        }
        if display.cover == .failure { failure.show(display.message, name: display.message?.heading ?? "") }
        gtk_widget_set_visible(loading.widget, isLoading ? 1 : 0)
        gtk_widget_set_visible(failure.widget, display.cover == .failure ? 1 : 0)
        gtk_widget_set_visible(widget, display.cover == .none ? 0 : 1)
    }
}
#endif
