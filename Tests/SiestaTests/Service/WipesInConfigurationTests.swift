import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

/// Wipes by URL predicates and configurers, while the caches of the wiped resources are not known yet.
@MainActor @Suite(.timeLimit(.test))
struct WipesInConfigurationTests {
    /// The code of a configuration that wipes resources.
    enum Place: CaseIterable {
        case predicate, configurer
    }

    private let network = StubNetwork()
    private let cache = InMemoryCache()
    private let service: Service
    private let first: Resource
    private let second: Resource

    init() {
        let cache = cache
        service = Service(baseURL: "http://wiped.test", networking: network)
        service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        (first, second) = (service.resource("/first"), service.resource("/second"))
    }

    private func store() async {
        network.handler = { _ in .text("stored") }
        for resource in [first, second] {
            await resource.load().completion()
            await resource.cachesAreWritten()
        }
    }

    /// Adds a rule whose code calls `action`.
    private func configure(_ place: Place, _ action: @escaping () -> Void) {
        service.configure(whenURLMatches: { _ in
            if place == .predicate { action() }
            return true
        }) { _ in
            if place == .configurer { action() }
        }
    }

    private func wipe() {
        service.wipeResources(includingCaches: true) { _ in true }
    }

    @Test(arguments: Place.allCases)
    func `A wipe also removes what the caches have`(_ place: Place) async {
        await store()
        #expect(cache.entities.count == 2)
        var isDone = false
        configure(place) {
            guard !isDone else { return }
            isDone = true
            wipe()
        }
        _ = first.configuration
        await mainQueueTurn()
        for resource in [first, second] { await resource.cachesAreWritten() }
        #expect(cache.entities.isEmpty)
    }

    @Test(arguments: Place.allCases)
    func `A read of the caches after a wipe finds nothing`(_ place: Place) async {
        await store()
        var isDone = false
        configure(place) {
            guard !isDone else { return }
            isDone = true
            wipe()
        }
        _ = first.configuration
        for resource in [first, second] {
            #expect(resource.latestData == nil)
            await resource.cacheIsRead()
            #expect(resource.latestData == nil)
        }
    }

    @Test(arguments: Place.allCases)
    func `Code that wipes whenever it is called does not run forever`(_ place: Place) async {
        await store()
        var calls = 0
        configure(place) {
            calls += 1
            wipe()
        }
        _ = first.configuration
        for _ in 0..<5 { await mainQueueTurn() }
        for resource in [first, second] { await resource.cachesAreWritten() }
        #expect(cache.entities.isEmpty)
        #expect(calls < 10)
    }
}
