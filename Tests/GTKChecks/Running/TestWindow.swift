#if GTK
import CGTK
import SiestaGTK
import Waiting

/// A window at the top left corner of the screen, without a title bar. A person's mouse and keys are events of the X server,
/// sent by xdotool.
@MainActor final class TestWindow {
    let window: UnsafeMutablePointer<GtkWindow>
    private(set) var isOpen = true

    init(width: Int = 400, height: Int = 300, child: WidgetPointer? = nil) {
        window = UnsafeMutablePointer(OpaquePointer(gtk_window_new()))
        gtk_window_set_decorated(window, 0)
        gtk_window_set_default_size(window, gint(width), gint(height))
        if let child { gtk_window_set_child(window, child) }
    }

    var widget: WidgetPointer { UnsafeMutablePointer(OpaquePointer(window)) }

    /// The widget with the keyboard focus.
    var focus: WidgetPointer? { gtk_window_get_focus(window) }

    var size: (width: Int, height: Int) { (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget))) }

    /// Shows the window, and waits for its first frames.
    func present() async throws {
        gtk_window_present(window)
        try await frames(3)
    }

    /// Waits until some frames are drawn.
    func frames(_ count: Int) async throws {
        var left = count
        let tick = TickCallback(widget) { _ in
            left -= 1
            gtk_widget_queue_draw(self.widget)
            return left > 0
        }
        try await Poll.until { !tick.isActive }
    }

    /// Moves the mouse to the centre of a widget, and clicks.
    func click(_ widget: WidgetPointer) async throws {
        let (x, y) = try centre(of: widget)
        try await Command.run("xdotool", "mousemove", "\(x)", "\(y)", "click", "1")
    }

    /// Turns the mouse wheel over a widget. Positive numbers scroll down.
    func scroll(_ widget: WidgetPointer, steps: Int) async throws {
        let (x, y) = try centre(of: widget)
        try await Command.run(
            "xdotool", "mousemove", "\(x)", "\(y)", "click", "--delay", "5", "--repeat", "\(abs(steps))",
            steps > 0 ? "5" : "4")
    }

    /// Presses keys, for example `Tab` or `shift+Tab`.
    func press(_ key: String, times: Int = 1) async throws {
        for _ in 0..<times { try await Command.run("xdotool", "key", key) }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        gtk_window_destroy(window)
    }

    private func centre(of child: WidgetPointer) throws -> (Int, Int) {
        var place = graphene_point_t(
            x: Float(gtk_widget_get_width(child)) / 2, y: Float(gtk_widget_get_height(child)) / 2)
        var result = graphene_point_t()
        try expect(gtk_widget_compute_point(child, widget, &place, &result) != 0, "The widget is not in the window")
        return (Int(result.x), Int(result.y))
    }
}

extension WidgetPointer {
    /// All descendants that are visible, in the order of the widget tree.
    @MainActor var visibleDescendants: [WidgetPointer] {
        var (result, child): ([WidgetPointer], WidgetPointer?) = ([], gtk_widget_get_first_child(self))
        while let current = child {
            if gtk_widget_get_mapped(current) != 0 { result += [current] + current.visibleDescendants }
            child = gtk_widget_get_next_sibling(current)
        }
        return result
    }

    /// True if nothing covers the centre of the widget.
    @MainActor var isUncovered: Bool {
        guard let root = gtk_widget_get_root(self) else { return false }
        let window = UnsafeMutableRawPointer(root).assumingMemoryBound(to: GtkWidget.self)
        var place = graphene_point_t(
            x: Float(gtk_widget_get_width(self)) / 2, y: Float(gtk_widget_get_height(self)) / 2)
        var result = graphene_point_t()
        guard gtk_widget_compute_point(self, window, &place, &result) != 0,
            let picked = gtk_widget_pick(window, Double(result.x), Double(result.y), GTK_PICK_DEFAULT)
        else { return false }
        return picked == self || gtk_widget_is_ancestor(self, picked) != 0
    }

    /// The texts of the labels that a person sees, also those of buttons.
    @MainActor var visibleTexts: [String] {
        visibleDescendants.filter { cgtk_is_a($0, gtk_label_get_type()) && $0.isUncovered }
            .map { String(cString: gtk_label_get_text(OpaquePointer($0))) }.filter { !$0.isEmpty }
    }

    /// The visible button with a title.
    @MainActor func button(_ title: String) throws -> WidgetPointer {
        let found = visibleDescendants.first {
            cgtk_is_a($0, gtk_button_get_type()) && $0.visibleTexts.contains(title)
        }
        guard let found else { throw Failure(description: "No button \(title) in \(visibleTexts)") }
        return found
    }
}
#endif
