import Foundation
import SiestaCore
import SiestaLists
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The end of observations whose owners are released while the resource is quiet.
@MainActor @Suite(.timeLimit(.test))
struct ReleasedOwnerTests {
    private let stub = StubbedResource()
    private let log = EventLog()
    private var resource: Resource { stub.resource }

    /// Lets the clock advance to the time at which released owners are known at the latest.
    private func pass() async {
        stub.clock.advance(by: 1)
        await mainQueueTurn()
    }

    /// The next events of observers in an activity, until one of them is the end of an observation.
    private func observerEvents(_ activity: some AsyncSequence<ActivityEvent, Never>) async -> [String] {
        var names: [String] = []
        for await event in activity {
            if case .observerAdded = event.kind { names.append("added") }
            if case .observerRemoved = event.kind {
                names.append("removed")
                break
            }
        }
        return names
    }

    @Test func `An observer is told of the release of its owner within a second, without an event`() async {
        var owner: Owner? = Owner()
        if let owner { resource.addObserver(Listener("a", log), owner: owner) }
        owner = nil
        await pass()
        #expect(log.lines == ["a observerAdded", "a stopped"])
    }

    @Test func `That holds for values, for several resources, and for owners that are released one after the other`()
        async
    {
        let other = stub.service.resource("/other")
        var (first, second): (Owner?, Owner?) = (Owner(), Owner())
        if let first, let second {
            resource.addObserver(ValueListener(name: "a", log: log), owner: first)
            let shared = Listener("b", log)
            other.addObserver(shared, owner: first).addObserver(shared, owner: second)
        }
        _ = log.take()
        first = nil
        await pass()
        #expect(log.take() == ["a stopped"])
        second = nil
        await pass()
        #expect(log.take() == ["b stopped"])
    }

    @Test func `An observer that was added long after the release of others is told, too`() async {
        for name in ["a", "b"] {
            do {
                let owner = Owner()
                resource.addObserver(Listener(name, log), owner: owner)
            }
            await pass()
            stub.clock.advance(by: 1000)
        }
        #expect(log.lines == ["a observerAdded", "a stopped", "b observerAdded", "b stopped"])
    }

    @Test func `A closure and what it holds are released`() async {
        weak var held: Owner?
        do {
            let owner = Owner()
            let object = Owner()
            held = object
            resource.addObserver(owner: owner) { _, _ in withExtendedLifetime(object) {} }
        }
        await pass()
        #expect(held == nil)
    }

    @Test func `The activity of a service contains the end of an observation by a closure`() async {
        let activity = stub.service.activity
        do {
            let owner = Owner()
            resource.addObserver(owner: owner) { _, _ in }
        }
        await pass()
        #expect(await observerEvents(activity) == ["added", "removed"])
    }

    @Test func `The activity of a service contains the end of an observation by a released observer`() async {
        let activity = stub.service.activity
        do {
            let observer = Listener("a", log)
            resource.addObserver(observer)
        }
        await pass()
        #expect(await observerEvents(activity) == ["added", "removed"])
    }

    @Test func `The end of an observation is one event, also if the observer is removed before it is released`() async {
        let activity = stub.service.activity
        do {
            let observer = Listener("a", log)
            resource.addObserver(observer).removeObservers(ownedBy: observer)
        }
        await pass()
        do {
            let observer = Listener("b", log)
            resource.addObserver(observer)
        }
        await pass()
        #expect(await observerEvents(activity) == ["added", "removed"])
        #expect(await observerEvents(activity) == ["added", "removed"])
    }

    @Test func `An observation that has an owner continues, and costs no timer of the app`() async {
        let owner = Owner()
        resource.addObserver(Listener("a", log), owner: owner)
        for _ in 0..<5 { await pass() }
        #expect(log.lines == ["a observerAdded"])
        #expect(stub.clock.timers.isEmpty)
    }

    @Test func `The time to remove many observers that an activity names is not quadratic`() {
        let activity = stub.service.activity
        let growth = Growth(of: 2000) { count in
            (0..<count).map { Listener("\($0)", log) }
        } _: { listeners in
            for listener in listeners { resource.addObserver(listener) }
            for listener in listeners { resource.removeObservers(ownedBy: listener) }
        }
        #expect(growth.isBounded, "\(growth)")
        withExtendedLifetime(activity) {}
    }

    @Test func `An observer may add and remove observers when it is told`() async {
        let (kept, other, log) = (Owner(), Owner(), log)
        do {
            let owner = Owner()
            let first = Listener("a", log)
            first.onStopped = { resource in
                resource.addObserver(Listener("c", log), owner: kept)
                resource.removeObservers(ownedBy: other)
            }
            resource.addObserver(first, owner: owner)
            resource.addObserver(Listener("b", log), owner: other)
        }
        await pass()
        #expect(log.lines.filter { $0.hasSuffix("stopped") } == ["a stopped", "b stopped"])
        #expect(log.lines.contains("c observerAdded"))
    }

    @Test func `A poll ends soon after the release of its owner, and does not keep the resource`() async {
        weak var polled: Resource?
        do {
            let owner = Owner()
            let resource = stub.service.resource("/polled").poll(every: 3600, owner: owner)
            polled = resource
        }
        await pass()
        stub.service.flushUnusedResources()
        #expect(polled == nil)
    }

    @Test func `The sweep keeps neither the resource nor the service`() async {
        weak var service: Service?
        weak var observed: Resource?
        do {
            let (owner, network) = (Owner(), StubNetwork())
            let made = stub.clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
            service = made
            observed = made.resource("/a").addObserver(owner: owner) { _, _ in }
        }
        await mainQueueTurn()
        await pass()
        #expect(service == nil)
        #expect(observed == nil)
    }
}
