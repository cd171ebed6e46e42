#if GTK
import CGTK
import SiestaUI

/// A bar over the top of content that stays visible.
@MainActor final class StatusBanner {
    let widget: WidgetPointer = gtk_revealer_new()
    private let bar: WidgetPointer
    private let icon: WidgetPointer
    private let heading: WidgetPointer = gtk_label_new(nil)
    private let detail: WidgetPointer = gtk_label_new(nil)
    private let retryButton: WidgetPointer = gtk_button_new()

    init() {
        bar = cgtk_widget_new(gtk_box_get_type(), GTK_ACCESSIBLE_ROLE_STATUS)
        icon = cgtk_widget_new(gtk_image_get_type(), GTK_ACCESSIBLE_ROLE_PRESENTATION)
        gtk_box_set_spacing(bar.cast(), 8)
        gtk_widget_add_css_class(bar, "background")
        gtk_widget_add_css_class(bar, "toolbar")
        gtk_widget_add_css_class(heading, "heading")
        for label in [heading, detail] { gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END) }
        gtk_widget_set_hexpand(detail, 1)
        gtk_label_set_xalign(detail.opaque, 0)
        let texts: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_widget_set_hexpand(texts, 1)
        gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
        gtk_label_set_xalign(heading.opaque, 0)
        for label in [heading, detail] { gtk_box_append(texts.cast(), label) }
        gtk_widget_set_valign(retryButton, GTK_ALIGN_CENTER)
        for part in [icon, texts, retryButton] { gtk_box_append(bar.cast(), part) }
        let lines: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_box_append(lines.cast(), bar)
        gtk_box_append(lines.cast(), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))
        gtk_revealer_set_child(widget.opaque, lines)
        gtk_widget_set_valign(widget, GTK_ALIGN_START)
    }

    func onRetry(_ action: @escaping @MainActor () -> Void) {
        SignalConnection.connect(retryButton, "clicked") { _ in action() }
    }

    /// Shows a message. Without one, the bar keeps its last texts while it moves away.
    func show(_ message: StatusMessage?) {
        gtk_revealer_set_reveal_child(widget.opaque, message == nil ? 0 : 1)
        guard let message else { return }
        gtk_image_set_from_icon_name(icon.opaque, message.kind.iconName)
        heading.setText(message.heading)
        detail.setText([message.detail, message.countdown].filter { !$0.isEmpty }.joined(separator: " · "))
        retryButton.setTitle(message.retryTitle)
        gtk_widget_set_tooltip_text(detail, message.detail.isEmpty ? nil : message.detail)
        cgtk_set_accessible_label(bar, message.heading)
        cgtk_set_accessible_description(bar, message.detail)
    }
}
#endif
