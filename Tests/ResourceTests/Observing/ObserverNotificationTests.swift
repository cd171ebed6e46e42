import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The events that each observer receives, their order, and the rule for equal observers.
@MainActor @Suite(.timeLimit(.test))
struct ObserverNotificationTests {
    private let stub = StubbedResource()
    private let log = EventLog()
    private let owner = Owner()
    private var resource: Resource { stub.resource }
    private let told = "newData(localOverride)"

    @Test func `observerAdded goes to the new observer alone, before the call that adds it returns`() {
        resource.addObserver(Listener("a", log), owner: owner)
        #expect(log.take() == ["a observerAdded"])
        resource.addObserver(Listener("b", log), owner: owner)
        #expect(log.take() == ["b observerAdded"])
        resource.addObserver(owner: owner) { [log] _, event in log.add("c \(event)") }
        #expect(log.take() == ["c observerAdded"])
    }

    @Test func `A new observer sees the state there is`() async {
        await stub.load(.text("hello"))
        var seen = ""
        resource.addObserver(owner: owner) { resource, _ in seen = resource.text }
        #expect(seen == "hello")
    }

    @Test func `Events reach all observers in the order they were added, whatever kind they are`() {
        resource
            .addObserver(ValueListener(name: "a", log: log), owner: owner)
            .addObserver(Listener("b", log), owner: owner)
            .addObserver(owner: owner) { [log] _, event in log.add("c \(event)") }
            .addObserver(IdentifiedListener(identity: "d", log: log), owner: owner)
        _ = log.take()
        resource.tell()
        #expect(log.lines == ["a", "b", "c", "d"].map { "\($0) \(told)" })
    }

    @Test func `An observer added again after its removal is the last`() {
        let listeners = ["a", "b", "c"].map { Listener($0, log) }
        defer { withExtendedLifetime(listeners) {} }
        for listener in listeners { resource.addObserver(listener) }
        resource.removeObservers(ownedBy: listeners[0])
        resource.addObserver(listeners[0])
        _ = log.take()
        resource.tell()
        #expect(log.lines == ["b \(told)", "c \(told)", "a \(told)"])
    }

    @Test func `The order holds after many have come and gone`() {
        let listeners = (0..<100).map { Listener("\($0)", log) }
        defer { withExtendedLifetime(listeners) {} }
        for listener in listeners { resource.addObserver(listener) }
        for listener in listeners where !listener.name.hasSuffix("7") { resource.removeObservers(ownedBy: listener) }
        for listener in listeners where listener.name.hasSuffix("7") { resource.addObserver(listener) }
        _ = log.take()
        resource.tell()
        #expect(log.take() == stride(from: 7, to: 100, by: 10).map { "\($0) \(told)" })
        resource.removeObservers(ownedBy: listeners[7])
        resource.addObserver(listeners[7]).addObserver(listeners[7])
        #expect(log.lines == ["7 stopped", "7 observerAdded"])
    }

    // MARK: Events

    @Test func `Each outcome of a load is its event, told when the state has changed and before a caller's hook runs`()
        async
    {
        stub.network.answer(
            .get, "/thing", with: .text("1", headers: ["ETag": "\"1\""]), .notModified, .response(500), .held)
        resource.addObserver(Listener("a", log), owner: owner)
        for outcome in ["newData(network)", "notModified", "error"] {
            _ = log.take()
            let load = resource.load().onCompletion { [log] _ in log.add("hook") }
            #expect(log.lines == ["a requested"])
            await load.completion()
            #expect(log.lines == ["a requested", "a \(outcome)", "hook"])
        }
        _ = log.take()
        resource.load().cancel()
        #expect(log.lines == ["a requested", "a requestCancelled"])
    }

    @Test(arguments: [true, false])
    func `State is the new one when an event is told`(_ succeeds: Bool) async {
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        await stub.load(succeeds ? .text("x") : .response(404))
        #expect(recorder.records.map(\.isLoading) == [false, true, false])
        #expect((recorder.records.last?.data != nil) == succeeds)
        #expect((recorder.records.last?.error != nil) == !succeeds)
    }

    @Test
    func `A wipe and a local override are events of their own, a plain request and an invalidation are none`() async {
        stub.network.answer(.post, "/thing", with: .text("x"))
        resource.addObserver(Listener("a", log), owner: owner)
        _ = log.take()
        resource.overrideLocalData(with: Entity(content: 1, contentType: "x/y"))
        resource.wipe()
        resource.invalidate()
        await resource.request(.post).completion()
        #expect(log.lines == ["a \(told)", "a newData(wipe)"])
    }

    @Test func `Progress reaches observers, the last of it being 1, and closures hear nothing of it`() async {
        let recorder = ObserverRecorder()
        var events: [ResourceEvent] = []
        resource.addObserver(recorder).addObserver(owner: owner) { _, event in events.append(event) }
        await stub.load(.text("x"))
        #expect(recorder.progress.last == 1)
        #expect(events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test(
        arguments: [
            (.observerAdded, "observerAdded"), (.requested, "requested"), (.requestCancelled, "requestCancelled"),
            (.newData(.network), "newData(network)"), (.newData(.cache), "newData(cache)"),
            (.newData(.localOverride), "newData(localOverride)"), (.newData(.wipe), "newData(wipe)"),
            (.notModified, "notModified"), (.error, "error"),
        ] as [(ResourceEvent, String)])
    func `Events describe themselves`(_ event: ResourceEvent, _ description: String) {
        #expect(event.description == description)
        if case .newData(let source) = event { #expect(description == "newData(\(source.rawValue))") }
    }

    // MARK: Identity

    @Test func `The same object added twice gets one observerAdded, and each event once`() {
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        resource.addObserver(listener).addObserver(listener).addObserver(listener, owner: owner)
        resource.tell()
        #expect(log.lines == ["a observerAdded", "a \(told)"])
    }

    @Test func `Equal objects are different observers`() {
        resource.addObserver(Twin(log: log), owner: owner).addObserver(Twin(log: log), owner: owner)
        resource.tell()
        #expect(log.lines == ["twin", "twin", "twin", "twin"])
    }

    @Test func `A value is a new observer each time it is added`() {
        let value = ValueListener(name: "a", log: log)
        resource.addObserver(value, owner: owner).addObserver(value, owner: owner)
        _ = log.take()
        resource.tell()
        #expect(log.lines == ["a \(told)", "a \(told)"])
        #expect(value.observerIdentity != value.observerIdentity)
    }

    @Test func `Values with an identity of their own are the same observer, of which the first hears`() {
        let others = EventLog()
        resource.addObserver(IdentifiedListener(identity: 1, log: log), owner: owner)
            .addObserver(IdentifiedListener(identity: 1, log: others), owner: owner)
            .addObserver(IdentifiedListener(identity: 2, log: others), owner: owner)
        resource.tell()
        #expect(log.lines == ["1 observerAdded", "1 \(told)"])
        #expect(others.lines == ["2 observerAdded", "2 \(told)"])
    }

    @Test func `A closure is a new observer each time it is added`() {
        let closure: ResourceObserverClosure = { [log] _, event in log.add("\(event)") }
        resource.addObserver(owner: owner, closure: closure).addObserver(owner: owner, closure: closure)
        #expect(log.take() == ["observerAdded", "observerAdded"])
        resource.tell()
        #expect(log.lines == [told, told])
    }

    @Test func `An object is identified by itself`() {
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        #expect(listener.observerIdentity == listener.observerIdentity)
        #expect(listener.observerIdentity != Listener("a", log).observerIdentity)
    }

    @Test func `Observers of several resources are told which`() {
        var seen: [Resource] = []
        let other = stub.service.resource("/other")
        defer { withExtendedLifetime(other) {} }
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        listener.action = { resource, _ in seen.append(resource) }
        resource.addObserver(listener)
        other.addObserver(listener)
        resource.tell()
        #expect(seen == [resource, other, resource])
    }

    // MARK: Many observers

    @Test func `Adding and removing cost a constant number of comparisons each: 10 000 observers with identities`() {
        let counter = Counter()
        let owners = (0..<10_000).map { _ in Owner() }
        defer { withExtendedLifetime(owners) {} }
        for (number, owner) in owners.enumerated() {
            let identity = CountedIdentity(number: number, counter: counter)
            resource.addObserver(IdentifiedListener(identity: identity, log: log), owner: owner)
        }
        for owner in owners { resource.removeObservers(ownedBy: owner) }
        #expect(counter.comparisons < 20 * 10_000)
        #expect(counter.hashings < 20 * 10_000)
        #expect(log.lines.count == 20_000)
    }

    /// With quadratic cost this would take several minutes.
    @Test func `Very many closure observers are added, told and removed within the time limit`() {
        var count = 0
        let owners = (0..<TestLevel.count(10_000, nightly: 100_000)).map { _ in Owner() }
        defer { withExtendedLifetime(owners) {} }
        for owner in owners { resource.addObserver(owner: owner) { _, _ in count += 1 } }
        resource.tell()
        #expect(count == 2 * owners.count)
        for owner in owners { resource.removeObservers(ownedBy: owner) }
        resource.tell()
        #expect(count == 2 * owners.count)
    }
}

private struct Twin: ResourceObserver, Equatable {
    let log: EventLog
    static func == (left: Twin, right: Twin) -> Bool { true }
    func resourceChanged(_ resource: Resource, event: ResourceEvent) { log.add("twin") }
}

@MainActor
private final class Counter {
    var comparisons = 0
    var hashings = 0
}

/// Counts comparisons and hash computations.
private struct CountedIdentity: Hashable, CustomStringConvertible {
    let number: Int
    let counter: Counter
    var description: String { "\(number)" }

    static func == (left: CountedIdentity, right: CountedIdentity) -> Bool {
        MainActor.assumeIsolated { left.counter.comparisons += 1 }
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
        MainActor.assumeIsolated { counter.hashings += 1 }
        hasher.combine(number)
    }
}
