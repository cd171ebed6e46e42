import CacheTorture
import Dispatch
import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCaches

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Random schedules of all operations that can be in progress when a service is wiped together with its caches.
@MainActor @Suite(.timeLimit(.model))
struct WipeSchedulesTests {
    @Test(arguments: 0..<10)
    func `Nothing that was requested before a wipe with caches is shown or stored after it, whatever was under way`(
        block: Int
    ) async throws {
        let count = TestLevel.count(10, nightly: 100, soak: 1_000)
        for seed in TestSeed.cases(10 * count).dropFirst(block * count).prefix(count) {
            let schedule = WipeSchedule(seed: seed)
            try await schedule.run()
            guard schedule.violations.isEmpty else {
                Issue.record("Schedule \(seed): \(schedule.violations)\n\(schedule.steps.joined(separator: "\n"))")
                return
            }
        }
    }
}

/// One schedule: random steps, the wipe, more random steps, and then the end of all operations that were held up.
@MainActor
private final class WipeSchedule {
    private(set) var violations: [String] = []
    private(set) var steps: [String] = []

    private var random: SeededGenerator
    private let clock = TestClock()
    private let network = StubNetwork()
    private let slow: SlowCache
    private let store = RecordingStore()
    private let hiddenStore = RecordingStore()
    private let session = WipeSession()
    private var service: Service?
    private var held: [Resource] = []
    private var observers: [AnyObject] = []
    private var isHeld = false

    /// A request, and a flag that is true if it was made before the wipe.
    private struct Made {
        let request: any Request
        let isOld: Bool
        /// True if the app determines the result: the result may then contain the response to an old request.
        var isChain = false
    }

    private var made: [Made] = []
    private static let paths = ["/0", "/1", "/2", "/partial/0", "/partial/1"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        slow = SlowCache(session)
        let (network, session) = (network, session)
        network.handler = { _ in .held }
        let service = clock.whileCurrent {
            Service(baseURL: "http://h.test", standardTransformers: [.text], networking: network)
        }
        let (slow, cache, hidden) = (slow, PersistentCache(store), PersistentCache(hiddenStore).of(String.self))
        service.configure {
            $0.pipeline[.rawData].cacheUsing(cache)
            $0.pipeline[.model].cacheUsing(slow)
            $0.headers["X-Made"] = session.epoch
            $0.mutateRequests { request in
                MainActor.assumeIsolated {
                    if request.value(forHTTPHeaderField: "X-Tag") == nil {
                        request.setValue(session.epoch, forHTTPHeaderField: "X-Tag")
                    }
                }
            }
        }
        service.configure("/other") { $0.pipeline.order = [] }
        service.configure("/partial/*") {
            guard !$0.pipeline.order.isEmpty else { return }
            $0.pipeline.order = [.rawData, .parsing, .cleanup]
            $0.pipeline[.cleanup].cacheUsing(hidden)
        }
        self.service = service
    }

    func run() async throws {
        for _ in 0..<Int.random(in: 1...10, using: &random) { await step(isOld: true) }
        await wipe()
        for _ in 0..<Int.random(in: 0...8, using: &random) { await step(isOld: false) }
        try await drain()
    }

    private func violate(_ what: String) { violations.append(what) }

    private func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    private var resource: Resource? {
        guard let path = Self.paths.randomElement(using: &random) else { return nil }
        return service?.resource(path) ?? pick(held)
    }

    // MARK: Steps

    private func step(isOld: Bool) async {
        clock.advance(by: 1)
        let kind = Int.random(in: 0..<19, using: &random)
        steps.append("\(isOld ? "old" : "new") \(kind)")
        switch kind {
        case 0...5: request(kind, isOld)
        case 6: await respond()
        case 7: await respond()
        case 8: holdOrRelease()
        case 9: await mainQueueTurn()
        case 10: resource.map { held.append($0) }
        case 11: observe()
        case 12: _ = resource?.latestData
        case 13: letGo()
        case 14: service?.invalidateConfiguration()
        case 15: session.user = session.user == "ada" ? "bob" : "ada"
        case 16: load(using: pick(made))
        case 17: pick(made)?.request.start()
        default: finishSomeWork()
        }
    }

    private func request(_ kind: Int, _ isOld: Bool) {
        guard let resource else { return }
        let request: any Request
        var isChain = false
        switch kind {
        case 0: request = resource.load()
        case 1:
            guard let load = resource.loadIfNeeded() else { return }
            request = load
        case 2:
            let tag = session.epoch
            request = resource.request(.get) { $0.setValue(tag, forHTTPHeaderField: "X-Tag") }
        case 3, 4:
            guard let original = pick(made.filter { $0.isOld == isOld }) else { return }
            request = kind == 3 ? original.request.repeated() : original.request.repeated().start()
            isChain = original.isChain
        default:
            guard let original = pick(made) else { return }
            let next = Bool.random(using: &random) ? pick(made)?.request : nil
            request = original.request.chained { _ in next.map { .passTo($0) } ?? .useThisResponse }
            let isOld = original.isOld || isOld || next != nil && made.contains { $0.request === next && $0.isOld }
            return made.append(Made(request: request, isOld: isOld, isChain: true))
        }
        guard !made.contains(where: { $0.request === request }) else { return }
        made.append(Made(request: request, isOld: isOld, isChain: isChain))
        if isOld, !isChain {
            request.onSuccess { [unowned self] entity in
                if session.isWiped, entity.text.hasPrefix("old") { violate("a hook gets \(entity.text)") }
            }
        }
    }

    private func respond() async {
        guard let exchange = pick(network.exchanges.filter { !$0.isCompleted }) else { return }
        respond(exchange)
        if Bool.random(using: &random) { for _ in 0..<3 { await mainQueueTurn() } }
    }

    private func respond(_ exchange: StubExchange) {
        let tag = exchange.request.value(forHTTPHeaderField: "X-Tag") ?? "none"
        if exchange.request.value(forHTTPHeaderField: "If-None-Match") != nil, Bool.random(using: &random) {
            return exchange.respond(with: .notModified)
        }
        exchange.respond(with: .text("\(tag) \(clock.wallTime)", headers: ["ETag": "\(clock.wallTime)"]))
    }

    private func holdOrRelease() {
        isHeld ? release() : hold()
    }

    private func hold() {
        isHeld = true
        slow.workQueue.suspend()
        store.hold()
        hiddenStore.hold()
    }

    private func release() {
        guard isHeld else { return }
        isHeld = false
        slow.workQueue.resume()
        store.release()
        hiddenStore.release()
    }

    private func observe() {
        guard let resource else { return }
        let owner = WipeOwner()
        if Bool.random(using: &random) { observers.append(owner) }
        resource.addObserver(owner: owner) { [unowned self] resource, _ in
            if session.isWiped { check(resource, "an observer is shown") }
        }
    }

    /// Drops resources, and sometimes the service.
    private func letGo() {
        if Bool.random(using: &random) { held = [] }
        service?.flushUnusedResources()
        if Int.random(in: 0..<4, using: &random) == 0, !held.isEmpty, !session.isWiped { service = nil }
    }

    private func load(using made: Made?) {
        guard let made, let resource else { return }
        resource.load(using: made.request)
    }

    /// Completes one piece of work of the slow cache.
    private func finishSomeWork() {
        guard isHeld else { return }
        slow.workQueue.resume()
        slow.workQueue.suspend()
    }

    // MARK: The wipe and its effects

    private func wipe() async {
        clock.advance(by: 1)
        if service == nil { service = held.first?.service }
        if Int.random(in: 0..<3, using: &random) == 0 { session.user = "bob" }
        session.epoch = "new"
        steps.append("wipe")
        service?.wipeResources(includingCaches: true)
        session.isWiped = true
        slow.noteWipe()
        for resource in held { check(resource, "a resource still shows") }
        for path in Self.paths { _ = service?.resource(path).latestData }
    }

    private func check(_ resource: Resource, _ what: String) {
        if let text = resource.latestData?.text, text.hasPrefix("old") { violate("\(what) \(text) of \(resource)") }
        if resource.latestError?.isCancellation == false { violate("\(what) \(resource.latestError as Any)") }
    }

    private func drain() async throws {
        release()
        let clock = clock
        network.handler = { .text("\($0.value(forHTTPHeaderField: "X-Tag") ?? "none") \(clock.wallTime)") }
        for exchange in network.exchanges where !exchange.isCompleted { respond(exchange) }
        for made in made where made.request.state != .notStarted { await made.request.completion() }
        for made in made where made.isOld && made.request.state == .notStarted {
            made.request.start()
            await made.request.completion()
        }
        for user in ["ada", "bob"] {
            session.user = user
            try await settle()
            service?.flushUnusedResources()
            for path in Self.paths {
                guard let resource = service?.resource(path) else { continue }
                _ = resource.latestData
                await resource.cacheIsRead()
                check(resource, "\(user) is shown from a cache")
            }
            for resource in held { check(resource, "after all a resource shows") }
        }
        try await settle()
        for text in slow.oldWrites { violate("the app's cache has \(text)") }
        for store in [store, hiddenStore] {
            let records = try await store.records.read(try await store.allKeys()).values
            for record in records where record.range(of: Data("old ".utf8)) != nil {
                violate("a store has an old record")
            }
        }
    }

    /// Waits until all operations are complete. Each piece of work may lead to another one.
    private func settle() async throws {
        for _ in 0..<12 {
            await withCheckedContinuation { continuation in slow.workQueue.async { continuation.resume() } }
            await mainQueueTurn()
        }
        for cache in [store, hiddenStore] { _ = cache }
        for storage in service?.caches ?? [] { try await storage.flush() }
        await mainQueueTurn()
    }
}

/// The user who is logged in, and flags for the time before and after the wipe.
@MainActor
private final class WipeSession: Sendable {
    var user = "ada"
    var epoch = "old"
    var isWiped = false
}

private final class WipeOwner {}

/// A cache of an app. Its keys contain the user, and its queue can be held up.
private final class SlowCache: EntityCache {
    private struct Contents: Sendable {
        var entities: [String: UncheckedSendable<Entity<Any>>] = [:]
        var isWiped = false
        var writtenSince: Set<String> = []
    }

    let workQueue = DispatchQueue(label: "slow cache")
    private let session: WipeSession
    private let contents = Locked(Contents())

    init(_ session: WipeSession) { self.session = session }

    func noteWipe() { contents.withLock { $0.isWiped = true } }

    /// The entities that the cache has, that were written after the wipe, and that were requested before it.
    var oldWrites: [String] {
        contents.withLock { contents in
            contents.writtenSince.compactMap { contents.entities[$0]?.value.text }.filter { $0.hasPrefix("old") }
        }
    }

    func key(for resource: Resource) -> String? { session.user + resource.url.path }

    func readEntity(forKey key: String) -> Entity<Any>? { contents.withLock { $0.entities[key] }?.value }

    func writeEntity(_ entity: Entity<Any>, forKey key: String) {
        let entity = UncheckedSendable(entity)
        contents.withLock { contents in
            contents.entities[key] = entity
            if contents.isWiped { contents.writtenSince.insert(key) }
        }
    }

    func removeEntity(forKey key: String) { contents.withLock { $0.entities[key] = nil } }
}
