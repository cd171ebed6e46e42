#if GTK
import CGTK

/// The widgets of one row of a view, which GTK uses for one position after another.
@MainActor final class ListCell<Item> {
    /// The object of GTK for the row, which keeps its child. Valid until GTK tears the row down.
    private let listItem: OpaquePointer
    private let makeRow: @MainActor () -> ListRow<Item>
    private var row: (row: ListRow<Item>, reference: ObjectReference)?
    private var footer: ListFooter?
    /// The object of the item that the row shows; nil if it shows none. A reference, so that no other object gets its address.
    private var object: ObjectReference?
    /// True if the row shows the footer.
    private(set) var isFooter = false

    init(_ listItem: OpaquePointer, _ makeRow: @escaping @MainActor () -> ListRow<Item>) {
        (self.listItem, self.makeRow) = (listItem, makeRow)
    }

    var position: Int { Int(gtk_list_item_get_position(listItem)) }

    /// The object of the item that the row shows; nil if it shows none.
    var boundObject: UnsafeMutableRawPointer? { object?.pointer }

    /// Shows an item, unless the row shows it already.
    func show(_ item: Item) {
        guard let new = gtk_list_item_get_item(listItem), new != boundObject else { return }
        clear()
        let (row, reference) = self.row ?? newRow()
        self.row = (row, reference)
        object = ObjectReference(UnsafeMutableRawPointer(new))
        setChild(row.widget, isItem: true)
        row.bind(item)
    }

    /// Shows the new version of the item that the row shows already.
    func update(_ item: Item) { row?.row.bind(item) }

    func show(_ state: ListFooter.State?, _ retry: @escaping @MainActor () -> Void) {
        clear()
        let footer = self.footer ?? ListFooter(retry)
        self.footer = footer
        isFooter = true
        footer.show(state)
        setChild(footer.widget, isItem: false)
    }

    /// Ends the use of the row for its item.
    func clear() {
        if object != nil { row?.row.unbind() }
        (object, isFooter) = (nil, false)
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
