#if GTK
import CGTK
import Dispatch
import SiestaUI

extension ResourceList {
    /// Makes GTK ask this list for its rows.
    func connectRows() {
        guard let factory = gtk_signal_list_item_factory_new() else { return }
        connect(factory, "setup") { list, item in
            list.cells[item] = ListCell(item, list.makeRow)
        }
        connect(factory, "bind") { list, item in list.cells[item].map(list.bind) }
        connect(factory, "unbind") { list, item in list.cells[item].map(list.unbind) }
        connect(factory, "teardown") { list, item in list.cells.removeValue(forKey: item)?.clear() }
        gtk_list_view_set_factory(listView.opaque, factory)
        g_object_unref(UnsafeMutableRawPointer(factory))
        gtk_list_view_set_model(listView.opaque, OpaquePointer(selection.pointer))
    }

    /// Connects a signal about an object for a row. While the closure runs, changes of the model wait.
    private func connect(
        _ factory: OpaquePointer, _ signal: String, _ handle: @escaping @MainActor (ResourceList, OpaquePointer) -> Void
    ) {
        SignalConnection.connect(factory, signal) { [weak self] arguments in
            guard let self, let item = arguments.object(at: 1) else { return }
            let wasBusy = isBusy
            isBusy = true
            handle(self, OpaquePointer(item))
            isBusy = wasBusy
        }
    }

    /// GTK 4.8 unbinds and binds each row whose position changes. So a row keeps its item until the next turn, and is told
    /// nothing if GTK binds it to the same object again.
    private func unbind(_ cell: ListCell<Item>) {
        if unboundCells.isEmpty {
            DispatchQueue.main.async { [weak self] in self?.clearUnboundCells() }
        }
        unboundCells[ObjectIdentifier(cell)] = cell
    }

    private func clearUnboundCells() {
        let cells = unboundCells.values
        unboundCells = [:]
        for cell in cells { cell.clear() }
    }

    private func bind(_ cell: ListCell<Item>) {
        let position = cell.position
        unboundCells[ObjectIdentifier(cell)] = nil
        if items.indices.contains(position) {
            cell.show(items[position])
        } else {
            cell.show(footer) { [weak self] in self?.model.retry() }
        }
    }
}
#endif
