import Foundation
import Siesta
import SiestaTesting
import SiestaUI
@_spi(Fakes) import SwiftUI
import TestKit
import Testing
import Waiting

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

@MainActor @Suite(.serialized, .timeLimit(.test))
struct SwiftUIViewTests {
    private let clock = TestClock()
    private let network = StubNetwork()
    private let service: Service
    private let resource: Resource

    init() {
        service = clock.whileCurrent { [network] in Service(baseURL: "https://api.test", networking: network) }
        service.configureTransformer("/**") { (entity: Entity<String>) in entity.content }
        resource = service.resource("/a")
    }

    private func host(@ViewBuilder _ content: @escaping () -> some View) -> ViewHost {
        clock.whileCurrent { ViewHost(content) }
    }

    /// Waits until the view shows these texts.
    private func wait(for texts: [String], in host: ViewHost) async throws {
        try await Poll.until {
            host.update()
            return host.texts == texts
        }
    }

    private func respond(_ number: Int, _ text: String) async throws {
        try await network.exchange(number).respond(with: .text(text))
    }

    // MARK: ResourceView

    @Test func `A resource view loads when it appears, and shows the typed content`() async throws {
        network.answer(.get, "/a", with: .held)
        let host = host { ResourceView(resource) { (text: String) in Text(text) } }
        #expect(host.texts == [])
        clock.advance(by: 0.4)
        host.update()
        await mainQueueTurn()
        host.update()
        #expect(host.progress == [nil])
        try await respond(1, "Ada")
        clock.advance(by: 1)
        try await wait(for: ["Ada"], in: host)
        resource.overrideLocalContent(with: "Grace")
        try await wait(for: ["Grace"], in: host)
    }

    @Test func `A failure has a button that loads again`() async throws {
        network.answer(.get, "/a", with: .failure(.networkConnectionLost))
        let host = host { ResourceView(resource.typed(as: String.self)) { Text($0) } }
        try await Poll.until {
            host.update(); return host.texts.first == "Could not load"
        }
        #expect(host.texts.last == "Retry")
        #expect(host.texts.contains(try #require(resource.latestError?.userMessage)))
        network.answer(.get, "/a", with: .text("Ada"))
        #expect(host.press("Retry"))
        clock.advance(by: 1)
        try await Poll.until {
            clock.advance(by: 1); host.update(); return host.texts == ["Ada"]
        }
    }

    @Test func `Content stays visible under the banner of a later failure`() async throws {
        network.answer(.get, "/a", with: .text("Ada"), .failure(.networkConnectionLost))
        let host = host { ResourceView(resource.typed(as: String.self)) { Text($0) } }
        try await wait(for: ["Ada"], in: host)
        await resource.load().completion()
        try await Poll.until {
            host.update(); return host.texts.contains("Could not load")
        }
        #expect(host.texts.first == "Ada")
    }

    @Test func `Content of another type is a failure`() async throws {
        network.answer(.get, "/a", with: .text("Ada"))
        let host = host { ResourceView(resource.typed(as: Int.self)) { Text(String($0)) } }
        try await Poll.until {
            host.update(); return host.texts.first == "Could not load"
        }
    }

    @Test func `A view that goes ends its load, and nothing observes the resource any more`() async throws {
        network.answer(.get, "/a", with: .held)
        let host = host { ResourceView(resource.typed(as: String.self)) { Text($0) } }
        let exchange = try await network.exchange(1)
        host.close()
        #expect(!exchange.isCancelled)
        clock.advance(by: 0.1)
        try await Poll.until { exchange.isCancelled }
    }

    @Test func `A status overlay with other resources loads these, and drops the old ones`() async throws {
        network.answer(.get, "/a", with: .held)
        network.answer(.get, "/b", with: .held)
        var shown = [resource]
        let host = host {
            Text("content").statusOverlay(for: shown) { display, _ in Text(display.isEmpty ? "" : "busy") }
        }
        let first = try await network.exchange(1)
        shown = [service.resource("/b")]
        host.replaceContent()
        let second = try await network.exchange(2)
        clock.advance(by: 0.1)
        try await Poll.until { first.isCancelled }
        #expect(!second.isCancelled)
    }

    @Test func `A cover hides the content`() async throws {
        network.answer(.get, "/a", with: .failure(.networkConnectionLost))
        let host = host { Text("content").statusOverlay(for: resource) }
        #expect(host.texts == ["content"])
        try await Poll.until {
            host.update(); return host.texts.first == "Could not load"
        }
        #expect(!host.texts.contains("content"))
    }

    // MARK: Refreshing

    @Test func `Pulling down loads fresh data again, and waits for it`() async throws {
        network.answer(.get, "/a", with: .text("Ada"), .text("Grace"))
        let host = host { ResourceView(resource.typed(as: String.self)) { Text($0) }.refreshable(resource) }
        try await wait(for: ["Ada"], in: host)
        #expect(await host.refresh())
        #expect(resource.text == "Grace")
        #expect(network.requests.count == 2)
    }

    @Test func `A refresh that is cancelled ends, and ends its load if nothing observes the resource`() async throws {
        network.answer(.get, "/a", with: .held)
        let host = host { Text("list").refreshable(resource) }
        let refresh = Task { await host.refresh() }
        let exchange = try await network.exchange(1)
        refresh.cancel()
        _ = await refresh.value
        try await Poll.until { exchange.isCancelled }
    }

    // MARK: Progress

    @Test func `A progress view shows the progress of loads without observing the resource`() async throws {
        network.answer(.get, "/a", with: .held)
        let host = host { ProgressView(resource) }
        #expect(host.progress == [0])
        let load = resource.load()
        try await Poll.until {
            host.update(); return host.progress == [nil]
        }
        resource.cancelLoadIfUnobserved()
        await load.completion()
        try await Poll.until {
            host.update(); return host.progress == [0]
        }
        resource.overrideLocalContent(with: "Ada")
        try await Poll.until {
            host.update(); return host.progress == [1]
        }
    }

    // MARK: ResourceState

    private struct Profile: View {
        @ResourceState var name: String?

        init(_ resource: Resource) {
            _name = ResourceState(resource)
        }

        var body: some View {
            Text(name ?? "nobody")
            if $name.isLoading { Text("loading") }
        }
    }

    @Test func `A resource state loads when the view is shown, and follows the content`() async throws {
        network.answer(.get, "/a", with: .held)
        let host = host { Profile(resource) }
        #expect(host.texts == ["nobody"])
        try await wait(for: ["nobody", "loading"], in: host)
        try await respond(1, "Ada")
        try await wait(for: ["Ada"], in: host)
        resource.overrideLocalContent(with: "Grace")
        try await wait(for: ["Grace"], in: host)
        #expect(network.requests.count == 1)
    }

    @Test func `A resource state keeps its resource in memory until the view goes`() async throws {
        network.answer(.get, "/a/1", with: .text("Ada"))
        let host = host { [service] in Profile(service.resource("/a/1")) }
        try await wait(for: ["Ada"], in: host)
        service.flushUnusedResources()
        #expect(service.resource("/a/1").latestData != nil)
        host.close()
        try await Poll.until {
            clock.advance(by: 0.1)
            service.flushUnusedResources()
            return service.resource("/a/1").latestData == nil
        }
    }

    @Test func `A resource state ends its load when the view goes`() async throws {
        network.answer(.get, "/a", with: .held)
        var isShown = true
        let resource = resource
        let host = host { if isShown { Profile(resource) } }
        let exchange = try await network.exchange(1)
        isShown = false
        host.replaceContent()
        #expect(host.texts == [])
        try await Poll.until {
            clock.advance(by: 0.1)
            return exchange.isCancelled
        }
    }

    @Test func `A resource state with another resource follows that one`() async throws {
        network.answer(.get, "/a", with: .held)
        network.answer(.get, "/b", with: .text("Grace"))
        var shown = resource
        let host = host { Profile(shown) }
        let first = try await network.exchange(1)
        shown = service.resource("/b")
        host.replaceContent()
        try await wait(for: ["Grace"], in: host)
        clock.advance(by: 0.1)
        try await Poll.until { first.isCancelled }
    }

    // MARK: RemoteImage

    @Test func `A remote image loads when it appears, and is decoded in the size of the view`() async throws {
        let images = Service(baseURL: "https://images.test", standardTransformers: [], networking: network)
        let store = ImageStore(decoder: ImageIODecoder())
        network.answer(.get, "/a.png", with: .held)
        let host = ViewHost {
            RemoteImage(url: URL(string: "https://images.test/a.png"), service: images, store: store)
        }
        try await Poll.until {
            host.update(); return host.progress == [nil]
        }
        try await network.exchange(1).respond(with: .text("1000x500"))
        try await Poll.until {
            host.update(); return host.images.count == 1
        }
        // Views of the stand-in have 100 by 100 points, and 200 by 200 pixels.
        #expect((host.images[0] as? SystemImage)?.size == CGSize(width: 200, height: 100))
        #expect(store.statistics.decodes == 1)
        let second = ViewHost {
            RemoteImage(url: URL(string: "https://images.test/a.png"), service: images, store: store)
        }
        second.update()
        try await Poll.until {
            second.update(); return second.images.count == 1
        }
        #expect(store.statistics.decodes == 1)
        #expect(network.requests.count == 1)
    }

    @Test func `A remote image without a URL, or with one that fails, shows nothing`() async throws {
        let images = Service(baseURL: "https://images.test", standardTransformers: [], networking: network)
        network.answer(.get, "/a.png", with: .failure(.timedOut))
        let host = ViewHost {
            RemoteImage(url: nil, service: images)
            RemoteImage(url: URL(string: "https://images.test/a.png"), service: images) { phase in
                if case .failed = phase { Text("failed") }
            }
        }
        try await wait(for: ["failed"], in: host)
        #expect(host.images.isEmpty)
    }
}
