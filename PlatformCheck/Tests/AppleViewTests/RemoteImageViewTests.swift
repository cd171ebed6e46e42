import Foundation
import Siesta
import SiestaTesting
import SiestaUI
import TestKit
import Testing
import Waiting

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

@MainActor @Suite(.serialized, .timeLimit(.test))
struct RemoteImageViewTests {
    private let network = StubNetwork()
    private let service: Service
    private let view = RemoteImageView(frame: CGRect(x: 0, y: 0, width: 50, height: 40))
    private let spinner = SystemView()
    private let alternate = SystemView()
    private let placeholder = SystemImage(width: 1, height: 1)

    init() {
        service = Service(baseURL: "https://images.test", standardTransformers: [], networking: network)
        RemoteImageView.imageStore = ImageStore(decoder: ImageIODecoder())
        view.imageService = service
        (view.loadingView, view.alternateView) = (spinner, alternate)
        view.layOut()
    }

    /// The width of the image that is shown, in pixels.
    private var width: Int? { view.image.map { Int($0.size.width) } }

    @Test func `A view loads its URL, and decodes the image in its size on screen`() async throws {
        network.answer(.get, "/a.png", with: .held)
        view.imageURL = "https://images.test/a.png"
        #expect(view.imageURL == "https://images.test/a.png")
        #expect(view.image == nil)
        #expect(!spinner.isHidden)
        #expect(alternate.isHidden)
        let window = Screen.show(view)
        view.layOut()
        try await network.exchange(1).respond(with: .text("1000x500"))
        try await Poll.until { view.image != nil }
        // 50 by 40 points have 100 by 80 pixels. The image is twice as wide as high.
        #expect(view.image?.size == CGSize(width: 100, height: 50))
        #expect(spinner.isHidden)
        #expect(alternate.isHidden)
        withExtendedLifetime(window) {}
    }

    #if canImport(UIKit)
    @Test func `An image that covers the view is decoded larger, and one with its own size is decoded in full`()
        async throws
    {
        network.answer(.get, "/a.png", with: .text("4000x2000"))
        view.contentMode = .scaleAspectFill
        view.setNeedsLayout()
        view.layOut()
        view.imageURL = "https://images.test/a.png"
        try await Poll.until { view.image?.size == CGSize(width: 200, height: 100) }
        view.contentMode = .center
        view.setNeedsLayout()
        view.layOut()
        try await Poll.until { view.image?.size == CGSize(width: 4000, height: 2000) }
    }
    #endif

    @Test func `A view that is collapsed does not decode its image again`() async throws {
        network.answer(.get, "/a.png", with: .text("1000x500"))
        view.imageURL = "https://images.test/a.png"
        try await Poll.until { view.image != nil }
        view.frame.size.height = 0
        view.layOut()
        #expect(RemoteImageView.imageStore.statistics.decodes == 1)
    }

    @Test func `An image in memory is shown in the same turn`() async throws {
        network.answer(.get, "/a.png", with: .text("20x10"))
        view.imageURL = "https://images.test/a.png"
        try await Poll.until { view.image != nil }
        view.imageURL = nil
        #expect(view.image == nil)
        #expect(view.imageURL == nil)
        #expect(spinner.isHidden)
        #expect(!alternate.isHidden)
        view.imageURL = "https://images.test/a.png"
        #expect(width == 20)
        #expect(network.requests.count == 1)
        #expect(RemoteImageView.imageStore.statistics.decodes == 1)
    }

    @Test func `Without an image the placeholder is shown, and no alternate view`() async throws {
        view.placeholderImage = placeholder
        #expect(view.image === placeholder)
        network.answer(.get, "/a.png", with: .failure(.timedOut))
        view.imageURL = "https://images.test/a.png"
        #expect(view.image === placeholder)
        #expect(!spinner.isHidden)
        await view.imageResource?.loadRequests.first?.completion()
        #expect(view.image === placeholder)
        #expect(spinner.isHidden)
        #expect(alternate.isHidden)
        view.placeholderImage = nil
        #expect(view.image == nil)
        #expect(!alternate.isHidden)
    }

    @Test func `A text that is no URL counts as unavailable`() async throws {
        view.imageURL = "\0"
        await view.imageResource?.loadRequests.first?.completion()
        #expect(view.image == nil)
        #expect(spinner.isHidden)
        #expect(!alternate.isHidden)
    }

    @Test func `The transform changes the placeholder and the image`() async throws {
        let replacement = SystemImage(width: 7, height: 7)
        view.placeholderImage = placeholder
        view.imageTransform = { $0 == nil ? nil : replacement }
        #expect(view.image === replacement)
        view.imageTransform = { $0 }
        #expect(view.image === placeholder)
    }

    @Test func `Another resource ends the load of the old one after a moment, unless it is observed`() async throws {
        network.answer(.get, "/a.png", with: .held)
        network.answer(.get, "/b.png", with: .held)
        let kept = ObserverRecorder()
        service.resource("/b.png").addObserver(kept)
        view.imageURL = "https://images.test/a.png"
        let first = try await network.exchange(1)
        view.imageURL = "https://images.test/b.png"
        #expect(!first.isCancelled)
        let second = try await network.exchange(2)
        view.imageURL = nil
        try await Poll.until { first.isCancelled }
        await Moment.after(.milliseconds(100))
        #expect(!second.isCancelled)
    }

    @Test func `A view that leaves its window ends the load, and loads again when it comes back`() async throws {
        network.answer(.get, "/a.png", with: .held)
        view.imageURL = "https://images.test/a.png"
        let window = Screen.show(view)
        let first = try await network.exchange(1)
        view.removeFromSuperview()
        try await Poll.until { first.isCancelled }
        let other = Screen.show(view)
        _ = try await network.exchange(2)
        withExtendedLifetime((window, other)) {}
    }

    @Test func `A released view ends its load`() async throws {
        network.answer(.get, "/a.png", with: .held)
        weak var released: RemoteImageView?
        do {
            let view = RemoteImageView(frame: .zero)
            view.imageService = service
            view.imageURL = "https://images.test/a.png"
            released = view
            _ = try await network.exchange(1)
        }
        #expect(released == nil)
        let exchange = try await network.exchange(1)
        try await Poll.until { exchange.isCancelled }
    }

    @Test func `The default service has no credentials and keeps the bytes of images`() {
        #expect(RemoteImageView.defaultImageService === Service.forImages)
        #expect(RemoteImageView().imageService === Service.forImages)
    }
}
