import GitHubClient
import Siesta
import TerminalKit

/// A list in pages with a selected row, which moves with its item while pages come and go.
@MainActor
final class PagedSelection<Item: Sendable> {
    let list: PagedResource<Item>
    private let id: (Item) -> AnyHashable
    private var rows = ListSelection()
    private var selectedID: AnyHashable?

    /// Creates the selection of the first item. Items with equal results of `id` are the same.
    init<ID: Hashable>(_ list: PagedResource<Item>, by id: @escaping (Item) -> ID) {
        (self.list, self.id) = (list, { AnyHashable(id($0)) })
    }

    /// The number of the selected row, if it is known, out of `total`, and whether there is more.
    func position(of total: Int?) -> String {
        guard let row = rows.selected else { return "" }
        return (list.hasPrevious ? "…" : "\(row + 1)") + (total.map { " of \($0)" } ?? "")
            + (list.hasNext ? " · n: more" : "")
    }

    /// The rows in a view, of the list as it is now.
    func rows(height: Int? = nil) -> ListSelection {
        rows.update(count: list.items.count, height: height ?? rows.height)
        if let row = list.items.firstIndex(where: { id($0) == selectedID }) { rows.select(row) }
        selectedID = rows.selected.map { id(list.items[$0]) }
        return rows
    }

    /// Takes a key: Return opens the selected item, others move the selection. At an end of the list, the page beyond
    /// is loaded.
    func press(_ key: Key, open place: (Item) -> Place?) -> Reaction {
        let selected = rows().selected
        if key == .enter { return selected.map { place(list.items[$0]).map(Reaction.open) ?? .handled } ?? .ignored }
        guard rows.handle(key) else { return .ignored }
        selectedID = rows.selected.map { id(list.items[$0]) }
        if rows.selected == 0 { list.beginLoadingPrevious() }
        if rows.selected == list.items.count - 1 { list.beginLoadingNext() }
        return .handled
    }
}
