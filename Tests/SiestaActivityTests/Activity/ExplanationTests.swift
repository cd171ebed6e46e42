import Foundation
import SiestaActivity
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The explanation of a resource.
@MainActor @Suite(.timeLimit(.test))
struct ExplanationTests {
    private final class FeedScreen: ResourceObserver {
        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
    }

    private let network = StubNetwork()
    private let clock = TestClock()
    private let service: Service

    init() {
        let (network, clock) = (network, clock)
        service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
        service.configure("/users/*") { $0.expirationTime = 30 }
        network.answer(.get, "/users/1", with: .json("{}"), .failure(.timedOut))
    }

    @Test func `Fresh data is explained by its rule, its age and the observer for which it was loaded`() async throws {
        service.configure("/users/*", description: "people") { $0.expirationTime = 60 }
        let user = service.resource("/users/1")
        let screen = FeedScreen()
        user.addObserver(screen)
        await user.loadIfNeeded()?.completion()
        clock.advance(by: 16)
        let explanation = user.explain()
        #expect(explanation.lastLoad == .observer)
        #expect(explanation.next == .useData(seconds: 44))
        #expect(explanation.age == 16)
        #expect(explanation.source == .network)
        #expect(explanation.freshness.phase == .fresh)
        #expect(explanation.observers.count == 1)
        #expect(explanation.rule(for: "expirationTime")?.name == "people")
        #expect(
            explanation.description.contains(
                "fresh for 44 s more: expirationTime 60 s from rule “people”; loaded 16 s ago from the network because observer"
            ))
        #expect(explanation.description.contains("FeedScreen was added"))
    }

    @Test func `A resource that nobody has loaded says so`() {
        let explanation = service.resource("/users/1").explain()
        #expect(explanation.lastLoad == .none)
        #expect(explanation.next == .load)
        #expect(explanation.description.contains("no data; nobody has loaded it"))
        #expect(network.requests.isEmpty)
    }

    @Test func `Stale data, an invalidation and a running load are told apart`() async throws {
        network.answer(.get, "/users/1", with: .json("{}"), .held)
        let user = service.resource("/users/1")
        await user.load().completion()
        clock.advance(by: 40)
        #expect(user.explain().next == .load)
        #expect(user.explain().description.contains("stale for 10 s"))
        user.load()
        #expect(user.explain().next == .join)
        #expect(user.explain().isLoading)
        user.invalidate()
        #expect(user.explain().description.contains("stale: it was invalidated"))
    }

    @Test func `A failure holds the next load back`() async throws {
        network.answer(.get, "/users/1", with: .failure(.timedOut))
        let user = service.resource("/users/1")
        await user.load().completion()
        #expect(user.explain().next == .hold(seconds: 1))
        clock.advance(by: 2)
        #expect(user.explain().next == .load)
        #expect(user.explain().failureAge == 2)
        #expect(user.explain().description.contains("the last load failed 2 s ago"))
    }

    @Test func `Whatever the explanation predicts, loadIfNeeded() does`() async throws {
        network.handler = { _ in .json("{}") }
        for seconds in [0.0, 29, 30, 31, 3600] {
            let user = service.resource("/users/\(Int(seconds) + 2)")
            await user.load().completion()
            clock.advance(by: seconds)
            let predicted = user.explain().next == .load
            #expect((user.loadIfNeeded() != nil) == predicted, "\(seconds)")
        }
    }

    @Test func `Rules and caches are listed in order, with what they change`() {
        service.configure("/users/*", description: "second") {
            $0.retryTime = 5
            $0.headers["Authorization"] = "secret"
        }
        let cache = InMemoryCache()
        service.configure("/users/*", description: "third") { $0.pipeline[.model].cacheUsing(cache) }
        let explanation = service.resource("/users/1").explain()
        #expect(explanation.rules.suffix(2).map(\.name) == ["second", "third"])
        #expect(explanation.rule(for: "retryTime")?.options.contains { $0.value == "5 s" } ?? false)
        #expect(explanation.caches.map(\.stage) == ["model"])
        #expect(!explanation.description.contains("secret"))
    }

    @Test func `A confirmation after a failure holds the next load back from then on`() async throws {
        service.configure("/users/*") {
            $0.freshness = .http
            $0.retryTime = 60
        }
        let fields = ["Cache-Control": "max-age=1000", "ETag": "\"1\""]
        network.answer(.get, "/users/1", with: .text("Ada", headers: fields), .failure(.timedOut))
        network.answer(.head, "/users/1", with: .response(200, headers: fields))
        let user = service.resource("/users/1")
        await user.load().completion()
        await user.load().completion()
        clock.advance(by: 30)
        await user.request(.head).completion()
        clock.advance(by: 40)
        #expect(user.explain().next == .hold(seconds: 20))
        #expect(user.loadIfNeeded() == nil)
        clock.advance(by: 21)
        #expect(user.explain().next == .load)
        #expect(user.loadIfNeeded() != nil)
    }
}
