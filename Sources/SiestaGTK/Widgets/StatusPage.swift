#if GTK
import CGTK
import SiestaUI

/// The texts of a message, centred, with an icon and a retry button.
@MainActor final class StatusPage {
    let widget: WidgetPointer
    let retryButton: WidgetPointer = gtk_button_new()
    private let icon: WidgetPointer
    private let heading: WidgetPointer = gtk_label_new(nil)
    private let detail: WidgetPointer = gtk_label_new(nil)
    private let countdown: WidgetPointer = gtk_label_new(nil)

    init(role: GtkAccessibleRole) {
        widget = cgtk_widget_new(gtk_box_get_type(), role)
        icon = cgtk_widget_new(gtk_image_get_type(), GTK_ACCESSIBLE_ROLE_PRESENTATION)
        gtk_orientable_set_orientation(widget.opaque, GTK_ORIENTATION_VERTICAL)
        gtk_box_set_spacing(widget.cast(), 12)
        gtk_image_set_pixel_size(icon.opaque, 48)
        gtk_widget_add_css_class(heading, "title-3")
        gtk_widget_add_css_class(countdown, "dim-label")
        gtk_widget_set_halign(retryButton, GTK_ALIGN_CENTER)
        for label in [heading, detail, countdown] {
            gtk_label_set_wrap(label.opaque, 1)
            gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
            gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
            gtk_label_set_max_width_chars(label.opaque, 60)
        }
        for part in [icon, heading, detail, countdown, retryButton] { gtk_box_append(widget.cast(), part) }
        place()
    }

    private func place() {
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_vexpand(widget, 1)
        gtk_widget_set_margin_start(widget, 24)
        gtk_widget_set_margin_end(widget, 24)
        gtk_widget_set_margin_top(widget, 24)
        gtk_widget_set_margin_bottom(widget, 24)
    }

    func onRetry(_ action: @escaping @MainActor () -> Void) {
        SignalConnection.connect(retryButton, "clicked") { _ in action() }
    }

    /// Shows a message, or only the widgets that were added to the page.
    ///
    /// - Parameter name: The name of the page for screen readers.
    func show(_ message: StatusMessage?, name: String) {
        gtk_widget_set_visible(icon, message == nil ? 0 : 1)
        if let message { gtk_image_set_from_icon_name(icon.opaque, message.kind.iconName) }
        heading.setText(message?.heading)
        detail.setText(message?.detail)
        countdown.setText(message?.countdown)
        retryButton.setTitle(message?.retryTitle)
        cgtk_set_accessible_label(widget, name)
        cgtk_set_accessible_description(widget, message?.detail ?? "")
    }
}

extension StatusMessage.Kind {
    /// The name of an icon of the Adwaita theme.
    var iconName: String {
        switch self {
        case .failure: "dialog-error-symbolic"
        case .offline: "network-offline-symbolic"
        case .waiting: "emblem-synchronizing-symbolic"
        }
    }
}

@MainActor extension WidgetPointer {
    /// Sets the text of a label, and hides a label without text.
    func setText(_ text: String?) {
        gtk_label_set_text(opaque, text ?? "")
        gtk_widget_set_visible(self, text?.isEmpty == false ? 1 : 0)
    }

    /// Sets the title of a button, and hides a button without a title.
    func setTitle(_ title: String?) {
        if let title { gtk_button_set_label(cast(), title) }
        gtk_widget_set_visible(self, title == nil ? 0 : 1)
    }
}
#endif
