import Foundation
import SiestaActivity
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The events of a service: which there are, in which order, and with which causes.
@MainActor @Suite(.timeLimit(.test))
struct ActivityTests {
    private let network = StubNetwork()
    private let clock = TestClock()
    private let service: Service

    init() {
        let (network, clock) = (network, clock)
        service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
    }

    /// The events that a sequence has now.
    private func events(_ activity: some AsyncSequence<ActivityEvent, Never>, upTo last: (ActivityEvent) -> Bool) async
        -> [ActivityEvent]
    {
        var found: [ActivityEvent] = []
        for await event in activity {
            found.append(event)
            if last(event) { break }
        }
        return found
    }

    private func isEnd(_ event: ActivityEvent) -> Bool {
        if case .stateChanged(.newData(.network)) = event.kind { true } else { false }
    }

    @Test func `A load is a chain of events, each with its cause`() async throws {
        network.answer(.get, "/user", with: .json(#"{"name": "Ada"}"#))
        let activity = service.activity
        await service.resource("/user").load().completion()
        let all = await events(activity, upTo: isEnd)
        #expect(all.map(\.id) == Array(1...7))
        // Transformers run on another thread, so that their event may come before or after an event of the main actor.
        let events = all.filter { $0.kind.name != "transformed" }
        #expect(
            events.map(\.kind.name) == [
                "loadDecision", "requestStarted", "requestSent", "stateChanged", "requestEnded", "stateChanged",
            ])
        #expect(events.map(\.cause) == [nil, 1, 2, 1, 2, 2])
        #expect(all.first { $0.kind.name == "transformed" }?.cause == 3)
        #expect(events.allSatisfy { $0.address == "https://api.test/user" })
        guard case .loadDecision(.load, .began) = events[0].kind else { return #expect(Bool(false)) }
    }

    @Test func `A decision against a load is an event, too`() async throws {
        network.answer(.get, "/user", with: .json("{}"), .failure(.timedOut))
        let user = service.resource("/user")
        await user.load().completion()
        let activity = service.activity
        user.loadIfNeeded()
        clock.advance(by: 31)
        let load = user.loadIfNeeded()
        user.loadIfNeeded()
        await load?.completion()
        user.loadIfNeeded()
        user.invalidate()
        let events = await events(activity) { if case .invalidated = $0.kind { true } else { false } }
        let outcomes = events.compactMap { event -> ActivityEvent.LoadOutcome? in
            if case .loadDecision(_, let outcome) = event.kind { outcome } else { nil }
        }
        #expect(outcomes == [.upToDate, .began, .joined, .held])
    }

    @Test(arguments: [false, true])
    func `All functions that load stale data tell why they load, and why not`(_ followsHTTP: Bool) async throws {
        service.configure { if followsHTTP { $0.freshness = .http } }
        network.answer(.get, "/user", with: .json("{}", headers: ["Cache-Control": "max-age=60"]))
        let user = service.resource("/user")
        let activity = service.activity
        let calls: [@MainActor () async throws -> Void] = [
            { await user.loadIfNeeded()?.completion() },
            { _ = try await user.get() }, { _ = try await user.get(.ifOlder(than: 5)) },
        ]
        for call in calls {
            try await call()
            try await call()
            clock.advance(by: 100)
        }
        user.invalidate()
        let events = await events(activity) { if case .invalidated = $0.kind { true } else { false } }
        let decisions = events.compactMap { event -> String? in
            if case .loadDecision(let reason, let outcome) = event.kind { "\(reason) \(outcome)" } else { nil }
        }
        #expect(decisions == calls.flatMap { _ in ["loadIfNeeded began", "loadIfNeeded upToDate"] })
    }

    @Test func `An observer that loads in reaction to an event is caused by that event`() async throws {
        network.answer(.get, "/a", with: .text("a"))
        network.answer(.get, "/b", with: .text("b"))
        let (first, second) = (service.resource("/a"), service.resource("/b"))
        let activity = service.activity
        first.addObserver(owner: self.network) { _, event in
            if case .newData = event { second.load() }
        }
        await first.load().completion()
        let events = await events(activity) {
            isEnd($0) && $0.address == "https://api.test/b"
        }
        let change = try #require(events.first { isEnd($0) && $0.address == "https://api.test/a" })
        let decision = try #require(
            events.first { $0.kind.name == "loadDecision" && $0.address == "https://api.test/b" })
        #expect(decision.cause == change.id)
    }

    @Test func `Retries and their waits are events of the request`() async throws {
        service.configure { $0.retry = .standard }
        network.answer(.get, "/user", with: .response(503), .json("{}"))
        let activity = service.activity
        let load = service.resource("/user").load()
        try await clock.waitForTimers(1)
        clock.advance(by: 10)
        await load.completion()
        let events = await events(activity, upTo: isEnd)
        let start = try #require(events.first { $0.kind.name == "requestStarted" })
        let reasons = events.compactMap { event -> ActivityEvent.SendReason? in
            guard case .requestSent(_, let reason, _) = event.kind else { return nil }
            #expect(event.cause == start.id)
            return reason
        }
        #expect(reasons == [.first, .retry])
        #expect(events.contains { if case .requestWaits(let seconds, _) = $0.kind { seconds ?? 0 > 0 } else { false } })
    }

    @Test func `A failed, a cancelled and a confirmed request end with their outcome`() async throws {
        network.answer(.get, "/user", with: .json("{}", headers: ["ETag": "1"]), .response(304), .response(404), .held)
        let user = service.resource("/user")
        let activity = service.activity
        await user.load().completion()
        await user.load().completion()
        await user.load().completion()
        user.load().cancel()
        var outcomes: [ActivityEvent.RequestEnd] = []
        for await event in activity {
            if case .requestEnded(let end) = event.kind { outcomes.append(end) }
            if outcomes.count == 4 { break }
        }
        #expect(outcomes.map(\.outcome) == [.success, .notModified, .failure, .cancelled])
        #expect(outcomes.map(\.status) == [200, 304, 404, nil])
    }

    @Test func `Observers, evictions and wipes are events`() async throws {
        var observer: ObserverRecorder? = ObserverRecorder()
        let activity = service.activity
        let user = service.resource("/user")
        user.addObserver(try #require(observer), owner: try #require(observer))
        user.removeObservers(ownedBy: observer)
        observer = nil
        user.wipe()
        _ = service.resource("/other")
        service.flushUnusedResources()
        let events = await events(activity) { $0.kind.name == "evicted" }
        #expect(events.map(\.kind.name) == ["observerAdded", "observerRemoved", "stateChanged", "evicted"])
        #expect(events.last?.address == "https://api.test/other")
        #expect(events[0].kind.description.contains("ObserverRecorder"))
    }

    @Test func `A slow reader gets the newest events, and the number of those that it has missed`() async throws {
        let activity = service.activity(limit: 2)
        let user = service.resource("/user")
        for _ in 0..<5 { user.invalidate() }
        let events = await events(activity) { $0.id == 5 }
        #expect(events.map(\.id) == [3, 4, 5])
        guard case .missed(let count) = events[0].kind else { return #expect(Bool(false)) }
        #expect(count == 3)
    }

    @Test func `All listeners receive all events from their own start on`() async throws {
        let user = service.resource("/user")
        let first = service.activity
        user.invalidate()
        let second = service.activity
        user.invalidate()
        #expect(await events(first) { $0.id == 2 }.map(\.id) == [1, 2])
        #expect(await events(second) { $0.id == 2 }.map(\.id) == [2])
    }

    @Test func `Without listeners, no events are numbered`() async throws {
        let user = service.resource("/user")
        do {
            let activity = service.activity
            user.invalidate()
            extendLifetime(activity)
        }
        await mainQueueTurn()
        await mainQueueTurn()
        user.invalidate()
        user.invalidate()
        let activity = service.activity
        user.invalidate()
        #expect(await events(activity) { _ in true }.map(\.id) == [2])
    }

    @Test func `A cancelled task ends its loop`() async throws {
        let activity = service.activity
        let task = Task { for await _ in activity {} }
        task.cancel()
        await task.value
    }

    @Test func `A loop ends when the service is released`() async throws {
        var service: Service? = Service(baseURL: "https://api.test", networking: network)
        let activity = try #require(service?.activity)
        service?.resource("/user").invalidate()
        service = nil
        var count = 0
        for await _ in activity { count += 1 }
        #expect(count == 1)
    }

    @Test func `Descriptions contain no secrets`() async throws {
        let activity = service.activity
        service.resource(absoluteURL: "https://user:pass@api.test/x?token=secret").invalidate()
        let event = try #require(await events(activity) { _ in true }.first)
        #expect(!event.description.contains("secret"))
        #expect(!event.description.contains("pass"))
        #expect(event.description.contains("invalidated: call"))
    }
}
