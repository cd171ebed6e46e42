#if GTK
import CGTK
import Foundation
import SiestaGTK

/// A person at the display: moves a real mouse and presses real keys, as events of the X server that xdotool sends.
@MainActor
struct Person {
    /// A program that could not be run, or a widget that is not on the screen.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Clicks on the centre of a widget.
    func click(_ widget: WidgetPointer) async throws {
        let (x, y) = try await Self.restingCentre(of: widget)
        try await run("xdotool", "mousemove", "\(x)", "\(y)", "click", "1")
    }

    /// Turns the wheel over a widget, downwards.
    func scroll(_ widget: WidgetPointer, steps: Int) async throws {
        let (x, y) = try Self.centre(of: widget)
        try await run(
            "xdotool", "mousemove", "\(x)", "\(y)", "click", "--delay", "2", "--repeat", "\(steps)", "5")
    }

    /// Presses keys one after the other, for example `ctrl+f`.
    func press(_ keys: String...) async throws {
        try await run(["xdotool", "key"] + keys)
    }

    /// Types a text.
    func type(_ text: String) async throws {
        try await run("xdotool", "type", "--delay", "15", text)
    }

    /// Changes the size of the window with this title, by its edges.
    func resize(_ title: String, width: Int, height: Int) async throws {
        try await run("xdotool", "search", "--name", "^\(title)$", "windowsize", "\(width)", "\(height)")
    }

    /// Writes a picture of the screen into a file.
    func photograph(_ file: URL, width: Int, height: Int) async throws {
        try await run("import", "-window", "root", "-crop", "\(width)x\(height)+0+0", "+repage", file.path)
    }

    private func run(_ arguments: String...) async throws {
        try await run(arguments)
    }

    private func run(_ arguments: [String]) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        if status != 0 { throw Problem(description: "\(arguments.joined(separator: " ")) ended with \(status)") }
    }

    /// The place of a widget that has stopped to move, for example because its window has its size.
    private static func restingCentre(of widget: WidgetPointer) async throws -> (x: Int, y: Int) {
        var places = [try centre(of: widget)]
        while places.count < 100 {
            try await Task.sleep(for: .milliseconds(20))
            places.append(try centre(of: widget))
            if places.suffix(4).count == 4, places.suffix(4).allSatisfy({ $0 == places[places.count - 1] }) { break }
        }
        return places[places.count - 1]
    }

    /// The place of a widget on the screen. Without a window manager, windows are at the top left corner.
    private static func centre(of widget: WidgetPointer) throws -> (x: Int, y: Int) {
        guard gtk_widget_get_mapped(widget) != 0, let native = gtk_widget_get_native(widget),
            let surface = gtk_native_get_surface(native)
        else { throw Problem(description: "a widget that is not on the screen") }
        var (place, result) = (graphene_point_t(), graphene_point_t())
        place.x = Float(gtk_widget_get_width(widget)) / 2
        place.y = Float(gtk_widget_get_height(widget)) / 2
        guard gtk_widget_compute_point(widget, WidgetPointer(native), &place, &result) != 0 else {
            throw Problem(description: "a widget outside of its window")
        }
        var (x, y) = (0.0, 0.0)
        gtk_native_get_surface_transform(native, &x, &y)
        let origin = origin(of: surface)
        return (Int(Double(result.x) + x) + origin.x, Int(Double(result.y) + y) + origin.y)
    }

    private static func origin(of surface: OpaquePointer) -> (x: Int, y: Int) {
        guard cgtk_is_a(UnsafeRawPointer(surface), gdk_popup_get_type()), let parent = gdk_popup_get_parent(surface)
        else { return (0, 0) }
        let origin = origin(of: parent)
        return (origin.x + Int(gdk_popup_get_position_x(surface)), origin.y + Int(gdk_popup_get_position_y(surface)))
    }
}
#endif
