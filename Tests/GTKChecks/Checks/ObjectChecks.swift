#if GTK
import CGTK
import Dispatch
import Isolation
import SiestaGTK
import Waiting

extension Check {
    static let objects = [
        Check("A handler is released with its widget") {
            try await releases {
                let button = Button()
                var clicks = 0
                button.connect { clicks += 1 }
                button.click()
                try expectEqual(clicks, 1)
                button.destroy()
            }
        },
        Check("A disconnected handler is released, and a second disconnection does nothing") {
            try await releases {
                let button = Button()
                var clicks = 0
                let connection = button.connect { clicks += 1 }
                connection.disconnect()
                connection.disconnect()
                button.click()
                try expectEqual(clicks, 0)
                button.destroy()
                connection.disconnect()
            }
        },
        Check("A handler may disconnect itself while it runs") {
            try await releases {
                let button = Button()
                var (clicks, connection) = (0, SignalConnection?.none)
                connection = button.connect {
                    connection?.disconnect()
                    connection = nil
                    clicks += 1
                }
                button.click()
                button.click()
                try expectEqual(clicks, 1)
                button.destroy()
            }
        },
        Check("A handler may destroy its own widget while it runs") {
            try await releases {
                let button = Button()
                var clicks = 0
                button.connect {
                    button.destroy()
                    clicks += 1
                }
                button.connect { clicks += 10 }
                button.click()
                // The emission keeps the widget, so it reaches the other handlers.
                try expectEqual(clicks, 11)
            }
        },
        Check("A handler gets the arguments of a signal, and its decision is returned") {
            let window = TestWindow()
            try await window.present()
            var closing = 0
            SignalConnection.connectDecision(window.window, "close-request") { arguments in
                closing += arguments.sender == UnsafeMutableRawPointer(window.window) ? 1 : 100
                return closing < 2
            }
            let reference = WeakObjectReference(window.widget)
            gtk_window_close(window.window)
            try await Poll.until { closing == 1 }
            try expect(reference.object != nil)
            gtk_window_close(window.window)
            try await Poll.until { reference.object == nil }
            try expectEqual(closing, 2)
            let adjustment = ObjectReference(UnsafeMutableRawPointer(gtk_adjustment_new(0, 0, 10, 1, 1, 1)))
            var names: [String?] = []
            SignalConnection.connect(adjustment.pointer, "notify::value") { names.append("\($0.count)") }
            gtk_adjustment_set_value(adjustment.pointer.assumingMemoryBound(to: GtkAdjustment.self), 3)
            try expectEqual(names, ["2"])
            withExtendedLifetime(adjustment) {}
        },
        Check("References keep objects alive, and weak references do not") {
            var strong: ObjectReference? = ObjectReference(gtk_label_new("a"))
            let weak = strong.map { WeakObjectReference($0.pointer) }
            try expect(weak?.object != nil)
            try expectEqual(weak?.object?.pointer, strong?.pointer)
            strong = nil
            try expect(weak?.object == nil)
        },
        Check("A reference that another thread releases last is given back on the main thread") {
            let widget: UnsafeMutablePointer<GtkWidget> = gtk_label_new("a")
            let label = Locked<ObjectReference?>(ObjectReference(widget))
            let weak = WeakObjectReference(widget)
            var isOnMainThread: Bool?
            ObjectLifetime.atDestruction(of: widget) { isOnMainThread = cgtk_is_main_thread() }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    label.withLock { $0 = nil }
                    continuation.resume()
                }
            }
            try await Poll.until { weak.object == nil }
            try expectEqual(isOnMainThread, true)
        },
        Check("Tied objects are released when the widget is destroyed, in order, also by a window") {
            try await releases {
                let window = TestWindow()
                let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new("a")
                var order: [Int] = []
                ObjectLifetime.tie(Probe(), to: label)
                ObjectLifetime.tie(Probe(), to: label)
                for index in 0..<3 { ObjectLifetime.atDestruction(of: label) { order.append(index) } }
                gtk_window_set_child(window.window, label)
                try expectEqual(Probe.live, 3)
                window.close()
                try expectEqual(order, [0, 1, 2])
                try expectEqual(Probe.live, 1)
            }
        },
        Check("Tick callbacks end by their result, by a stop, and with their widget, also while they run") {
            try await releases {
                let window = TestWindow()
                let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new("a")
                gtk_window_set_child(window.window, label)
                try await window.present()
                var counts = [0, 0, 0, 0]
                let probe = Probe()
                let first = TickCallback(label) { _ in
                    counts[0] += 1
                    return withExtendedLifetime(probe) { counts[0] < 3 }
                }
                var second: TickCallback?
                second = TickCallback(label) { _ in
                    counts[1] += 1
                    second?.stop()
                    second = nil
                    return withExtendedLifetime(probe) { true }
                }
                var last: Int64 = 0
                _ = TickCallback(label) { time in
                    counts[2] += time > last ? 1 : 1_000
                    last = time
                    return withExtendedLifetime(probe) { true }
                }
                try await Poll.until { counts[0] == 3 }
                _ = TickCallback(label) { _ in
                    counts[3] += 1
                    gtk_window_set_child(window.window, nil)
                    return withExtendedLifetime(probe) { true }
                }
                try await Poll.until { counts[3] == 1 }
                let end = counts
                first.stop()
                await Moment.after(.milliseconds(100))
                try expectEqual(counts, end)
                try expectEqual(counts[1], 1)
                try expect((4..<1_000).contains(counts[2]) || counts[2] >= 3, "\(counts)")
                window.close()
            }
        },
        Check("A handler that keeps its own connection is released by a disconnection, and with its widget") {
            for isDisconnected in [true, false] {
                try await releases {
                    let button = Button()
                    var connection: SignalConnection?
                    connection = button.connect { _ = connection }
                    if isDisconnected { connection?.disconnect() }
                    button.destroy()
                }
            }
        },
    ]
}

/// Runs a check with closures that hold a probe, and expects that all probes are released at its end.
@MainActor private func releases(_ check: @MainActor () async throws -> Void) async throws {
    let before = Probe.live
    do {
        let probe = Probe()
        try await check()
        withExtendedLifetime(probe) {}
    }
    try await Poll.until { Probe.live <= before }
}

/// A button in a window, whose handlers hold probes.
@MainActor private final class Button {
    private let window = TestWindow()
    private let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label("OK")

    init() { gtk_window_set_child(window.window, button) }

    @discardableResult func connect(_ action: @escaping @MainActor () -> Void) -> SignalConnection {
        let probe = Probe()
        return SignalConnection.connect(button, "clicked") { _ in withExtendedLifetime(probe) { action() } }
    }

    func click() { cgtk_emit(button, "clicked") }

    func destroy() { window.close() }
}
#endif
