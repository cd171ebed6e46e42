#if GTK
import CGTK
import Foundation
import LoopbackServer
import SiestaCore
import SiestaGTK
import SiestaLists
import SiestaUI
import Waiting

extension Check {
    static let scrolling = [
        Check(
            "Scrolling through 2 000 rows with images keeps frames short, and decodes each image once", timeLimit: 600
        ) {
            let scene = try await ImageList(costLimit: 64 << 20)
            defer { scene.window.close() }
            let meter = try await scene.scrollThrough()
            let store = scene.store.statistics
            report("\(store.decodes) decoded, \(store.hits) from memory, \(store.cost / 1024) KB in memory")
            try scene.expectShortFrames(meter)
            try expect(store.decodes >= 400, "\(store.decodes) decoded")
            // Each entry is another image: nothing was removed, so nothing was decoded twice.
            try expectEqual(store.evictions, 0)
            try expectEqual(store.decodes, store.imageCount)
            let back = try await scene.scrollThrough()
            try scene.expectShortFrames(back)
            try expectEqual(scene.store.statistics.decodes, scene.store.statistics.imageCount)
            try expect(scene.store.statistics.decodes <= 2_000)
            try expect(scene.store.statistics.hits > store.hits)
        },
        Check("With a small limit, scrolling through 2 000 rows keeps the memory within it", timeLimit: 600) {
            let limit = 1 << 20
            let scene = try await ImageList(costLimit: limit)
            defer { scene.window.close() }
            let meter = try await scene.scrollThrough()
            try scene.expectShortFrames(meter)
            let store = scene.store.statistics
            report(
                "\(store.decodes) decoded, \(store.evictions) removed, at most \(scene.largestCost / 1024) KB in memory"
            )
            try expect(scene.largestCost <= limit, "\(scene.largestCost) bytes")
            try expect(store.evictions > 0)
        },
    ]
}

/// A window with a list of 2 000 rows, each with its own image from a server on this machine.
@MainActor private final class ImageList {
    let store: ImageStore<TextureDecoder>
    let window: TestWindow
    private(set) var largestCost = 0
    private let server: LoopbackServer
    private let service: Service
    private let list: ResourceList<SampleRow>
    private let meter = MeterSlot()

    /// The meter of the present scroll, for the closures of rows.
    @MainActor private final class MeterSlot {
        var meter: FrameMeter?

        func measure(_ work: () -> Void) {
            if let meter { meter.measure(work) } else { work() }
        }
    }

    init(costLimit: Int) async throws {
        store = ImageStore(decoder: TextureDecoder(), costLimit: costLimit)
        server = try Self.server()
        service = Service(baseURL: server.url())
        service.configure { $0.expirationTime = 3_600 }
        let images = Service(baseURL: server.url(), standardTransformers: [])
        images.configure { $0.expirationTime = 3_600 }
        service.decode("/rows", as: [SampleRow].self)
        let rows = PagedListModel(
            PagedResource(service.resource("/rows", as: [SampleRow].self), next: .pageNumber(size: 5_000)))
        list = ResourceList(rows) { [store, meter] in Self.row(store, images, meter) }
        window = TestWindow(width: 400, height: 600, child: list.widget)
        try await window.present()
        try await Poll.until { rows.items.count == 2_000 }
        try await window.frames(5)
    }

    private static func row(
        _ store: ImageStore<TextureDecoder>, _ images: Service, _ meter: MeterSlot
    ) -> ListRow<SampleRow> {
        let box: WidgetPointer = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8)
        let (image, label) = (RemoteImage(width: 40, height: 40, store: store), gtk_label_new(nil))
        gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), image.widget)
        gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), label)
        return ListRow(box) { row in
            meter.measure {
                gtk_label_set_text(OpaquePointer(label), row.text)
                image.resource = images.resource("/image/\(row.id)")
            }
        } unbind: {
            image.resource = nil
        }
    }

    private static func server() throws -> LoopbackServer {
        let rows = (0..<2_000).map { #"{"id": \#($0), "text": "Row \#($0)"}"# }.joined(separator: ",")
        let files = try (0..<16).map {
            try SampleImage.png(width: 160, height: 160, color: (UInt8($0 * 8), 40, 120))
        }
        return try LoopbackServer { exchange in
            if exchange.request.target.hasPrefix("/rows") {
                try exchange.respond(headers: ["Content-Type: application/json"], text: "[\(rows)]")
            } else {
                let number = exchange.request.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
                try exchange.respond(headers: ["Content-Type: image/png"], body: files[number % 16])
            }
        }
    }

    /// Scrolls from one end to the other, 120 pixels in each frame, and waits for the last images.
    func scrollThrough() async throws -> FrameMeter {
        let adjustment: UnsafeMutablePointer<GtkAdjustment> = gtk_scrolled_window_get_vadjustment(
            OpaquePointer(list.widget))
        let meter = FrameMeter(window.widget)
        self.meter.meter = meter
        let isDown = gtk_adjustment_get_value(adjustment) < 1_000
        let start = ContinuousClock.now
        let tick = TickCallback(list.widget) { [store] _ in
            self.largestCost = max(self.largestCost, store.statistics.cost)
            let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
            let value = gtk_adjustment_get_value(adjustment)
            gtk_adjustment_set_value(adjustment, value + (isDown ? 120 : -120))
            return isDown ? value < end - 1 : value > 1
        }
        try await Poll.until { !tick.isActive }
        meter.stop()
        self.meter.meter = nil
        let time = (ContinuousClock.now - start).milliseconds
        report("\(meter.frames.count) frames in \(time) ms, \(meter.frames.count * 1000 / max(time, 1)) a second")
        try await window.frames(30)
        return meter
    }

    func expectShortFrames(_ meter: FrameMeter) throws {
        let (largest, percentile, mean) = meter.summary
        report("time of the library in a frame: largest \(largest) µs, 99 % \(percentile) µs, mean \(mean) µs")
        try expect(largest < 33_000, "\(largest) µs")
    }
}
#endif
