#if GTK
public import CGTK

/// Functions that tie Swift objects and closures to the lifetime of GTK widgets.
@MainActor public enum ObjectLifetime {
    /// Keeps a Swift object alive until GTK destroys the widget.
    ///
    /// A Swift object that is tied to a widget must not hold a strong reference (`g_object_ref`) to this widget or to a
    /// widget that contains it. Otherwise, neither would ever be destroyed.
    public static func tie(_ object: AnyObject, to widget: UnsafeMutablePointer<GtkWidget>) {
        atDestruction(of: widget) { _ = object }
    }

    /// Calls `action` once, when GTK destroys the widget, and releases the closure afterwards.
    ///
    /// The action must not use the pointer to the widget, because GTK is destroying the widget. Actions run in the
    /// order in which they were added.
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
