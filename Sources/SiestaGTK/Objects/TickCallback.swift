#if GTK
package import CGTK

/// A Swift closure that GTK calls before each frame of a widget, as long as the widget is visible.
///
/// The widget keeps the closure until the closure returns false, `stop()` is called, or the widget is destroyed. The closure
/// may do each of these while it runs.
@MainActor package final class TickCallback {
    private let state: State

    /// Begins calling `action`.
    ///
    /// - Parameters:
    ///   - widget: The widget whose frames trigger the calls.
    ///   - action: The closure. It gets the time of the frame in microseconds, on the clock of `g_get_monotonic_time`, and
    ///     returns false to end the calls.
    package init(_ widget: UnsafeMutablePointer<GtkWidget>, _ action: @escaping @MainActor (Int64) -> Bool) {
        state = State(widget, action)
        let tick: GtkTickCallback = { _, clock, state in
            guard let state else { return 0 }
            return MainThread.run((clock, state)) { clock, state in
                let time = Int64(gdk_frame_clock_get_frame_time(clock))
                return Unmanaged<State>.fromOpaque(state).takeUnretainedValue().tick(time) ? 1 : 0
            }
        }
        let release: GDestroyNotify = { state in
            guard let state else { return }
            MainThread.run(state) { Unmanaged<State>.fromOpaque($0).takeRetainedValue().end() }
        }
        state.number = gtk_widget_add_tick_callback(widget, tick, Unmanaged.passRetained(state).toOpaque(), release)
    }

    /// A Boolean value that indicates whether GTK will call the closure again.
    package var isActive: Bool { state.widget != nil }

    /// Ends the calls. Does nothing if they have ended.
    package func stop() { state.stop() }

    /// Owned by GTK from the start to the end of the calls.
    @MainActor private final class State {
        /// Nil from the end of the calls on. GTK ends them before it frees the widget, so the pointer is never stale.
        var widget: UnsafeMutablePointer<GtkWidget>?
        var number: guint = 0
        private var action: (@MainActor (Int64) -> Bool)?

        init(_ widget: UnsafeMutablePointer<GtkWidget>, _ action: @escaping @MainActor (Int64) -> Bool) {
            (self.widget, self.action) = (widget, action)
        }

        func tick(_ time: Int64) -> Bool { (action?(time) ?? false) && widget != nil }

        func end() { (widget, action) = (nil, nil) }

        func stop() {
            guard let widget else { return }
            end()
            gtk_widget_remove_tick_callback(widget, number)
        }
    }
}
#endif
