#if GTK
import CGTK
import Foundation
import SiestaCore
import SiestaGTK
import SiestaRetrying
import SiestaTesting
import SiestaUI
import Waiting

extension Check {
    static let images = [
        Check("An image is loaded, decoded once for each size, and drawn") {
            try await ImageScene.use { scene in
                try scene.serve("/a", width: 400, height: 200, color: (200, 0, 0))
                let images = (0..<6).map { index in
                    scene.add("/a", size: index < 4 ? 80 : 48)
                }
                try await scene.waitForImages(images)
                try expectEqual(scene.store.statistics.decodes, 2)
                try expectEqual(scene.store.statistics.imageCount, 2)
                try expectEqual(scene.network.requests.count, 1)
                try expectEqual(images.map { $0.image?.pixelWidth }, [80, 80, 80, 80, 48, 48])
                try await Screenshot.compare(scene.window, "images")
            }
        },
        Check("An image that fails shows an icon, and a click loads it again") {
            try await ImageScene.use { scene in
                scene.network.answer(.get, "/a", with: .response(500))
                let image = scene.add("/a", size: 80)
                try await Poll.until { image.isFailed }
                try await scene.window.frames(3)
                try await Screenshot.compare(scene.window, "image-failed")
                try expect(cgtk_has_accessible_label(image.widget, "Picture · Image not available"))
                try scene.serve("/a", width: 80, height: 80, color: (0, 0, 200))
                try await scene.window.click(image.widget)
                try await scene.waitForImages([image])
                try expect(cgtk_has_accessible_label(image.widget, "Picture"))
                try await scene.window.click(image.widget)
                await Moment.after(.milliseconds(50))
                try expectEqual(scene.network.requests.count, 2)
            }
        },
        Check("An image that fails is reached by Tab, and Return loads it again") {
            try await ImageScene.use { scene in
                scene.network.answer(.get, "/a", with: .text("no image"))
                let image = scene.add("/a", size: 80)
                try await Poll.until { image.isFailed }
                try await scene.window.press("Tab")
                try await scene.window.frames(2)
                try expectEqual(scene.window.focus, image.widget)
                try scene.serve("/a", width: 80, height: 80, color: (0, 0, 200))
                try await scene.window.press("Return")
                try await scene.waitForImages([image])
            }
        },
        Check("Without a fixed size, an image is decoded to the size that its container gives it") {
            try await ImageScene.use { scene in
                try scene.serve("/a", width: 900, height: 900, color: (0, 150, 0))
                let image = scene.add("/a", size: nil)
                try await scene.waitForImages([image])
                try expectEqual(image.model.targetSize, PixelSize(width: 448, height: 320))
                try expectEqual(image.image?.pixelWidth, 320)
            }
        },
        Check("An image that is hidden is not loaded, and one that disappears ends its load") {
            try await ImageScene.use { scene in
                let gate = StubGate()
                scene.network.answer(.get, "/a", with: .text("").after(gate))
                let image = scene.add("/a", size: 80, isVisible: false)
                try await scene.window.frames(3)
                try expectEqual(scene.network.requests.count, 0)
                gtk_widget_set_visible(image.widget, 1)
                try await Poll.until { scene.network.requests.count == 1 }
                gtk_widget_set_visible(image.widget, 0)
                try await Poll.until { image.resource?.isLoading == false }
                try expect(!image.model.isVisible)
            }
        },
        Check("A JPEG file with many scans is refused before it costs time") {
            let (start, scan) = SampleImage.jpegScans()
            _ = try? TextureDecoder().decode(start + scan + [0xFF, 0xD9], fitting: nil)
            do {
                let scans = Data(repeatElement(scan, count: 101).joined())
                _ = try TextureDecoder().decode(start + scans + [0xFF, 0xD9], fitting: nil)
                throw Failure(description: "101 scans are decoded")
            } catch { try expectEqual(error as? ImageDecodingError, .damaged("Too many scans")) }
        },
        Check("Of an animation, only the first frame is read, and it must be complete") {
            let (file, frame) = SampleImage.animation(frames: 100_000)
            let start = ContinuousClock.now
            let decoded = try TextureDecoder().decode(file, fitting: nil)
            report("\((ContinuousClock.now - start).milliseconds) ms for \(file.count) bytes")
            try expect(ContinuousClock.now - start < .seconds(2))
            try expectEqual(decoded.pixelSize, PixelSize(width: 2, height: 2))
            for end in 0..<frame {
                if (try? TextureDecoder().decode(file.prefix(end), fitting: nil)) != nil {
                    throw Failure(description: "\(end) bytes are an image")
                }
            }
            _ = try TextureDecoder().decode(file.prefix(frame), fitting: nil)
        },
        Check("A widget that is destroyed releases its image and its model") {
            weak var image: RemoteImage?
            weak var model: RemoteImageModel<TextureDecoder>?
            weak var texture: TextureImage?
            try await ImageScene.use { scene in
                try scene.serve("/a", width: 40, height: 40, color: (0, 0, 200))
                let created = scene.add("/a", size: 40)
                (image, model) = (created, created.model)
                try await scene.waitForImages([created])
                texture = created.image
                try expect(texture != nil)
            }
            try await Poll.until { image == nil && model == nil && texture == nil }
        },
        Check("An image that shows another resource, which has failed too, has the tooltip of its error") {
            try await ImageScene.use { scene in
                scene.network.answer(.get, "/a", with: .response(500))
                scene.network.answer(.get, "/b", with: .response(404))
                let image = scene.add("/a", size: 80)
                try await Poll.until { image.isFailed }
                let other = scene.service.resource("/b")
                await other.load().completion()
                image.resource = other
                try await Poll.until { image.isFailed }
                let text = gtk_widget_get_tooltip_text(image.widget).map { String(cString: $0) }
                try expectEqual(text, other.latestError?.userMessage)
            }
        },
    ]
}

extension RemoteImage {
    fileprivate var image: TextureImage? { model.image }
    fileprivate var isFailed: Bool { if case .failed = model.phase { true } else { false } }
}

extension TextureImage {
    fileprivate var pixelWidth: Int { Int(gdk_texture_get_width(texture)) }
}

/// A window with a box for images, and a service whose network is scripted.
@MainActor private final class ImageScene {
    let network = StubNetwork()
    let store = ImageStore(decoder: TextureDecoder())
    let service: Service
    let window: TestWindow
    private let box: WidgetPointer = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4)

    static func use(_ check: @MainActor (ImageScene) async throws -> Void) async throws {
        let scene = ImageScene()
        defer { scene.window.close() }
        try await scene.window.present()
        try await check(scene)
    }

    private init() {
        service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        service.configure { $0.retry = .none }
        window = TestWindow(width: 420, height: 300, child: box)
    }

    func serve(_ path: String, width: Int, height: Int, color: (UInt8, UInt8, UInt8)) throws {
        let file = try SampleImage.png(width: width, height: height, color: color)
        network.answer(.get, path, with: .response(200, headers: ["Content-Type": "image/png"], body: file))
    }

    func add(_ path: String, size: Int?, isVisible: Bool = true) -> RemoteImage {
        let image = RemoteImage(width: size, height: size, alternativeText: "Picture", store: store)
        gtk_widget_set_visible(image.widget, isVisible ? 1 : 0)
        if size == nil { gtk_widget_set_hexpand(image.widget, 1) }
        if size != nil { gtk_widget_set_valign(image.widget, GTK_ALIGN_CENTER) }
        image.resource = service.resource(path)
        gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), image.widget)
        return image
    }

    func waitForImages(_ images: [RemoteImage]) async throws {
        try await Poll.until { images.allSatisfy { $0.image != nil } }
        try await window.frames(3)
    }
}
#endif
