import Foundation
import Isolation
import Observation
import SiestaCore
import SiestaLists
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The content of the previous resource is shown until the next one has content.
@MainActor @Suite(.timeLimit(.test))
struct ResourceSwitcherTests {
    private let stub = StubbedResource()
    private let owner = Owner()
    private let switcher = ResourceSwitcher<String>()

    private func text(_ name: String, _ content: String? = nil) -> TypedResource<String> {
        let resource = stub.service.resource(name, as: String.self)
        if let content { resource.content = content }
        return resource
    }

    private var shown: String { (switcher.content ?? "nothing") + (switcher.isPrevious ? " (previous)" : "") }

    @Test func `The previous content stays until the next resource has content`() {
        switcher.resource = text("a", "A")
        #expect(shown == "A")
        let next = text("b")
        switcher.resource = next
        #expect(shown == "A (previous)")
        #expect(switcher.state.source == text("a"))
        #expect(switcher.resource == next)
        next.content = "B"
        #expect(shown == "B")
        #expect(switcher.state.source == next)
    }

    @Test func `An observer that is told of a wipe before the switcher sees no wiped content`() {
        let before = text("before", "1")
        switcher.resource = text("a", "A")
        var seen: [String] = []
        for other in [before, text("after", "2")] {
            other.resource.addObserver(owner: owner) { _, event in
                if event == .newData(.wipe) { seen.append(shown) }
            }
        }
        stub.service.wipeResources()
        #expect(seen == ["nothing", "nothing"])
    }

    @Test func `An observer that is added during a wipe sees no wiped content`() {
        let before = text("before", "1")
        switcher.resource = text("a", "A")
        var seen: [String] = []
        before.resource.addObserver(owner: owner) { [switcher, owner] _, event in
            guard event == .newData(.wipe) else { return }
            switcher.addObserver(owner: owner) { seen.append($1.content ?? "nothing") }
        }
        stub.service.wipeResources()
        #expect(!seen.isEmpty)
        #expect(!seen.contains("A"))
    }

    @Test func `A resource with content is shown at once`() {
        switcher.resource = text("a", "A")
        switcher.resource = text("b", "B")
        #expect(shown == "B")
    }

    @Test func `After several switches, the content that was shown last stays`() {
        switcher.resource = text("a", "A")
        switcher.resource = text("b")
        switcher.resource = text("c")
        #expect(shown == "A (previous)")
        text("b").content = "B"
        #expect(shown == "A (previous)")
        text("c").content = "C"
        #expect(shown == "C")
    }

    @Test func `Back to the resource whose content is still shown`() {
        switcher.resource = text("a", "A")
        switcher.resource = text("b")
        switcher.resource = text("a")
        #expect(shown == "A")
    }

    @Test func `An error of the next resource ends the previous content`() async {
        switcher.resource = text("a", "A")
        stub.network.answer(.get, "/b", with: .response(500), .text("B"))
        switcher.resource = text("b")
        let load = switcher.loadIfNeeded()
        #expect(shown == "A (previous)")
        #expect(switcher.state.current?.isLoading == true)
        await load?.completion()
        #expect(shown == "nothing")
        #expect(switcher.state.current?.error != nil)
        await text("b").resource.load().completion()
        #expect(shown == "B")
    }

    @Test func `Without a resource, nothing is shown`() {
        switcher.resource = text("a", "A")
        switcher.resource = nil
        #expect(shown == "nothing")
        #expect(switcher.loadIfNeeded() == nil)
        switcher.resource = text("b")
        #expect(shown == "nothing")
    }

    @Test(arguments: [true, false])
    func `A wipe removes the previous content`(_ isWipeOfAll: Bool) {
        switcher.resource = text("a", "A")
        switcher.resource = text("b")
        if isWipeOfAll { stub.service.wipeResources(includingCaches: true) } else { text("a").wipe() }
        #expect(shown == "nothing")
        text("a").content = "of the next user"
        #expect(shown == "nothing")
    }

    @Test func `A placeholder of the next resource is content, and that of the previous one is not`() {
        switcher.resource = text("a", "A")
        text("b").placeholder = "b?"
        switcher.resource = text("b")
        #expect(shown == "b?")
        #expect(switcher.state.current?.isPlaceholder == true)
        switcher.resource = text("c")
        #expect(shown == "nothing")
    }

    @Test func `Only the resources whose content is shown are observed`() {
        weak var a: Resource?
        do {
            let first = text("a", "A")
            a = first.resource
            switcher.resource = first
        }
        switcher.resource = text("b")
        stub.service.flushUnusedResources()
        #expect(a != nil)
        text("b").content = "B"
        stub.service.flushUnusedResources()
        #expect(a == nil)
    }

    @Test func `Closures, loops and Observation are told`() async throws {
        var seen: [String] = []
        switcher.addObserver(owner: owner) { seen.append(($1.content ?? "-") + ($1.isPrevious ? "?" : "")) }
        var states = switcher.states.makeAsyncIterator()
        #expect(try await states.next()?.content == nil)
        let changes = Locked(0)
        withObservationTracking {
            _ = switcher.state
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        switcher.resource = text("a", "A")
        switcher.resource = text("b")
        #expect(changes.withLock { $0 } == 1)
        #expect(try await states.next()?.isPrevious == true)
        switcher.removeObservers(ownedBy: owner)
        text("b").content = "B"
        #expect(try await states.next()?.content == "B")
        #expect(seen == ["-", "A", "A?"])
    }

    @Test func `Code that tracks the state may switch again before the change`() {
        switcher.resource = text("a", "A")
        let (c, switcher) = (text("c", "C"), switcher)
        withObservationTracking {
            _ = switcher.state
        } onChange: {
            MainActor.assumeIsolated { switcher.resource = c }
        }
        switcher.resource = text("b", "B")
        #expect(shown == "C")
        #expect(switcher.resource == c)
    }

    @Test func `A new placeholder is shown at once`() {
        switcher.resource = text("a")
        var seen: [String] = []
        switcher.addObserver(owner: owner) { seen.append($1.content ?? "-") }
        text("a").placeholder = "a?"
        #expect(shown == "a?")
        #expect(seen == ["-", "a?"])
    }

    @Test func `The state shows that the load waits for its next attempt`() async throws {
        stub.service.configure { $0.retry = .standard }
        stub.network.answer(.get, "/a", with: .response(503))
        switcher.resource = text("a")
        switcher.loadIfNeeded()
        try await stub.clock.waitForTimers(1)
        #expect(switcher.state.current?.retry != nil)
        text("a").resource.cancelLoadIfUnobserved()
    }

    @Test func `The state shows the progress of the load`() async throws {
        let (first, owner) = (text("a"), owner)
        var progress: [Double?] = []
        first.resource.addObserver(owner: owner) { _, _ in }
        stub.network.answer(.get, "/a", with: .held)
        switcher.resource = first
        switcher.addObserver(owner: owner) { progress.append($1.current?.progress) }
        switcher.loadIfNeeded()
        progress = []
        let exchange = try stub.exchange(0)
        exchange.transferMetrics.responseBytesTotal = 100
        exchange.transferMetrics.responseBytesReceived = 90
        for _ in 0..<10 {
            stub.clock.advance(by: 1)
            await mainQueueTurn()
        }
        #expect(progress.contains { $0.map { $0 > 0 && $0 < 1 } ?? false })
        exchange.respond(with: .text("A"))
    }

    @Test func `Switching to the current resource changes nothing`() {
        switcher.resource = text("a", "A")
        var count = 0
        switcher.addObserver(owner: owner) { _, _ in count += 1 }
        switcher.resource = text("a")
        #expect(count == 1)
    }

    @Test func `An observer may switch again`() {
        let (b, c) = (text("b"), text("c", "C"))
        switcher.addObserver(owner: owner) { switcher, state in
            if state.isPrevious { switcher.resource = c }
        }
        switcher.resource = text("a", "A")
        switcher.resource = b
        #expect(shown == "C")
        #expect(switcher.resource == c)
    }

    @Test func `If an observer switches again, all observers receive all states in order`() {
        let c = text("c", "C")
        var seen: [String] = []
        switcher.addObserver(owner: owner) { switcher, state in
            if state.isPrevious { switcher.resource = c }
        }
        switcher.addObserver(owner: owner) { seen.append(($1.content ?? "-") + ($1.isPrevious ? "?" : "")) }
        switcher.resource = text("a", "A")
        switcher.resource = text("b")
        #expect(seen == ["-", "A", "A?", "C"])
    }

    @Test func `A cache key that switches again while the next resource is observed`() {
        let cache = SwitchingCache()
        stub.service.configure("/b") { $0.pipeline[.cleanup].cacheUsing(cache) }
        let c = text("c", "C")
        SwitchingCache.action = { [switcher] in switcher.resource = c }
        defer { SwitchingCache.action = nil }
        var seen: [String] = []
        weak var a: Resource?
        do {
            let first = text("a", "A")
            a = first.resource
            switcher.resource = first
        }
        switcher.addObserver(owner: owner) { seen.append($1.content ?? "-") }
        switcher.resource = text("b")
        #expect(shown == "C")
        #expect(switcher.resource == c)
        #expect(seen == ["A", "C"])
        // The switcher does not observe the resource that it showed before.
        stub.service.flushUnusedResources()
        #expect(a == nil)
    }

    @Test func `An observer that is told after another one has wiped the content does not see it`() {
        var seen: [String] = []
        switcher.addObserver(owner: owner) { [stub] in if $1.content == "A" { stub.service.wipeResources() } }
        switcher.addObserver(owner: owner) { seen.append($1.content ?? "nothing") }
        switcher.resource = text("a", "A")
        #expect(!seen.isEmpty)
        #expect(!seen.contains("A"))
    }
}

/// A cache that calls code of the test when a key is needed.
private struct SwitchingCache: EntityCache {
    @MainActor static var action: (() -> Void)?

    @MainActor func key(for resource: Resource) -> String? {
        Self.action?()
        return nil
    }

    func readEntity(forKey key: String) -> Entity<Any>? { nil }
    func writeEntity(_ entity: Entity<Any>, forKey key: String) {}
    func removeEntity(forKey key: String) {}
    func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: String) {}
}
