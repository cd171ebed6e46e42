import Foundation
import Siesta
import SiestaTesting
import SiestaUI
import TestKit
import Testing

#if canImport(UIKit)
@_spi(Fakes) import UIKit
#else
@_spi(Fakes) import AppKit
#endif

@MainActor @Suite(.serialized, .timeLimit(.test))
struct ResourceStatusOverlayTests {
    private let network = StubNetwork()
    private let service: Service
    private let overlay = ResourceStatusOverlay()

    init() {
        service = Service(baseURL: "https://api.test", networking: network)
    }

    private func fail(_ path: String) async {
        network.answer(.get, path, with: .failure(.networkConnectionLost))
        await service.resource(path).load().completion()
    }

    private func succeed(_ path: String) async {
        network.answer(.get, path, with: .json("{}"))
        await service.resource(path).load().completion()
    }

    @Test func `An overlay is hidden until an observed resource loads, and shows the load at once`() async throws {
        let resource = service.resource("/a")
        #expect(overlay.isHidden)
        resource.addObserver(overlay)
        #expect(overlay.isHidden)
        network.answer(.get, "/a", with: .held)
        let load = resource.load()
        #expect(!overlay.isHidden)
        #expect(overlay.containerView?.isHidden == false)
        #expect(overlay.loadingIndicator?.isHidden == false)
        #expect(overlay.errorView?.isHidden == true)
        try await network.exchange(1).respond(with: .json("{}"))
        await load.completion()
        #expect(overlay.isHidden)
        #expect(overlay.containerView?.isHidden == true)
    }

    @Test func `The indicator fades in over 0.7 seconds, once for each load`() async throws {
        let before = Screen.animations.count
        network.answer(.get, "/a", with: .held)
        let resource = service.resource("/a").addObserver(overlay)
        let load = resource.load()
        let second = resource.load()
        #expect(Array(Screen.animations.dropFirst(before)) == [0.7])
        #expect(overlay.loadingIndicator?.opacity == 1)
        load.cancel()
        second.cancel()
    }

    @Test func `A failure shows the message of its error, and the button loads again`() async throws {
        let resource = service.resource("/a").addObserver(overlay)
        await fail("/a")
        #expect(!overlay.isHidden)
        #expect(overlay.errorView?.isHidden == false)
        #expect(overlay.loadingIndicator?.isHidden == true)
        #expect(overlay.errorHeadline?.words == "Could not load")
        #expect(overlay.errorDetail?.words == resource.latestError?.userMessage)
        #expect(overlay.retryButton.words == "Retry")
        overlay.displayPriority = .manualLoads
        network.answer(.get, "/a", with: .held)
        overlay.retryButton.press()
        #expect(network.requests.count == 2)
        #expect(overlay.loadingIndicator?.isHidden == false, "The retry counts as a manual load.")
        try await network.exchange(2).respond(with: .json("{}"))
        await resource.loadRequests.first?.completion()
        #expect(overlay.isHidden)
    }

    @Test func `A failure is announced to screen readers if the overlay is in a window`() async {
        service.resource("/a").addObserver(overlay)
        let before = Screen.announcements.count
        await fail("/a")
        #expect(Screen.announcements.count == before)
        await succeed("/a")
        let window = Screen.show(overlay)
        await fail("/a")
        #expect(Screen.announcements.dropFirst(before).first?.hasPrefix("Could not load") == true)
        withExtendedLifetime(window) {}
    }

    @Test func `An overlay that stops to observe a failed resource shows nothing of it`() async {
        let resource = service.resource("/a").addObserver(overlay)
        await fail("/a")
        resource.removeObservers(ownedBy: overlay)
        #expect(overlay.isHidden)
        #expect(overlay.errorDetail?.words == "")
        await fail("/a")
        #expect(overlay.isHidden)
    }

    @Test func `Data stays visible if the priority puts it first`() async {
        overlay.displayPriority = [.anyData, .loading, .error]
        service.resource("/a").addObserver(overlay)
        await succeed("/a")
        await fail("/a")
        #expect(overlay.isHidden)
        overlay.displayPriority = [.error]
        #expect(!overlay.isHidden)
    }

    @Test func `A tracked request counts as a manual load`() async {
        overlay.displayPriority = [.manualLoading, .anyData, .error, .loading]
        let resource = service.resource("/a").addObserver(overlay)
        await succeed("/a")
        network.answer(.get, "/a", with: .held)
        let load = resource.load()
        #expect(overlay.isHidden)
        overlay.trackManualLoad(load)
        #expect(!overlay.isHidden)
        load.cancel()
        await load.completion()
        #expect(overlay.isHidden)
    }

    @Test func `An embedded overlay covers the view of a controller, and follows its size`() {
        let controller = SystemController()
        controller.view.frame = CGRect(x: 0, y: 0, width: 300, height: 200)
        #if canImport(UIKit)
        controller.view.backgroundColor = .label
        #endif
        let result = overlay.embed(in: controller)
        #expect(result === overlay)
        #expect(controller.view.subviews.last === overlay)
        #expect(overlay.frame == CGRect(x: 0, y: 0, width: 300, height: 200))
        controller.view.frame.size = CGSize(width: 500, height: 400)
        controller.view.layOut()
        #expect(overlay.frame.size == CGSize(width: 500, height: 400))
        #expect(overlay.containerView?.frame.size == overlay.frame.size)
        #if canImport(UIKit)
        #expect(overlay.backgroundColor?.name == "label")
        #expect(overlay.layer.zPosition > 0)
        #else
        #expect((overlay.layer?.zPosition ?? 0) > 0)
        #endif
    }

    @Test func `An overlay can cover a view elsewhere in the hierarchy`() {
        let root = SystemView(frame: CGRect(x: 0, y: 0, width: 400, height: 300))
        let left = SystemView(frame: CGRect(x: 10, y: 20, width: 100, height: 100))
        let right = SystemView(frame: CGRect(x: 200, y: 50, width: 150, height: 120))
        let inner = SystemView(frame: CGRect(x: 5, y: 6, width: 70, height: 80))
        root.addSubview(left)
        root.addSubview(right)
        right.addSubview(inner)
        left.addSubview(overlay)
        overlay.positionToCover(inner)
        #expect(overlay.frame == CGRect(x: 195, y: 36, width: 70, height: 80))
        overlay.positionToCover(CGRect(x: 1, y: 2, width: 3, height: 4), inView: root)
        #expect(overlay.frame == CGRect(x: -9, y: -18, width: 3, height: 4))
        overlay.positionToCoverParent()
        #expect(overlay.frame == left.bounds)
    }

    @Test func `A nib replaces the layout, and its outlets are used`() async {
        let (container, label) = (SystemView(), SystemLabel())
        let button = SystemButton()
        Screen.register(nib: "MyOverlay") { owner in
            let owner = owner as? ResourceStatusOverlay
            container.addSubview(label)
            container.addSubview(button)
            owner?.containerView = container
            owner?.errorDetail = label
            owner?.retryButton = button
            return [container]
        }
        overlay.frame = CGRect(x: 0, y: 0, width: 300, height: 200)
        overlay.load(fromNib: "MyOverlay")
        #expect(overlay.isHidden)
        #expect(overlay.subviews == [container])
        #expect(container.frame.size == overlay.frame.size)
        let resource = service.resource("/a").addObserver(overlay)
        await fail("/a")
        #expect(!container.isHidden)
        #expect(label.words == resource.latestError?.userMessage)
        button.press()
        #expect(network.requests.count == 2)
    }

    @Test func `A button that is connected without a layout of the library loads again`() async {
        let overlay = ResourceStatusOverlay(frame: .zero)
        let button = SystemButton()
        overlay.addSubview(button)
        overlay.retryButton = button
        service.resource("/a").addObserver(overlay)
        await fail("/a")
        button.press()
        #expect(network.requests.count == 2)
    }

    @Test func `A layout may have other words`() {
        let button = SystemButton()
        let overlay = ResourceStatusOverlay {
            $0.retryButton = button
            $0.model.words.retry = "Noch einmal"
        }
        #expect(button.words == "Noch einmal")
        withExtendedLifetime(overlay) {}
    }

    @Test func `A closure can make a layout with few outlets`() async {
        let overlay = ResourceStatusOverlay { overlay in
            let label = SystemLabel()
            overlay.addSubview(label)
            overlay.errorDetail = label
        }
        #expect(overlay.subviews.count == 1)
        let resource = service.resource("/a").addObserver(overlay)
        await fail("/a")
        #expect(!overlay.isHidden)
        #expect(overlay.errorDetail?.words == resource.latestError?.userMessage)
        overlay.retryFailedRequests()
        #expect(network.requests.count == 2)
    }

    @Test func `An overlay that nobody keeps is released while it observes`() async {
        weak var released: ResourceStatusOverlay?
        do {
            let overlay = ResourceStatusOverlay()
            service.resource("/a").addObserver(overlay)
            released = overlay
            await fail("/a")
        }
        #expect(released == nil)
    }

    @Test func `A failure that counts down is announced once`() async {
        let clock = TestClock()
        let (service, overlay) = clock.whileCurrent { [network] in
            (Service(baseURL: "https://api.test", networking: network), ResourceStatusOverlay())
        }
        service.resource("/a").addObserver(overlay)
        let window = Screen.show(overlay)
        let before = Screen.announcements.count
        network.answer(.get, "/a", with: .response(503, headers: ["Retry-After": "30"]))
        await service.resource("/a").load().completion()
        #expect(Screen.announcements.count == before + 1)
        for _ in 0..<3 { clock.advance(by: 1.5) }
        #expect(overlay.model.display.message?.countdown == "in 26 s")
        #expect(Screen.announcements.count == before + 1)
        withExtendedLifetime(window) {}
    }

    @Test func `A layout with only a detail label says that there is no network`() async {
        let overlay = ResourceStatusOverlay { overlay in
            let label = SystemLabel()
            overlay.addSubview(label)
            overlay.errorDetail = label
        }
        service.resource("/a").addObserver(overlay)
        network.answer(.get, "/a", with: .failure(.notConnectedToInternet))
        await service.resource("/a").load().completion()
        #expect(!overlay.isHidden)
        #expect(overlay.errorDetail?.words == "No network connection")
    }

    @Test func `Objective-C sets the priorities as strings`() {
        #expect(overlay.displayPriorityNames == ["loading", "error", "anyData"])
        overlay.displayPriorityNames = ["anyData", "unknown", "error"]
        #expect(overlay.displayPriority == [.anyData, .error])
    }
}
