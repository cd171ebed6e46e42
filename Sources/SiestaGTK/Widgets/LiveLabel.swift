#if GTK
import CGTK
import SiestaUI

/// The quiet line about live data, in a corner over the content. Clicks go through it.
@MainActor final class LiveLabel {
    let widget: WidgetPointer

    init() {
        widget = cgtk_widget_new(gtk_label_get_type(), GTK_ACCESSIBLE_ROLE_STATUS)
        for style in ["background", "dim-label", "caption"] { gtk_widget_add_css_class(widget, style) }
        gtk_widget_set_halign(widget, GTK_ALIGN_END)
        gtk_widget_set_valign(widget, GTK_ALIGN_END)
        gtk_widget_set_margin_end(widget, 6)
        gtk_widget_set_margin_bottom(widget, 6)
        gtk_widget_set_can_target(widget, 0)
        show(nil)
    }

    func show(_ line: LiveLine?) { widget.setText(line?.text) }
}
#endif
