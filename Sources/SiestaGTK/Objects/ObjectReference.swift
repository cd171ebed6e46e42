#if GTK
package import CGTK

/// A strong reference to an object of GLib, such as a widget.
///
/// The object stays allocated as long as the reference exists. Swift may release a local reference after its last use, even if
/// a copy of ``pointer`` is still used; `withExtendedLifetime` prevents this. An `ObjectReference` may be released on
/// any thread. The GLib object is always released on the main thread, because GTK must not destroy a widget on another
/// thread.
package final class ObjectReference: @unchecked Sendable {  // sound: the pointer is constant; counting is atomic
    /// The object. Except where GLib says otherwise, it may be used on the main thread only.
    package let pointer: UnsafeMutableRawPointer

    /// Adds a reference to the object. A floating reference, such as that of a new widget, becomes this reference.
    @MainActor package init(_ object: UnsafeMutableRawPointer) {
        pointer = g_object_ref_sink(object)
    }

    /// Adds a reference to a widget. A floating reference becomes this reference.
    @MainActor package convenience init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.init(UnsafeMutableRawPointer(widget))
    }

    /// Adds a reference to a widget for a while. A floating reference stays floating.
    init(keeping widget: UnsafeMutablePointer<GtkWidget>) { pointer = g_object_ref(UnsafeMutableRawPointer(widget)) }

    /// Takes over a reference that the caller owns.
    init(owned object: UnsafeMutableRawPointer) { pointer = object }

    deinit { MainThread.unref(pointer) }
}
#endif
