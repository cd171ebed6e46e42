#if GTK
public import CGTK

/// Ties Swift objects and actions to the lifetime of GLib objects.
@MainActor public enum ObjectLifetime {
    /// Keeps a Swift object alive until GTK destroys the widget.
    ///
    /// A Swift object that is tied to a widget must not hold an `ObjectReference` to this widget or to a widget that
    /// contains it: neither would ever be destroyed.
    public static func tie(_ object: AnyObject, to widget: UnsafeMutablePointer<GtkWidget>) {
        atDestruction(of: widget) { _ = object }
    }

    /// Calls `action` once, when GTK destroys the widget, and releases the closure afterwards.
    ///
    /// The pointer to the widget is not valid for calls at that time. Actions run in the order of their addition.
    public static func atDestruction(
        of widget: UnsafeMutablePointer<GtkWidget>, _ action: @escaping @MainActor () -> Void
    ) {
        let notify: GWeakNotify = { action, _ in
            guard let action else { return }
            MainThread.run(action) { action in
                Unmanaged<Action>.fromOpaque(action).takeRetainedValue().run()
            }
        }
        g_object_weak_ref(
            UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self), notify,
            Unmanaged.passRetained(Action(action)).toOpaque())
    }

    private final class Action {
        let run: @MainActor () -> Void

        init(_ run: @escaping @MainActor () -> Void) { self.run = run }
    }
}
#endif
