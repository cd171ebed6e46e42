#if GTK
import CGTK

/// The positions of a list as a `GListModel`, for a view that asks for an object at each position.
///
/// GTK identifies a row by its object. The objects are empty, and are created when GTK asks for a position for the first
/// time, so a list of 100 000 items costs 8 bytes for each. A row that is replaced by a new version of the same item keeps its
/// object: GTK then keeps its selection, its focus and its widget.
@MainActor final class ListSource {
    /// An object that implements `GListModel`. It keeps the rows.
    let model: ObjectReference
    private let rows: Rows

    init(count: Int) {
        rows = Rows(count: count)
        guard let object = g_object_new_with_properties(Self.type, 0, nil, nil) else {
            preconditionFailure("GObject aborts the process if it cannot create an object")
        }
        model = ObjectReference(owned: UnsafeMutableRawPointer(object))
        ObjectClass.setPeer(rows, of: model.pointer)
    }

    /// Returns the object at a position, if GTK has asked for it before.
    func existingObject(at position: Int) -> ObjectReference? { rows.objects[position] }

    /// Replaces positions, and tells GTK, which asks for the new objects while this function runs.
    ///
    /// - Parameter replacements: The objects that the new positions keep.
    func replace(_ range: Range<Int>, with replacements: [ObjectReference?]) {
        rows.objects.replaceSubrange(range, with: replacements)
        g_list_model_items_changed(
            OpaquePointer(model.pointer), guint(range.lowerBound), guint(range.count), guint(replacements.count))
    }

    // MARK: The implementation of GListModel

    /// The Swift object behind the model. A view of GTK that outlives the list still asks it.
    @MainActor private final class Rows {
        /// The objects that have been created, by position.
        var objects: [ObjectReference?]

        init(count: Int) { objects = Array(repeating: nil, count: count) }

        func object(at position: Int) -> UnsafeMutableRawPointer? {
            guard objects.indices.contains(position) else { return nil }
            let object = objects[position] ?? Self.newObject()
            objects[position] = object
            return g_object_ref(object.pointer)
        }

        private static func newObject() -> ObjectReference {
            guard let object = g_object_new_with_properties(cgtk_type_object, 0, nil, nil) else {
                preconditionFailure("GObject aborts the process if it cannot create an object")
            }
            return ObjectReference(owned: UnsafeMutableRawPointer(object))
        }
    }

    private static let type: GType = {
        let type = ObjectClass.register("SiestaListSource", parent: cgtk_type_object) { _, _ in }
        var interface = GInterfaceInfo()
        interface.interface_init = { interface, _ in
            guard let interface else { return }
            ListSource.fill(&interface.assumingMemoryBound(to: GListModelInterface.self).pointee)
        }
        g_type_add_interface_static(type, g_list_model_get_type(), &interface)
        return type
    }()

    private nonisolated static func fill(_ interface: inout GListModelInterface) {
        interface.get_item_type = { _ in cgtk_type_object }
        interface.get_n_items = { model in
            guard let model else { return 0 }
            return MainThread.run(model) { guint(ListSource.rows(of: $0)?.objects.count ?? 0) }
        }
        interface.get_item = { model, position in
            guard let model else { return nil }
            return MainThread.run(model) { ListSource.rows(of: $0)?.object(at: Int(position)) }
        }
    }

    private static func rows(of model: OpaquePointer) -> Rows? {
        ObjectClass.peer(of: UnsafeMutableRawPointer(model), as: Rows.self)
    }
}
#endif
