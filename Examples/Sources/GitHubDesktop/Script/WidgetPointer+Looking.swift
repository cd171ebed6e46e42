#if GTK
import CGTK
import SiestaGTK

/// What a person sees of a widget, or hears from a screen reader.
@MainActor
extension WidgetPointer {
    /// All descendants on the screen, in the order of the tree.
    var visibleDescendants: [WidgetPointer] {
        var (result, child): ([WidgetPointer], WidgetPointer?) = ([], gtk_widget_get_first_child(self))
        while let current = child {
            if gtk_widget_get_mapped(current) != 0, gtk_widget_get_child_visible(current) != 0 {
                result += [current] + current.visibleDescendants
            }
            child = gtk_widget_get_next_sibling(current)
        }
        return result
    }

    /// The text of a label; nil for another widget.
    var labelText: String? {
        guard cgtk_is_a(self, gtk_label_get_type()) else { return nil }
        return gtk_label_get_text(object).map { String(cString: $0) }
    }

    /// The texts of all labels on the screen, also those of buttons.
    var visibleTexts: [String] {
        visibleDescendants.filter { $0.labelText?.isEmpty == false && $0.isUncovered }.compactMap(\.labelText)
    }

    var isButton: Bool { cgtk_is_a(self, gtk_button_get_type()) || cgtk_is_a(self, gtk_menu_button_get_type()) }

    /// True if a screen reader has a name for the widget: its own, or a text in it.
    var hasName: Bool {
        gtk_test_accessible_has_property(OpaquePointer(self), GTK_ACCESSIBLE_PROPERTY_LABEL) != 0
            || gtk_test_accessible_has_relation(OpaquePointer(self), GTK_ACCESSIBLE_RELATION_LABELLED_BY) != 0
            || !visibleTexts.isEmpty
    }

    /// The first visible widget with a name for screen readers.
    func named(_ name: String) -> WidgetPointer? {
        visibleDescendants.first { cgtk_has_accessible_label($0, name) }
    }

    /// The visible widgets with a name for screen readers.
    func allNamed(_ name: String) -> [WidgetPointer] {
        visibleDescendants.filter { cgtk_has_accessible_label($0, name) }
    }

    /// The first visible label with a text.
    func label(_ text: String) -> WidgetPointer? {
        visibleDescendants.first { $0.labelText == text }
    }

    /// True if nothing covers the centre of the widget, and it is not scrolled away.
    var isUncovered: Bool {
        guard let native = gtk_widget_get_native(self) else { return false }
        var (place, result) = (graphene_point_t(), graphene_point_t())
        place.x = Float(gtk_widget_get_width(self)) / 2
        place.y = Float(gtk_widget_get_height(self)) / 2
        let root = WidgetPointer(native)
        guard gtk_widget_compute_point(self, root, &place, &result) != 0,
            let picked = gtk_widget_pick(root, Double(result.x), Double(result.y), GTK_PICK_DEFAULT)
        else { return false }
        return picked == self || gtk_widget_is_ancestor(self, picked) != 0 || gtk_widget_is_ancestor(picked, self) != 0
    }
}
#endif
