#if GTK
import CGTK
import Dispatch
import SiestaUI

extension ResourceList {
    /// Applies a change of the model: now, or in a later turn if GTK is using the list.
    func modelChanged(_ changes: [ListChange]) {
        pending.append(Change(changes: changes, items: model.items))
        if isBusy {
            DispatchQueue.main.async { [weak self] in self?.applyPending() }
        } else {
            applyPending()
        }
    }

    private func applyPending() {
        guard !isBusy, !isDestroyed else { return }
        // Closures of the app may destroy the list. GTK needs its widgets until the change is complete.
        let widgets = [widget, listView].map(ObjectReference.init(keeping:))
        defer { withExtendedLifetime(widgets) {} }
        while !pending.isEmpty { apply(pending.removeFirst()) }
        updateFooter()
        reportVisibleRows(afterFrames: 3)
    }

    private func apply(_ change: Change) {
        isBusy = true
        if change.changes.contains(where: { $0.removedCount == items.count }) { removeFooter() }
        let selected = selectedPosition.map { items[$0] }
        for part in change.changes { replace(part, in: change.items) }
        let isLost = selected.map { selectedPosition == nil && !selectAgain($0, change) } ?? false
        isBusy = false
        if isLost { onSelect?(nil, nil) }
    }

    /// Replaces some items. New versions of items keep the objects and the rows of the old ones.
    private func replace(_ change: ListChange, in newItems: [Item]) {
        let range = change.position..<change.position + change.removedCount
        let new = newItems[change.inserted]
        // Each object is used once. GTK refuses two rows with one object, but an app may have two items with one identity.
        var kept = objects(at: range)
        let replacements = new.map { item in kept.isEmpty ? nil : id.flatMap { kept.removeValue(forKey: $0(item)) } }
        items.replaceSubrange(range, with: new)
        source.replace(range, with: replacements)
        let changed = Set(replacements.compactMap { $0?.pointer })
        guard !changed.isEmpty else { return }
        for cell in cells.values {
            guard let object = cell.boundObject, changed.contains(object) else { continue }
            if unboundCells[ObjectIdentifier(cell)] == nil { cell.update(items[cell.position]) } else { cell.clear() }
        }
    }

    /// Returns the objects that GTK has asked for, by the identity of their items.
    private func objects(at range: Range<Int>) -> [AnyHashable: ObjectReference] {
        guard let id else { return [:] }
        let pairs = range.compactMap { position in
            source.existingObject(at: position).map { (id(items[position]), $0) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Selects an item that has moved to another place. Returns false if it is not among the inserted items.
    private func selectAgain(_ item: Item, _ change: Change) -> Bool {
        guard let id else { return false }
        let wanted = id(item)
        for part in change.changes {
            if let position = part.inserted.first(where: { id(change.items[$0]) == wanted }) {
                selectedPosition = position
                return true
            }
        }
        return false
    }

    /// Removes the last row until `updateFooter()`, before items appear in an empty list, or all items are replaced. GTK would
    /// else keep the last row at its place on the screen, and show the end of the list.
    private func removeFooter() {
        guard footer != nil else { return }
        footer = nil
        source.replace(items.count..<items.count + 1, with: [])
    }

    /// Shows the state of the model's footer in the last row, or removes this row.
    func updateFooter() {
        let state = ListFooter.State(model.footer, isEmpty: items.isEmpty, model.words)
        guard state != footer else { return }
        let (hadRow, end) = (footer != nil, items.count)
        footer = state
        isBusy = true
        defer { isBusy = false }
        if state == nil { return source.replace(end..<end + 1, with: []) }
        if !hadRow { return source.replace(end..<end, with: [nil]) }
        for cell in cells.values {
            if cell.isFooter { cell.show(state) { [weak self] in self?.model.retry() } }
        }
    }
}
#endif
