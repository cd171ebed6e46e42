#if GTK
package import CGTK

/// A weak reference to an object of GLib. It does not keep the object alive, and becomes nil when GTK destroys the object.
package final class WeakObjectReference: @unchecked Sendable {  // sound: GWeakRef has a lock of its own
    private let reference: UnsafeMutablePointer<GWeakRef>

    /// Creates a weak reference to an object.
    package init(_ object: UnsafeMutableRawPointer) {
        reference = .allocate(capacity: 1)
        g_weak_ref_init(reference, object)
    }

    /// Creates a weak reference to a widget.
    package convenience init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.init(UnsafeMutableRawPointer(widget))
    }

    /// A strong reference to the object; nil after its destruction.
    package var object: ObjectReference? {
        g_weak_ref_get(reference).map { ObjectReference(owned: $0) }
    }

    deinit {
        g_weak_ref_clear(reference)
        reference.deallocate()
    }
}
#endif
