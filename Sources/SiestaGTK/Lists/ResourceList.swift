#if GTK
import CGTK
import SiestaCore
import SiestaLists
public import SiestaUI

/// A scrolling widget that shows a paged list, and loads more items when the user scrolls near its end.
///
/// ```swift
/// let list = ResourceList(PagedListModel(repositories)) {
///     let label = gtk_label_new(nil)!
///     return ListRow(label) { repository in gtk_label_set_text(label.opaque, repository.name) }
/// }
/// list.onActivate = { repository, _ in open(repository) }
/// gtk_window_set_child(window.cast(), list.widget)
/// ```
///
/// The list has widgets only for the rows near the visible part, and reuses them when the user scrolls. When some items
/// change, the rows of all other items keep their widgets, and the list keeps its selection and its scroll position.
///
/// An additional row at the end shows that more items are being loaded, that a load has failed, or that there are no
/// more items. After a failure, this row has a retry button. The row cannot be selected.
///
/// The list calls the model's functions `appear()` and `disappear()`. The list also sets `model.onChange`, so the app
/// must not set this closure. The Swift object is kept alive until GTK destroys the widget.
@MainActor public final class ResourceList<Item: Sendable> {
    /// The widget, a `GtkScrolledWindow`. The pointer is valid until the widget is destroyed.
    public let widget: WidgetPointer

    /// The inner widget, a `GtkListView`. Use it to set options such as separators.
    public let listView: WidgetPointer

    /// The model that decides what the list shows.
    public let model: PagedListModel<Item>

    /// A closure that is called when the selection changes. If no row is selected, both arguments are nil. When the
    /// items change, the closure is called only if the selected item disappears.
    public var onSelect: ((_ item: Item?, _ position: Int?) -> Void)?

    /// A closure that is called when the user activates a row by double-clicking it or by pressing Return.
    public var onActivate: ((_ item: Item, _ position: Int) -> Void)?

    let makeRow: @MainActor () -> ListRow<Item>
    let id: ((Item) -> AnyHashable)?
    let source: ListSource
    let selection: ObjectReference
    /// The items that GTK knows. They differ from those of the model while changes are being applied.
    var items: [Item]
    /// The state of the last row; nil if there is no such row.
    var footer: ListFooter.State?
    /// The rows that have widgets, by their objects of GTK.
    var cells: [OpaquePointer: ListCell<Item>] = [:]
    /// The rows that GTK has unbound in this turn, and not bound again.
    var unboundCells: [ObjectIdentifier: ListCell<Item>] = [:]
    /// The changes that wait, because GTK is using the list.
    var pending: [Change] = []
    var isBusy = false
    private var report: TickCallback?
    private var framesToReport = 0
    private(set) var isDestroyed = false

    /// A change of the model, and the items after it.
    struct Change {
        let changes: [ListChange]
        let items: [Item]
    }

    /// Creates a list whose items are not `Identifiable`. If the selected item is replaced with a new version, the list
    /// cannot recognize the new version, and the selection is lost.
    ///
    /// - Parameters:
    ///   - model: The model that decides what the list shows. If you create several lists with the same model, only the
    ///     last one is updated.
    ///   - makeRow: A closure that creates the widgets of a row. GTK creates up to 200 more rows than are visible.
    public convenience init(_ model: PagedListModel<Item>, makeRow: @escaping @MainActor () -> ListRow<Item>) {
        self.init(model, id: nil, makeRow)
    }

    private init(
        _ model: PagedListModel<Item>, id: ((Item) -> AnyHashable)?, _ makeRow: @escaping @MainActor () -> ListRow<Item>
    ) {
        (self.model, self.id, self.makeRow, items) = (model, id, makeRow, model.items)
        source = ListSource(count: items.count)
        // The selection takes over its reference to the model. The view will have a reference of its own to the selection.
        let single = gtk_single_selection_new(OpaquePointer(g_object_ref(source.model.pointer)))
        guard let single else { preconditionFailure("GTK aborts the process if it cannot create an object") }
        selection = ObjectReference(owned: UnsafeMutableRawPointer(single))
        gtk_single_selection_set_autoselect(single, 0)
        gtk_single_selection_set_can_unselect(single, 1)
        gtk_single_selection_set_selected(single, cgtk_invalid_position)
        listView = gtk_list_view_new(nil, nil)
        widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(widget.opaque, listView)
        connect()
        updateFooter()
    }

    /// The position of the selected row; nil if no row is selected.
    public var selectedPosition: Int? {
        get {
            let position = gtk_single_selection_get_selected(OpaquePointer(selection.pointer))
            return items.indices.contains(Int(position)) ? Int(position) : nil
        }
        set {
            let position = newValue.flatMap { items.indices.contains($0) ? guint($0) : nil }
            gtk_single_selection_set_selected(OpaquePointer(selection.pointer), position ?? cgtk_invalid_position)
        }
    }

    private func connect() {
        SignalConnection.connect(widget, "destroy") { _ in self.end() }  // before the handlers of the app
        connectRows()
        SignalConnection.connect(widget, "map") { [weak self] _ in self?.ownModel?.appear() }
        SignalConnection.connect(widget, "unmap") { [weak self] _ in self?.ownModel?.disappear() }
        SignalConnection.connect(selection.pointer, "notify::selected") { [weak self] _ in self?.reportSelection() }
        SignalConnection.connect(listView, "activate") { [weak self] arguments in
            guard let self, let position = arguments.integer(at: 1), items.indices.contains(position) else { return }
            onActivate?(items[position], position)
        }
        if let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque) {
            for signal in ["changed", "value-changed"] {
                SignalConnection.connect(adjustment, signal) { [weak self] _ in self?.reportVisibleRows() }
            }
        }
        model.view = self
        model.onChange = { [weak self] in self?.modelChanged($0) }
    }

    /// The model; nil if another list, which was created later, uses it.
    private var ownModel: PagedListModel<Item>? { model.view === self ? model : nil }

    private func end() {
        isDestroyed = true
        ownModel?.disappear()
        ownModel?.onChange = nil
    }

    private func reportSelection() {
        guard !isBusy, !isDestroyed else { return }
        let position = selectedPosition
        onSelect?(position.map { items[$0] }, position)
    }

    /// Tells the model which rows are visible, after some frames.
    ///
    /// A change of the model asks for three, because GTK does not know the heights of new rows before it has drawn them.
    func reportVisibleRows(afterFrames count: Int = 1) {
        framesToReport = max(framesToReport, count)
        guard report?.isActive != true else { return }
        report = TickCallback(widget) { [weak self] _ in
            guard let self else { return false }
            framesToReport -= 1
            guard framesToReport <= 0 else { return true }
            report = nil
            showVisibleRows()
            return false
        }
    }

    private func showVisibleRows() {
        guard !isDestroyed, let rows = visibleRows else { return }
        model.showed(rows.lowerBound)
        model.showed(rows.upperBound)
    }

    /// The rows in the visible part, estimated from the scroll position. GTK itself has widgets for 200 rows around it, so
    /// a row with a widget is no sign that a person sees it.
    private var visibleRows: ClosedRange<Int>? {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque), !items.isEmpty else { return nil }
        let (height, top) = (gtk_adjustment_get_upper(adjustment), gtk_adjustment_get_value(adjustment))
        let bottom = top + gtk_adjustment_get_page_size(adjustment)
        guard height > 0, bottom > top else { return nil }
        func row(_ place: Double) -> Int { min(max(Int(place / height * Double(items.count)), 0), items.count - 1) }
        return row(top)...row(bottom)
    }

    /// Sets the name of the list for screen readers.
    public func setLabel(_ label: String) {
        guard !isDestroyed else { return }
        cgtk_set_accessible_label(listView, label)
    }
}

extension ResourceList where Item: Identifiable {
    /// Creates a list. If an item is replaced with a new version that has the same identity, its row keeps its widgets,
    /// its selection and its focus. The list calls the closure `bind` of the row with the new version.
    ///
    /// - Parameters:
    ///   - model: The model that decides what the list shows. If you create several lists with the same model, only the
    ///     last one is updated.
    ///   - makeRow: A closure that creates the widgets of a row. GTK creates up to 200 more rows than are visible.
    public convenience init(_ model: PagedListModel<Item>, makeRow: @escaping @MainActor () -> ListRow<Item>) {
        self.init(model, id: ItemIdentity.of(\.id), makeRow)
    }
}
#endif
