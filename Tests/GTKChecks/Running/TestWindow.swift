#if GTK
import CGTK
import SiestaGTK
import Waiting

/// A window at the top left corner of the screen, without a title bar.
@MainActor final class TestWindow {
    let window: UnsafeMutablePointer<GtkWindow>
    private(set) var isOpen = true

    init(width: Int = 400, height: Int = 300, child: UnsafeMutablePointer<GtkWidget>? = nil) {
        window = UnsafeMutablePointer(OpaquePointer(gtk_window_new()))
        gtk_window_set_decorated(window, 0)
        gtk_window_set_default_size(window, gint(width), gint(height))
        if let child { gtk_window_set_child(window, child) }
    }

    var widget: UnsafeMutablePointer<GtkWidget> { UnsafeMutablePointer(OpaquePointer(window)) }

    /// Shows the window, and waits for its first frame.
    func present() async throws {
        var frames = 0
        let tick = TickCallback(widget) { _ in
            frames += 1
            return frames < 3
        }
        gtk_window_present(window)
        try await Poll.until { !tick.isActive }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        gtk_window_destroy(window)
    }
}
#endif
