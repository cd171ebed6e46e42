#if GTK
import CGTK
import SiestaGTK

/// Widgets with the properties that this app sets most often.
@MainActor
extension WidgetPointer {
    /// The same object for the functions of a type whose structure is not public, for example `GtkLabel`.
    var object: OpaquePointer { OpaquePointer(self) }

    /// The same object for the functions of a type whose structure is public, for example `GtkBox`.
    func `as`<Type>(_: Type.Type = Type.self) -> UnsafeMutablePointer<Type> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Type.self)
    }

    /// A text. A text that does not fit ends with an ellipsis, or is wrapped.
    static func label(_ text: String = "", style: String? = nil, wraps: Bool = false) -> WidgetPointer {
        let label = gtk_label_new(text)!
        gtk_label_set_xalign(label.object, 0)
        if wraps {
            gtk_label_set_wrap(label.object, 1)
            gtk_label_set_wrap_mode(label.object, PANGO_WRAP_WORD_CHAR)
        } else {
            gtk_label_set_ellipsize(label.object, PANGO_ELLIPSIZE_END)
        }
        if let style { gtk_widget_add_css_class(label, style) }
        return label
    }

    /// Widgets beside each other.
    static func row(spacing: Int = 12, _ children: [WidgetPointer]) -> WidgetPointer {
        box(GTK_ORIENTATION_HORIZONTAL, spacing, children)
    }

    /// Widgets below each other.
    static func column(spacing: Int = 0, _ children: [WidgetPointer]) -> WidgetPointer {
        box(GTK_ORIENTATION_VERTICAL, spacing, children)
    }

    private static func box(_ orientation: GtkOrientation, _ spacing: Int, _ children: [WidgetPointer]) -> WidgetPointer
    {
        let box = gtk_box_new(orientation, gint(spacing))!
        for child in children { gtk_box_append(box.as(), child) }
        return box
    }

    /// A button with an icon. Its name is for screen readers, and for people who point at it.
    static func button(icon: String, name: String, action: String) -> WidgetPointer {
        let button = gtk_button_new_from_icon_name(icon)!
        button.setName(name)
        gtk_actionable_set_action_name(button.object, action)
        return button
    }

    /// Sets the name for screen readers, and the tooltip.
    func setName(_ name: String) {
        cgtk_set_accessible_label(self, name)
        gtk_widget_set_tooltip_text(self, name)
    }

    /// Sets the text of a label, and hides a label without text.
    func setText(_ text: String) {
        if gtk_label_get_text(object).map({ String(cString: $0) }) != text { gtk_label_set_text(object, text) }
        gtk_widget_set_visible(self, text.isEmpty ? 0 : 1)
    }

    /// Leaves room around the widget.
    @discardableResult
    func margins(_ horizontal: Int, _ vertical: Int) -> WidgetPointer {
        gtk_widget_set_margin_start(self, gint(horizontal))
        gtk_widget_set_margin_end(self, gint(horizontal))
        gtk_widget_set_margin_top(self, gint(vertical))
        gtk_widget_set_margin_bottom(self, gint(vertical))
        return self
    }

    /// Takes the width that is left.
    @discardableResult
    func expanding() -> WidgetPointer {
        gtk_widget_set_hexpand(self, 1)
        return self
    }

    /// Removes all children of a box.
    func removeChildren() {
        while let child = gtk_widget_get_first_child(self) { gtk_box_remove(self.as(), child) }
    }
}
#endif
