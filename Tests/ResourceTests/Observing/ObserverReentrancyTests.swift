import Observation
import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Observers that make changes while they are notified. No event is lost or delivered twice, and removed observers
/// receive none.
@MainActor @Suite(.timeLimit(.test))
struct ObserverReentrancyTests {
    private let stub = StubbedResource()
    private let log = EventLog()
    private let owner = Owner()
    private let other = Owner()
    private var resource: Resource { stub.resource }
    private let told = "newData(localOverride)"

    /// Adds observers that share the log, in the order of their names.
    private func add(_ names: String..., owner: Owner? = nil) -> [Listener] {
        let listeners = names.map { Listener($0, log) }
        defer { withExtendedLifetime(listeners) {} }
        for listener in listeners { resource.addObserver(listener, owner: owner ?? self.owner) }
        _ = log.take()
        return listeners
    }

    /// Makes `listener` perform an action at its first event, except its own addition.
    private func once(_ listener: Listener, _ action: @escaping (Resource) -> Void) {
        var isDone = false
        listener.action = { resource, event in
            guard event != .observerAdded, !isDone else { return }
            isDone = true
            action(resource)
        }
    }

    @Test func `An observer added in a notification hears its addition at once, but not the event in progress`() {
        let listeners = add("a", "b")
        defer { withExtendedLifetime(listeners) {} }
        let new = Listener("new", log)
        once(listeners[0]) { $0.addObserver(new) }
        resource.tell()
        #expect(log.take() == ["a \(told)", "new observerAdded", "b \(told)"])
        resource.tell()
        #expect(log.take() == ["a \(told)", "b \(told)", "new \(told)"])
    }

    @Test func `An observer added while another is being added hears only its own addition`() {
        let (outer, inner) = (Listener("outer", log), Listener("inner", log))
        outer.action = { resource, event in
            if event == .observerAdded { resource.addObserver(inner) }
        }
        resource.addObserver(outer)
        #expect(log.take() == ["outer observerAdded", "inner observerAdded"])
        resource.tell()
        #expect(log.lines == ["outer \(told)", "inner \(told)"])
    }

    @Test func `An observer removed in a notification does not hear that event if its turn has not come`() {
        let listeners = add("a")
        defer { withExtendedLifetime(listeners) {} }
        _ = add("b", owner: other)
        once(listeners[0]) { [other] in $0.removeObservers(ownedBy: other) }
        resource.tell()
        #expect(log.lines == ["a \(told)", "b stopped"])
    }

    @Test func `An observer may remove itself, and all others`() {
        let listeners = add("a", "b", "c")
        defer { withExtendedLifetime(listeners) {} }
        once(listeners[1]) { [owner] in $0.removeObservers(ownedBy: owner) }
        resource.tell()
        resource.tell()
        #expect(log.lines == ["a \(told)", "b \(told)", "a stopped", "b stopped", "c stopped"])
    }

    @Test
    func `An observer removed and added again in a notification hears the next event, not this one, and none twice`() {
        let listeners = add("a")
        defer { withExtendedLifetime(listeners) {} }
        let again = Listener("b", log)
        resource.addObserver(again)
        _ = log.take()
        once(listeners[0]) {
            $0.removeObservers(ownedBy: again)
            $0.addObserver(again)
        }
        resource.tell()
        #expect(log.take() == ["a \(told)", "b stopped", "b observerAdded"])
        resource.tell()
        #expect(log.lines == ["a \(told)", "b \(told)"])
    }

    @Test func `An observer whose owner dies in a notification hears no more`() {
        var mortal: Owner? = Owner()
        let listeners = add("a")
        defer { withExtendedLifetime(listeners) {} }
        if let mortal { _ = add("b", owner: mortal) }
        once(listeners[0]) { _ in mortal = nil }
        resource.tell()
        #expect(log.lines == ["a \(told)", "b stopped"])
    }

    @Test func `An event caused in a notification reaches all after the first one has, each once`() {
        let listeners = add("a", "b", "c")
        defer { withExtendedLifetime(listeners) {} }
        once(listeners[1]) { $0.wipe() }
        resource.tell()
        #expect(
            log.lines == [
                "a \(told)", "b \(told)", "c \(told)", "a newData(wipe)", "b newData(wipe)", "c newData(wipe)",
            ])
    }

    @Test func `The state is changed at once, also in a notification`() {
        let listeners = add("a")
        defer { withExtendedLifetime(listeners) {} }
        var data: [Bool] = []
        once(listeners[0]) {
            data.append($0.latestData != nil)
            $0.wipe()
            data.append($0.latestData != nil)
        }
        resource.tell()
        #expect(data == [true, false])
    }

    @Test(arguments: [true, false])
    func `An observer may load in a notification`(_ ifNeeded: Bool) async throws {
        stub.network.answer(.get, "/thing", with: .text("x"))
        let listeners = add("a", "b")
        defer { withExtendedLifetime(listeners) {} }
        var load: (any Request)?
        once(listeners[0]) { load = ifNeeded ? $0.loadIfNeeded() : $0.load() }
        resource.wipe()
        #expect(log.take() == ["a newData(wipe)", "b newData(wipe)", "a requested", "b requested"])
        await (try #require(load)).completion()
        #expect(log.lines == ["a newData(network)", "b newData(network)"])
    }

    @Test func `An observer that loads in observerAdded is told of it after its addition`() {
        stub.network.answer(.get, "/thing", with: .held)
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        listener.action = { resource, event in
            if event == .observerAdded { resource.loadIfNeeded() }
        }
        resource.addObserver(listener)
        #expect(log.lines == ["a observerAdded", "a requested"])
    }

    @Test func `An observer may cancel the load it is told of`() {
        stub.network.answer(.get, "/thing", with: .held)
        let listeners = add("a", "b")
        defer { withExtendedLifetime(listeners) {} }
        once(listeners[0]) { $0.loadRequests.first?.cancel() }
        resource.load()
        #expect(log.lines == ["a requested", "b requested", "a requestCancelled", "b requestCancelled"])
        #expect(!resource.isLoading)
    }

    @Test func `An observer added in a notification hears the events caused after that, and none from before`() {
        let listeners = add("a")
        defer { withExtendedLifetime(listeners) {} }
        let new = Listener("new", log)
        once(listeners[0]) {
            $0.overrideLocalContent(with: 2)
            $0.addObserver(new)
            $0.wipe()
        }
        resource.tell()
        #expect(
            log.lines == [
                "a \(told)", "new observerAdded", "a \(told)", "a newData(wipe)", "new newData(wipe)",
            ])
    }

    @Test func `No event comes between the removal of an owner and what it owned`() {
        let listeners = add("a", "b")
        defer { withExtendedLifetime(listeners) {} }
        listeners[0].onStopped = { $0.tell() }
        resource.removeObservers(ownedBy: owner)
        #expect(log.lines == ["a stopped", "b stopped"])
    }

    @Test func `An observer may be added again when it is told that it has stopped`() {
        let listeners = add("a")
        defer { withExtendedLifetime(listeners) {} }
        var count = 0
        listeners[0].onStopped = { [other] resource in
            count += 1
            if count == 1 { resource.addObserver(listeners[0], owner: other) }
        }
        resource.removeObservers(ownedBy: owner)
        resource.tell()
        #expect(log.lines == ["a stopped", "a observerAdded", "a \(told)"])
        listeners[0].onStopped = { _ in }
    }

    @Test
    func `An observer whose dead observation ends because it is added again, and that adds itself then, is there once`()
    {
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        listener.onStopped = { [other] in $0.addObserver(listener, owner: other) }
        resource.addObserver(listener, owner: Owner())
        resource.addObserver(listener, owner: owner)
        #expect(log.take() == ["a observerAdded", "a stopped", "a observerAdded"])
        resource.tell()
        #expect(log.lines == ["a \(told)"])
        listener.onStopped = { _ in }
    }

    @Test func `Owners may be removed while another's many observers are told that they have stopped`() {
        let names = (0..<40).map { "\($0)" }
        for name in names {
            let listener = Listener(name, log)
            if name == "30" { listener.onStopped = { [other] in $0.removeObservers(ownedBy: other) } }
            resource.addObserver(listener, owner: owner)
        }
        resource.addObserver(ValueListener(name: "other", log: log), owner: other)
        _ = log.take()
        resource.removeObservers(ownedBy: owner)
        resource.tell()
        #expect(Set(log.lines) == Set((names + ["other"]).map { "\($0) stopped" }))
        #expect(log.lines.count == 41)
    }

    @Test func `Most observers may be removed in a notification; the others hear it, each once`() {
        let owners = (0..<100).map { _ in Owner() }
        defer { withExtendedLifetime(owners) {} }
        var heard: [Int] = []
        for (number, owner) in owners.enumerated() {
            resource.addObserver(owner: owner) { resource, event in
                guard event != .observerAdded else { return }
                heard.append(number)
                if number == 50 { owners[10..<90].forEach(resource.removeObservers) }
            }
        }
        resource.tell()
        #expect(heard == Array(0...50) + Array(90..<100))
        heard = []
        resource.tell()
        #expect(heard == Array(0..<10) + Array(90..<100))
    }

    @Test func `Many observers may remove themselves and add others in one event`() {
        var count = 0
        let owners = (0..<200).map { _ in Owner() }
        defer { withExtendedLifetime(owners) {} }
        for owner in owners {
            resource.addObserver(owner: owner) { resource, event in
                guard event != .observerAdded else { return }
                count += 1
                resource.removeObservers(ownedBy: owner)
                resource.addObserver(owner: owner) { _, event in if event != .observerAdded { count += 1_000 } }
            }
        }
        resource.tell()
        #expect(count == 200)
        resource.tell()
        #expect(count == 200_200)
    }

    @Test func `Code that is told of the end of a load joins it, and sends no second request`() async throws {
        let stub = StubbedResource()
        let resource = stub.resource
        stub.network.answer(.get, "/thing", with: .held)
        let load = resource.load()
        withObservationTracking {
            _ = resource.isLoading
        } onChange: {
            MainActor.assumeIsolated { _ = resource.loadIfNeeded() }
        }
        try await stub.network.exchange(1).respond(with: .text("a"))
        _ = await load.completion()
        #expect(resource.text == "a")
        #expect(!resource.isLoading)
        #expect(stub.network.requests.count == 1)
    }
}
