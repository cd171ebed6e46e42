import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The closures that are told of the first and of the last observer of a resource.
@MainActor @Suite(.timeLimit(.test))
struct ObservedChangeTests {
    private let stub = StubbedResource()
    private let log = EventLog()
    private let owner = Owner()
    private let observer = Owner()
    private var resource: Resource { stub.resource }

    private func watch(_ name: String = "observed") {
        resource.onObservedChange(owner: owner) { [log] _, isObserved in log.add("\(name) \(isObserved)") }
    }

    private func observe(_ name: String = "a") {
        resource.addObserver(Listener(name, log), owner: observer)
    }

    /// Lets the clock advance to the time at which released owners are known at the latest.
    private func pass() async {
        stub.clock.advance(by: 1)
        await mainQueueTurn()
    }

    @Test func `The closure is told of the first and of the last observer, after the observer`() {
        watch()
        #expect(!resource.isObserved)
        observe()
        observe("b")
        #expect(resource.isObserved)
        #expect(log.take() == ["a observerAdded", "observed true", "b observerAdded"])
        resource.removeObservers(ownedBy: observer)
        #expect(!resource.isObserved)
        #expect(log.take() == ["a stopped", "b stopped", "observed false"])
        observe()
        #expect(log.take() == ["a observerAdded", "observed true"])
    }

    @Test func `If the resource is observed already, the closure is told at once`() {
        observe()
        _ = log.take()
        watch("first")
        watch("second")
        #expect(log.take() == ["first true", "second true"])
        resource.removeObservers(ownedBy: observer)
        #expect(log.take() == ["a stopped", "first false", "second false"])
    }

    @Test func `The closure receives its resource`() {
        var received: [Resource] = []
        resource.onObservedChange(owner: owner) { resource, _ in received.append(resource) }
        observe()
        #expect(received == [resource])
    }

    @Test func `The release of an owner is noticed within a second`() async {
        watch()
        var last: Owner? = Owner()
        if let last { resource.addObserver(Listener("a", log), owner: last) }
        last = nil
        await pass()
        // One of both may notice it first.
        #expect(log.take().sorted() == ["a observerAdded", "a stopped", "observed false", "observed true"])
    }

    @Test func `The release of an observer that owns itself is noticed within a second`() async {
        watch()
        var listener: Listener? = Listener("a", log)
        if let listener { resource.addObserver(listener) }
        listener = nil
        #expect(!resource.isObserved)
        await pass()
        #expect(log.take() == ["a observerAdded", "observed true", "observed false"])
    }

    @Test func `An iteration over the states is an observer`() async {
        watch()
        let states = resource.states
        let loop = Task { for await _ in states { break } }
        await loop.value
        await pass()
        #expect(log.take() == ["observed true", "observed false"])
    }

    @Test func `Reading properties, and passive observers, do not count`() {
        watch()
        _ = resource.latestData
        let passive = Listener("passive", log)
        resource.addPassiveObserver(passive)
        #expect(!resource.isObserved)
        #expect(log.lines.isEmpty)
    }

    @Test func `The closure is released with its owner, or when its owner is removed`() async {
        weak var (first, second): (Owner?, Owner?)
        var own: Owner? = Owner()
        do {
            let (one, two) = (Owner(), Owner())
            (first, second) = (one, two)
            if let own { resource.onObservedChange(owner: own) { _, _ in withExtendedLifetime(one) {} } }
            resource.onObservedChange(owner: owner) { _, _ in withExtendedLifetime(two) {} }
        }
        #expect(first != nil)
        own = nil
        await pass()
        #expect(first == nil)
        #expect(second != nil)
        resource.removeObservers(ownedBy: owner)
        #expect(second == nil)
        observe()
        #expect(log.take() == ["a observerAdded"])
    }

    @Test func `When a service is released, its last observers are gone`() async {
        var service: Service? = stub.clock.whileCurrent {
            Service(baseURL: "https://api.test", networking: StubNetwork())
        }
        service?.resource("/thing").addObserver(Listener("a", log), owner: observer)
            .onObservedChange(owner: owner) { [log] _, isObserved in log.add("observed \(isObserved)") }
        service = nil
        await mainQueueTurn()
        #expect(log.take() == ["a observerAdded", "observed true", "a stopped", "observed false"])
    }

    // MARK: Reentrancy

    @Test func `A closure that observes the resource again is told of it`() {
        var isFirst = true
        resource.onObservedChange(owner: owner) { [log, observer] resource, isObserved in
            log.add("observed \(isObserved)")
            guard !isObserved, isFirst else { return }
            isFirst = false
            resource.addObserver(Listener("again", log), owner: observer)
        }
        observe()
        resource.removeObservers(ownedBy: observer)
        #expect(
            log.take() == [
                "a observerAdded", "observed true", "a stopped", "observed false", "again observerAdded",
                "observed true",
            ])
        resource.removeObservers(ownedBy: observer)
        #expect(log.take() == ["again stopped", "observed false"])
    }

    @Test func `A closure that is added while another is told is told once`() {
        resource.onObservedChange(owner: owner) { [log, owner] resource, isObserved in
            log.add("outer \(isObserved)")
            guard isObserved else { return }
            resource.onObservedChange(owner: owner) { _, isObserved in log.add("inner \(isObserved)") }
        }
        observe()
        #expect(log.take() == ["a observerAdded", "outer true", "inner true"])
        resource.removeObservers(ownedBy: observer)
        #expect(log.take() == ["a stopped", "outer false", "inner false"])
    }

    @Test func `A closure that is removed while another is told is not told`() {
        resource.onObservedChange(owner: observer) { [owner] resource, _ in resource.removeObservers(ownedBy: owner) }
        watch()
        let third = Owner()
        resource.addObserver(Listener("a", log), owner: third)
        #expect(log.take() == ["a observerAdded"])
        withExtendedLifetime(third) {}
    }

    @Test func `Closures that undo each other's work do not run for ever`() {
        resource.onObservedChange(owner: owner) { [log, observer] resource, isObserved in
            log.add("observed \(isObserved)")
            if isObserved {
                resource.removeObservers(ownedBy: observer)
            } else {
                resource.addObserver(owner: observer) { _, _ in }
            }
        }
        resource.addObserver(owner: observer) { _, _ in }
        #expect(log.take().count == 16)
    }
}
