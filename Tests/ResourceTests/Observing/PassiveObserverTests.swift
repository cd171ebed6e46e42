import SiestaLists
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

/// Observers inside the library that do not count as observers.
@MainActor @Suite(.timeLimit(.test))
struct PassiveObserverTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }
    private let log = EventLog()

    @Test func `A passive observer is told first and once, and is not welcomed`() {
        let (first, passive) = (Listener("first", log), Listener("passive", log))
        resource.addObserver(first)
        _ = log.take()
        resource.addPassiveObserver(passive)
        resource.addPassiveObserver(passive)
        #expect(log.take().isEmpty)
        resource.tell()
        #expect(log.take() == ["passive newData(localOverride)", "first newData(localOverride)"])
        resource.removePassiveObserver(passive)
        resource.tell()
        #expect(log.take() == ["first newData(localOverride)"])
    }

    @Test func `A passive observer is held weakly`() {
        weak var released: Listener?
        do {
            let passive = Listener("passive", log)
            resource.addPassiveObserver(passive)
            released = passive
        }
        #expect(released == nil)
        resource.tell()
        #expect(log.take().isEmpty)
        let next = Listener("next", log)
        resource.addPassiveObserver(next)
        resource.tell()
        #expect(log.take() == ["next newData(localOverride)"])
    }

    @Test func `A load that only passive observers see may be cancelled`() async {
        let passive = Listener("passive", log)
        resource.addPassiveObserver(passive)
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        #expect(resource.standing == .unused)
        resource.cancelLoadIfUnobserved()
        #expect(await load.completion().failure?.isCancellation == true)
        #expect(log.take() == ["passive requested", "passive requestCancelled"])
    }

    @Test func `Nothing is loaded or polled for a passive observer`() async {
        let trying = TryingService {
            $0.reload = [.observed, .foreground, .reconnected]
            $0.expirationTime = 0
        }
        trying.network.handler = { _ in .text("a") }
        let passive = Listener("passive", log)
        let resource = trying.resource
        resource.addPassiveObserver(passive)
        resource.poll(every: 1, owner: passive)
        await trying.pass(20, step: 0.25)
        trying.activity.isActive = false
        trying.activity.isActive = true
        trying.status.isConnected = false
        trying.status.isConnected = true
        await trying.pass(20, step: 0.25)
        #expect(trying.sentCount == 0)
        resource.stopPolling(owner: passive)
    }

    @Test func `An invalidation loads nothing for a passive observer, but tells it of the next load`() async {
        let bench = DependentService()
        let passive = Listener("passive", log)
        await bench.load(bench.users)
        bench.users.addPassiveObserver(passive)
        bench.service.invalidate(tagged: "users")
        await bench.settle()
        #expect(bench.users.isStale)
        #expect(bench.loads(of: "/users") == 1)
        #expect(log.take().isEmpty)
        await bench.load(bench.users)
        #expect(log.take() == ["passive requested", "passive newData(network)"])
    }

    @Test func `The service drops a resource that has only passive observers`() {
        let passive = Listener("passive", log)
        weak var released: Resource?
        do {
            let resource = stub.service.resource("/other")
            resource.overrideLocalContent(with: "x")
            resource.addPassiveObserver(passive)
            released = resource
        }
        #expect(released != nil)
        stub.service.flushUnusedResources()
        #expect(released == nil)
        withExtendedLifetime(passive) {}
    }

    @Test func `Passive observers that come and go during an event`() {
        let (one, two, observer) = (Listener("one", log), Listener("two", log), Listener("observer", log))
        one.action = { [unowned one, two] resource, _ in
            resource.removePassiveObserver(one)
            resource.addPassiveObserver(two)
        }
        resource.addPassiveObserver(one)
        resource.addObserver(observer)
        _ = log.take()
        resource.tell()
        #expect(log.take() == ["one newData(localOverride)", "observer newData(localOverride)"])
        resource.tell()
        #expect(log.take() == ["two newData(localOverride)", "observer newData(localOverride)"])
    }

    @Test func `A passive observer may cause the next event, which all observers receive after this one`() {
        let (passive, observer) = (Listener("passive", log), Listener("observer", log))
        passive.action = { resource, event in if event == .newData(.localOverride) { resource.wipe() } }
        resource.addPassiveObserver(passive)
        resource.addObserver(observer)
        _ = log.take()
        resource.tell()
        let events = ["newData(localOverride)", "newData(wipe)"]
        #expect(log.take() == events.flatMap { ["passive \($0)", "observer \($0)"] })
    }

    @Test func `A passive observer starts the read of the caches`() async {
        let cache = InMemoryCache()
        cache.entities["https://api.test/thing"] = Entity(content: "cached", contentType: "text/plain")
        stub.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        let passive = Listener("passive", log)
        resource.addPassiveObserver(passive)
        await resource.cacheIsRead()
        #expect(resource.state.hasData)
        #expect(log.take() == ["passive newData(cache)"])
    }
}
