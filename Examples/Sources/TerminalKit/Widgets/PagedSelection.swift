import Siesta
public import SiestaUI

/// A list with a selected row, which moves with its item while pages come and go.
@MainActor
public final class PagedSelection<Item: Sendable> {
    /// The list.
    public let model: PagedListModel<Item>
    private let id: (Item) -> AnyHashable
    private var rows = ListSelection()
    private var selectedID: AnyHashable?

    /// Creates the selection of the first item. Items with equal results of `id` are the same. The list loads more items when
    /// the selection reaches its first or last row.
    public init<ID: Hashable>(_ model: PagedListModel<Item>, by id: @escaping (Item) -> ID) {
        (self.model, self.id) = (model, { AnyHashable(id($0)) })
        model.loadingDistance = 1
    }

    /// The item in the selected row; nil if the list is empty.
    public var selectedItem: Item? {
        rows().selected.map { model.items[$0] }
    }

    /// The number of the selected row, if it is known, out of `total`, and what comes after the last row.
    public func position(of total: Int?) -> String {
        guard let row = rows.selected else { return "" }
        return (model.list.hasPrevious ? "…" : "\(row + 1)") + (total.map { " of \($0)" } ?? "")
            + (model.list.hasNext ? " · n: more" : "")
    }

    /// The rows in a view, of the list as it is now.
    public func rows(height: Int? = nil) -> ListSelection {
        rows.update(count: model.items.count, height: height ?? rows.height)
        if let row = model.items.firstIndex(where: { id($0) == selectedID }) { rows.select(row) }
        selectedID = rows.selected.map { id(model.items[$0]) }
        return rows
    }

    /// Moves the selection as a key says; false if the key means nothing here.
    public func press(_ key: Key) -> Bool {
        _ = rows()
        guard rows.handle(key) else { return false }
        selectedID = rows.selected.map { id(model.items[$0]) }
        if let row = rows.selected { model.showed(row) }
        return true
    }
}
