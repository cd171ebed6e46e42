#if GTK
import CGTK

/// The widgets of one row of a view, which GTK uses for one position after another.
@MainActor final class ListCell<Item> {
    /// The content of the row.
    enum Content {
        case nothing
        case item(object: UnsafeMutableRawPointer)
        case footer
    }

    /// The object of GTK for the row, which keeps its child. Valid until GTK tears the row down.
    private let listItem: OpaquePointer
    private let makeRow: @MainActor () -> ListRow<Item>
    private var row: (row: ListRow<Item>, reference: ObjectReference)?
    private var footer: ListFooter?
    private(set) var content = Content.nothing

    init(_ listItem: OpaquePointer, _ makeRow: @escaping @MainActor () -> ListRow<Item>) {
        (self.listItem, self.makeRow) = (listItem, makeRow)
    }

    var position: Int { Int(gtk_list_item_get_position(listItem)) }

    func show(_ item: Item) {
        let (row, reference) = self.row ?? newRow()
        self.row = (row, reference)
        content = gtk_list_item_get_item(listItem).map { .item(object: UnsafeMutableRawPointer($0)) } ?? .nothing
        setChild(row.widget, isItem: true)
        row.bind(item)
    }

    /// Shows the new version of the item that the row shows already.
    func update(_ item: Item) { row?.row.bind(item) }

    func show(_ state: ListFooter.State?, _ retry: @escaping @MainActor () -> Void) {
        let footer = self.footer ?? ListFooter(retry)
        self.footer = footer
        content = .footer
        footer.show(state)
        setChild(footer.widget, isItem: false)
    }

    func clear() {
        switch content {
        case .nothing, .footer: break
        case .item: row?.row.unbind()
        }
        content = .nothing
    }

    private func newRow() -> (ListRow<Item>, ObjectReference) {
        let row = makeRow()
        return (row, ObjectReference(row.widget))
    }

    private func setChild(_ child: WidgetPointer, isItem: Bool) {
        if gtk_list_item_get_child(listItem) != child { gtk_list_item_set_child(listItem, child) }
        gtk_list_item_set_selectable(listItem, isItem ? 1 : 0)
        gtk_list_item_set_activatable(listItem, isItem ? 1 : 0)
    }
}
#endif
