#if GTK
import CGTK
import SiestaGTK
import Waiting

extension Check {
    static let leaks = [
        Check("10 000 widgets with handlers and tied objects leave nothing") {
            try await leavesNothing {
                let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
                let reference = ObjectReference(box)
                for _ in 0..<10_000 {
                    let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label("Row")
                    let probe = Probe()
                    SignalConnection.connect(button, "clicked") { _ in withExtendedLifetime(probe) {} }
                    ObjectLifetime.tie(Probe(), to: button)
                    _ = TickCallback(button) { _ in withExtendedLifetime(probe) { true } }
                    gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), button)
                }
                try expectEqual(Probe.live, 20_000)
                withExtendedLifetime(reference) {}
            }
        }
    ]
}

/// Runs work three times, and expects that the third run leaves neither probes nor memory behind.
@MainActor func leavesNothing(_ work: @MainActor () async throws -> Void) async throws {
    var heaps: [Int] = []
    for _ in 0..<3 {
        try await work()
        try await Poll.until { Probe.live == 0 }
        // Sources of GLib that release objects run in later turns.
        await Moment.after(.milliseconds(50))
        heaps.append(Usage.heap)
    }
    report("heap in use after each run: \(heaps.map { "\($0 / 1024) KB" }.joined(separator: ", "))")
    try expect(heaps[2] - heaps[1] < 100_000, "\(heaps[2] - heaps[1]) bytes more after the third run")
}
#endif
