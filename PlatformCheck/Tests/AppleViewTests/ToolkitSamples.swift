// The samples of the doc comments of the views for UIKit and AppKit.
import Foundation
import Siesta
import SiestaTesting
import SiestaUI
import TestKit
import Testing

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

@MainActor @Suite(.timeLimit(.test))
struct ToolkitSamples {
    private final class ProfileController: SystemController, ResourceObserver {
        func show(_ profile: Resource) -> ResourceStatusOverlay {
            let overlay = ResourceStatusOverlay().embed(in: self)
            profile.addObserver(self).addObserver(overlay)
            return overlay
        }

        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
    }

    private let network = StubNetwork()
    private let service: Service

    init() {
        service = Service(baseURL: "https://api.test", networking: network)
    }

    @Test func `An overlay that is embedded in a controller watches a resource`() {
        let profile = service.resource("/profile")
        let controller = ProfileController()
        let overlay = controller.show(profile)
        #expect(overlay.model.resources == [profile])
    }

    @Test func `A closure makes a layout`() {
        #if canImport(UIKit)
        let overlay = ResourceStatusOverlay { overlay in
            let label = UILabel()
            overlay.addSubview(label)
            overlay.errorDetail = label
        }
        #else
        let overlay = ResourceStatusOverlay { overlay in
            let label = NSTextField(labelWithString: "")
            overlay.addSubview(label)
            overlay.errorDetail = label
        }
        #endif
        #expect(overlay.errorDetail?.superview === overlay)
    }

    @Test func `An image view shows a placeholder until it has loaded an image`() {
        let user = (avatarURL: "https://images.test/a.png", name: "Ada")
        let placeholder = SystemImage(width: 1, height: 1)
        network.answer(.get, "/a.png", with: .held)
        let imageView = RemoteImageView(frame: .zero)
        imageView.imageService = service
        imageView.placeholderImage = placeholder
        imageView.imageURL = user.avatarURL
        #expect(imageView.image === placeholder)
    }

    @Test func `A bar follows a resource`() {
        let repositories = service.resource("/repositories")
        let bar = ResourceProgressBar(frame: .zero)
        bar.model.follow(repositories)
        #expect(bar.isHidden)
    }
}
