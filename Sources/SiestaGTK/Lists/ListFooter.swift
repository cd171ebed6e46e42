#if GTK
import CGTK
import SiestaUI

/// The last row of a list: a load, a failure with a retry button, or the end.
@MainActor final class ListFooter {
    /// The texts of a footer.
    struct State: Equatable {
        var text: String
        var retryTitle: String?
        var isLoading = false

        /// Returns nil if there is nothing to show.
        init?<Item>(_ footer: PagedListModel<Item>.Footer, isEmpty: Bool, _ words: StatusWords) {
            switch footer {
            case .none: return nil
            case .loading(let message):
                (text, retryTitle, isLoading) = (message?.line ?? words.loading, message?.retryTitle, true)
            case .failure(let message): (text, retryTitle) = (message.line, message.retryTitle)
            case .end where isEmpty: return nil
            case .end: text = words.endOfList
            }
        }
    }

    let widget: WidgetPointer
    private let reference: ObjectReference
    private let spinner: WidgetPointer = gtk_spinner_new()
    private let label: WidgetPointer = gtk_label_new(nil)
    private let retryButton: WidgetPointer = gtk_button_new()

    init(_ retry: @escaping @MainActor () -> Void) {
        widget = cgtk_widget_new(gtk_box_get_type(), GTK_ACCESSIBLE_ROLE_STATUS)
        reference = ObjectReference(widget)
        gtk_box_set_spacing(widget.cast(), 8)
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_margin_top(widget, 8)
        gtk_widget_set_margin_bottom(widget, 8)
        gtk_label_set_wrap(label.opaque, 1)
        for part in [spinner, label, retryButton] { gtk_box_append(widget.cast(), part) }
        SignalConnection.connect(retryButton, "clicked") { _ in retry() }
    }

    func show(_ state: State?) {
        let isLoading = state?.isLoading == true
        if isLoading { gtk_spinner_start(spinner.opaque) } else { gtk_spinner_stop(spinner.opaque) }
        gtk_widget_set_visible(spinner, isLoading ? 1 : 0)
        label.setText(state?.text)
        retryButton.setTitle(state?.retryTitle)
        cgtk_set_accessible_label(widget, state?.text ?? "")
    }
}
#endif
