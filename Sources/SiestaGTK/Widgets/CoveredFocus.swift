#if GTK
import CGTK

/// The keyboard focus of content that is covered for a while.
@MainActor struct CoveredFocus {
    private let content: WidgetPointer
    private let cover: WidgetPointer
    /// True while the content is covered and the focus was in it or in the cover.
    private var isOurs = false
    /// The widget of the content that had the focus when the cover appeared; nil if there was none.
    private var owner: WeakObjectReference?

    init(content: WidgetPointer, cover: WidgetPointer) { (self.content, self.cover) = (content, cover) }

    /// Takes the focus from the content and the cover, and remembers the widget of the content that had it. Call it before
    /// another page of the cover becomes visible: GTK moves the focus away from a widget that becomes invisible.
    mutating func take() {
        guard let root = gtk_widget_get_root(content), let focused = gtk_root_get_focus(root) else { return }
        let isContent = isInside(focused, content)
        guard isContent || isInside(focused, cover) else { return }
        isOurs = true
        if isContent { owner = WeakObjectReference(focused) }
        gtk_root_set_focus(root, nil)
    }

    /// Moves the focus to a button of the cover, unless the focus was outside or is outside now.
    func give(to button: WidgetPointer) {
        guard isOurs, gtk_widget_get_visible(button) != 0, !isOutside else { return }
        gtk_widget_grab_focus(button)
    }

    /// Moves the focus back to the content, unless the focus was outside or is outside now.
    mutating func giveBack() {
        guard isOurs else { return }
        defer { (isOurs, owner) = (false, nil) }
        guard !isOutside else { return }
        if let object = owner?.object, case let widget = object.pointer.assumingMemoryBound(to: GtkWidget.self),
            isInside(widget, content), gtk_widget_grab_focus(widget) != 0
        {
            return
        }
        gtk_widget_child_focus(content, GTK_DIR_TAB_FORWARD)
    }

    /// True if a visible widget outside of content and cover has the focus.
    private var isOutside: Bool {
        guard let root = gtk_widget_get_root(content), let focused = gtk_root_get_focus(root) else { return false }
        return !isInside(focused, content) && !isInside(focused, cover) && gtk_widget_get_mapped(focused) != 0
    }

    private func isInside(_ widget: WidgetPointer, _ container: WidgetPointer) -> Bool {
        widget == container || gtk_widget_is_ancestor(widget, container) != 0
    }
}
#endif
