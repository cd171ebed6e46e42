#if GTK
import CGTK
import Foundation
import SiestaCore
import SiestaGTK
import SiestaTesting
import SiestaUI
import Waiting

extension Check {
    static let leaks = [
        Check("10 000 widgets with handlers and tied objects leave nothing", timeLimit: 600) {
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
        },
        Check(
            "10 000 rows with an image, a progress bar and an overlay leave neither objects nor memory", timeLimit: 600
        ) {
            let images = SharedImage()
            try images.serve()
            try await leavesNothing {
                for _ in 0..<10 { try await showRows(1_000, images) }
            }
            try expectEqual(images.store.statistics.decodes, 1)
        },
        Check("A list that shows 10 000 rows, one after the other, leaves neither objects nor memory", timeLimit: 600) {
            let images = SharedImage()
            try images.serve()
            try await leavesNothing {
                let scene = ListScene(pageSize: 20_000, makeRow: { imageRow(images) }) { _ in
                    ListScene.page(0..<10_000)
                }
                let reference = WeakObjectReference(scene.list.widget)
                try await scene.window.present()
                try await Poll.until { scene.list.model.items.count == 10_000 }
                try await scene.window.frames(3)
                let end = gtk_adjustment_get_upper(scene.adjustment)
                for part in 1...60 {
                    gtk_adjustment_set_value(scene.adjustment, end * Double(part) / 60)
                    try await scene.window.frames(1)
                }
                try expect(scene.bindCount >= 9_000, "\(scene.bindCount) rows")
                scene.window.close()
                try await Poll.until { reference.object == nil }
            }
        },
    ]
}

/// An image that many rows show.
@MainActor private final class SharedImage {
    let store = ImageStore(decoder: TextureDecoder())
    private let network = StubNetwork()
    private let service: Service

    init() {
        service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        service.configure { $0.expirationTime = 3_600 }
    }

    func serve() throws {
        let file = try SampleImage.png(width: 80, height: 80, color: (0, 0, 200))
        network.answer(.get, "/a", with: .response(200, headers: ["Content-Type": "image/png"], body: file))
    }

    var resource: Resource { service.resource("/a") }
}

/// Shows rows in a window, closes it, and expects that no widget and no Swift object is left.
@MainActor private func showRows(_ count: Int, _ images: SharedImage) async throws {
    let rows: WidgetPointer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    let scroll: WidgetPointer = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(OpaquePointer(scroll), rows)
    let window = TestWindow(child: scroll)
    let resource = images.resource
    var references: [WeakObjectReference] = []
    for _ in 0..<count {
        let box: WidgetPointer = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4)
        let image = RemoteImage(width: 20, height: 20, store: images.store)
        image.resource = resource
        let bar = ResourceProgressBar(ProgressModel(following: resource))
        let overlay = StatusOverlay(over: gtk_label_new("Row"))
        overlay.model.add(resource)
        for child in [image.widget, bar.widget, overlay.widget] {
            gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), child)
            ObjectLifetime.tie(Probe(), to: child)
            references.append(WeakObjectReference(child))
        }
        gtk_box_append(UnsafeMutablePointer(OpaquePointer(rows)), box)
    }
    try await window.present()
    try expectEqual(Probe.live, 3 * count)
    window.close()
    try await Poll.until { Probe.live == 0 }
    try expectEqual(references.count { $0.object != nil }, 0)
}

@MainActor private func imageRow(_ images: SharedImage) -> ListRow<SampleRow> {
    let image = RemoteImage(width: 20, height: 20, store: images.store)
    ObjectLifetime.tie(Probe(), to: image.widget)
    return ListRow(image.widget) { row in
        image.alternativeText = row.text
        image.resource = images.resource
    } unbind: {
        image.resource = nil
    }
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
