import Foundation
import Observation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Observers, hooks and resolvers of an app that call the library.
@MainActor
@Suite(.timeLimit(.test))
struct ChangeReentrancyTests {
    private let stub = StubbedUser()
    private var user: TypedResource<User> { stub.user }

    private final class Reacting: ResourceObserver {
        var react: ((ResourceEvent) -> Void)?

        func resourceChanged(_ resource: Resource, event: ResourceEvent) { react?(event) }
    }

    @Test("An observer that cancels each change it is told of leaves no change")
    func cancellingObserver() async throws {
        try await stub.load()
        stub.hold(.patch)
        let (resource, observer) = (user.resource, Reacting())
        observer.react = { _ in resource.pendingChanges.last?.cancel() }
        resource.addObserver(observer)
        let changes = (0..<3).map { _ in user.mutate(.patch) { $0.stars += 1 } }
        #expect(changes.allSatisfy { $0.state == .failed })
        #expect(user.content == User())
        #expect(!resource.isOptimistic)
        observer.react = nil
    }

    @Test("What code sets that is told of a change is shown with the edits", arguments: ["seed", "override", "wipe"])
    func settingWhileAnnounced(way: String) async throws {
        try await stub.load()
        stub.hold(.patch)
        let (user, service) = (user, stub.service)
        user.mutate(.patch) { $0.stars += 1 }
        nonisolated(unsafe) var isFirst = true
        withObservationTracking {
            _ = user.resource.latestData
        } onChange: {
            MainActor.assumeIsolated {
                guard exchange(&isFirst, with: false) else { return }
                let entity = Entity<Any>(content: User(name: "Set", stars: 5), headers: [:])
                switch way {
                case "seed": service.seed(entity, for: user.resource)
                case "override": user.resource.overrideLocalData(with: entity)
                default: service.wipeResources(includingCaches: true)
                }
            }
        }
        if way == "override" {
            user.resource.overrideLocalData(with: Entity<Any>(content: User(name: "Outer", stars: 7), headers: [:]))
            #expect(user.content == User(name: "Outer", stars: 8))
        } else {
            stub.clock.advance(by: 1)
            try? await stub.load(User(name: "Loaded", stars: 7).json)
            #expect(user.content == (way == "wipe" ? nil : User(name: "Set", stars: 6)))
        }
        #expect(user.snapshot.content == user.content)
    }

    @Test("A wipe by code that is told of the result of a change removes the result", arguments: ["response", "edit"])
    func wipeWhileSettling(way: String) async throws {
        try await stub.load()
        stub.hold(.put)
        let (user, service) = (user, stub.service)
        var options = ChangeOptions()
        options.settlement = way == "edit" ? .edit : .response
        let change = user.mutate(.put, body: .encoded(User(stars: 1)), options: options) { $0.stars = 1 }
        let sent = try await stub.network.exchange(2)
        nonisolated(unsafe) var isFirst = true
        withObservationTracking {
            _ = user.resource.latestData
        } onChange: {
            MainActor.assumeIsolated {
                if exchange(&isFirst, with: false) { service.wipeResources(includingCaches: true) }
            }
        }
        sent.respond(with: User(stars: 1).json(etag: "\"2\""))
        _ = try? await change.value
        #expect(user.content == nil)
        #expect(user.snapshot.content == nil)
    }

    @Test("A hook of a wiped change may make a change, which is sent after the wipe, and alone")
    func changeInHookOfWipe() async throws {
        try await stub.load()
        stub.hold(.patch)
        let user = user
        var new: Change<User>?
        let first = user.mutate(.patch) { $0.stars += 1 }
        user.mutate(.patch) { $0.stars += 1 }
        first.request.onCompletion { _ in new = user.mutate(.patch, body: .data(Data("new".utf8))) { $0.stars += 1 } }
        stub.service.wipeResources()
        let sent = try await stub.network.exchange(3)
        #expect(sent.request.httpBody == Data("new".utf8))
        #expect(new?.state == .sending)
        sent.respond(with: .response(204))
        _ = try await new?.value
        #expect(user.content == nil)
        #expect(!user.resource.isOptimistic)
    }

    @Test("Observation and observers see a wipe of several changes as one change")
    func wipeIsOne() async throws {
        try await stub.load()
        stub.hold(.patch)
        for _ in 0..<3 { user.mutate(.patch) { $0.stars += 1 } }
        let (resource, observer) = (user.resource, Reacting())
        var counts: [Int] = []
        resource.addObserver(observer)
        observer.react = { _ in counts.append(resource.pendingChanges.count) }
        resource.wipe()
        #expect(counts.allSatisfy { $0 == 0 })
        #expect(counts.count == 2)
        observer.react = nil
    }

    @Test("An answer to a conflict after a wipe has no effect")
    func lateAnswer() async throws {
        try await stub.load()
        stub.hold(.put)
        var asked: CheckedContinuation<ConflictResolution<User>, Never>?
        let change = user.mutate(
            .put, edit: { $0.name = "Mine" }, resolve: { _ in await withCheckedContinuation { asked = $0 } })
        stub.network.answer(.get, "/users/1", with: User(name: "Theirs").json)
        try await stub.network.exchange(2).respond(with: .response(412))
        while asked == nil { await mainQueueTurn() }
        stub.service.wipeResources()
        asked?.resume(returning: .force)
        try await Poll.until { change.state == .failed }
        for _ in 0..<20 { await mainQueueTurn() }
        #expect(stub.network.requests.count == 3)
        #expect(user.content == nil)
    }

    @Test("Closures of an edit may call the library when they are released")
    func releaseOfEdit() async throws {
        final class Captured {
            let release: @MainActor @Sendable () -> Void

            init(_ release: @escaping @MainActor @Sendable () -> Void) {
                self.release = release
            }

            deinit { MainActor.assumeIsolated { [release] in release() } }
        }
        try await stub.load()
        stub.hold(.patch)
        let user = user
        var released = 0
        func change() -> Change<User> {
            let captured = Captured {
                released += 1
                _ = (user.snapshot.content, user.resource.pendingChanges)
                if released < 3 { user.mutate(.patch) { $0.stars += 1 } }
            }
            return user.mutate(.patch) { content in withExtendedLifetime(captured) { content.stars += 1 } }
        }
        var changes: [Change<User>] = [change(), change()]
        #expect(user.content?.stars == 2)
        for change in changes { change.cancel() }
        changes = []
        try await Poll.until { released == 2 }
        #expect(user.content?.stars == 2)
        user.resource.wipe()
        #expect(!user.resource.isOptimistic)
    }

    @Test("A change of a resource with an invalid URL fails, and its edit disappears")
    func invalidURL() async throws {
        let invalid: TypedResource<User> = stub.service.resource(absoluteURL: "http://[").typed()
        let change = invalid.mutate(.put, also: [invalid.replace(by: User())])
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(invalid.content == nil)
        #expect(!invalid.resource.isOptimistic)
    }

    @Test("A change continues although its service is released")
    func releasedService() async throws {
        let network = StubNetwork()
        network.handler = { _ in .held }
        var service: Service? = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        weak let weakService = service
        let thing: TypedResource<Data>? = service?.resource("/thing").typed()
        thing?.content = Data("a".utf8)
        let first = thing?.mutate(.put) { $0 += Data("b".utf8) }
        let second = thing?.mutate(.put) { $0 += Data("c".utf8) }
        service = nil
        try await network.exchange(1).respond(with: .response(204))
        _ = try await first?.value
        try await network.exchange(2).respond(with: .response(204))
        _ = try await second?.value
        #expect(thing?.content == Data("abc".utf8))
        _ = weakService
    }

    @Test("An edit whose result differs each time ends, and readers agree")
    func restlessEdit() async throws {
        try await stub.load()
        stub.hold(.patch)
        let user = user
        var count = 0
        let change = user.mutate(.patch) { content in
            count += 1
            content.stars = count
            user.resource.overrideLocalContent(with: User(name: "Override \(count)"))
        }
        #expect(user.content == user.snapshot.content)
        #expect(count < 100)
        change.cancel()
        #expect(user.content?.stars == 0)
        #expect(!user.resource.isOptimistic)
    }
    @Test("Changes that the app cancels one after the other are not sent meanwhile")
    func cancelAll() async throws {
        try await stub.load()
        stub.hold(.patch)
        let changes = (0..<3).map { _ in user.mutate(.patch) { $0.stars += 1 } }
        for change in changes { change.cancel() }
        for _ in 0..<5 { await mainQueueTurn() }
        #expect(stub.network.requests.count == 2)
        let next = user.mutate(.patch) { $0.stars += 1 }
        #expect(next.state == .sending)
        next.cancel()
    }

    @Test(
        "If freshness follows HTTP, caches store the result of a change, unless the response forbids it",
        arguments: [true, false])
    func httpFreshness(isStorable: Bool) async throws {
        let (network, cache) = (StubNetwork(), InMemoryCache())
        func thing() -> TypedResource<Data> {
            let service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
            service.configure {
                $0.freshness = .http
                $0.pipeline[.rawData].cacheUsing(cache)
            }
            return service.resource("/a").typed()
        }
        let first = thing()
        func answer(_ method: RequestMethod, _ text: String, _ caching: String) {
            network.answer(
                method, "/a", with: .response(200, headers: ["Cache-Control": caching], body: Data(text.utf8)))
        }
        answer(.get, "a", "max-age=100")
        try await first.get(.always)
        // Until then, the cache is as empty as after a removal.
        try await Poll.until { !cache.entities.isEmpty }
        answer(.patch, "b", isStorable ? "max-age=100" : "no-store")
        _ = try await first.mutate(.patch) { $0 += Data("x".utf8) }.value
        #expect(first.content == Data("b".utf8))
        #expect(first.isStale)
        let result = isStorable ? Data("b".utf8) : nil
        // Another service reads without waiting for the writes of this one.
        try await Poll.until { cache.entities.values.first?.content as Any as? Data == result }
        let next = thing()
        #expect((try? await next.get(.cached)) == result)
        #expect(next.isStale)
    }

    @Test("Each snapshot on another thread shows a change as a whole")
    func threads() async throws {
        try await stub.load(User(name: "0").json)
        stub.hold(.patch)
        let user = user
        let readers = (0..<2).map { _ in
            Task.detached {
                var differences = 0
                while !Task.isCancelled {
                    let snapshot = user.snapshot
                    let content = snapshot.content
                    if content?.name != content.map({ String($0.stars) }) { differences += 1 }
                    if snapshot.isOptimistic, snapshot.source == .network { differences += 1 }
                    await Task.yield()
                }
                return differences
            }
        }
        for number in 1...300 {
            let change = user.mutate(.patch) { ($0.stars, $0.name) = ($0.stars + 1, String($0.stars + 1)) }
            if number.isMultiple(of: 3) { user.resource.overrideLocalContent(with: User(name: "5", stars: 5)) }
            if number.isMultiple(of: 2) { change.cancel() }
            if number.isMultiple(of: 50) { user.resource.wipe() }
            if number.isMultiple(of: 10) { await mainQueueTurn() }
        }
        for reader in readers {
            reader.cancel()
            #expect(await reader.value == 0)
        }
        user.resource.wipe()
    }

    @Test("A repeated change that an observer cancels while it is made leaves no change")
    func cancelledRepetition() async throws {
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(500))
        let change = user.mutate(.patch) { $0.stars += 1 }
        await #expect(throws: RequestError.self) { try await change.value }
        stub.hold(.patch)
        let (again, observer) = (change.request.repeated(), Reacting())
        user.resource.addObserver(observer)
        observer.react = { _ in again.cancel() }
        again.start()
        #expect(again.isCompleted)
        #expect(user.content == User())
        #expect(user.resource.pendingChanges.isEmpty)
        observer.react = nil
    }

    @Test("A change that is cancelled by an observer of its result has succeeded for everybody")
    func cancelledOnSuccess() async throws {
        try await stub.load()
        stub.hold(.patch)
        let change = user.mutate(.patch) { $0.stars += 1 }
        let (resource, observer) = (user.resource, Reacting())
        observer.react = { if $0 == .newData(.network) { change.cancel() } }
        resource.addObserver(observer)
        var failures = 0
        change.onFailure { _ in failures += 1 }
        try await stub.network.exchange(2).respond(with: .response(204))
        _ = try await change.value
        #expect(change.state == .succeeded)
        #expect(failures == 0)
        #expect(user.content?.stars == 1)
        observer.react = nil
    }
}
