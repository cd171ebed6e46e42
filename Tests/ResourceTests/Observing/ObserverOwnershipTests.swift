import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The duration of an observation, and the objects that it keeps alive.
@MainActor @Suite(.timeLimit(.test))
struct ObserverOwnershipTests {
    private let stub = StubbedResource()
    private let log = EventLog()
    private let owner = Owner()
    private var resource: Resource { stub.resource }
    private let told = "newData(localOverride)"

    // MARK: Strong and weak references

    @Test func `Removing one owner from many observers, one after the other, takes linear time`() {
        let growth = Growth(of: 500) { count in
            MainActor.assumeIsolated {
                let resource = Service(baseURL: "https://api.test", networking: StubNetwork()).resource("/x")
                let (owner, listeners) = (Listener(), (0..<count).map { _ in Listener() })
                for listener in listeners { resource.addObserver(listener, owner: owner) }
                return UncheckedSendable((resource, owner, listeners))
            }
        } _: { input in
            MainActor.assumeIsolated {
                let (resource, owner, listeners) = input.value
                for listener in listeners {
                    resource.removeOwner(owner, of: listener)
                    resource.addObserver(listener, owner: owner)
                }
            }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Observers that are released at once cost the same, however many others there are`() {
        let growth = Growth(of: 1_000) { count in
            MainActor.assumeIsolated {
                let resource = Service(baseURL: "https://api.test", networking: StubNetwork()).resource("/x")
                let listeners = (0..<count).map { _ in Listener() }
                for listener in listeners { resource.addObserver(listener) }
                return UncheckedSendable((resource, listeners))
            }
        } _: { input in
            MainActor.assumeIsolated {
                let (resource, listeners) = input.value
                for _ in 0..<listeners.count / 2 { resource.addObserver(Listener()) }
            }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `An observer that is its own only owner is held weakly`() {
        weak var observer: Listener?
        do {
            let listener = Listener("a", log)
            observer = listener
            resource.addObserver(listener)
            resource.tell()
        }
        #expect(observer == nil)
        resource.tell()
        #expect(log.lines == ["a observerAdded", "a \(told)"])
    }

    @Test func `An observer that names itself as the owner is held weakly, too`() {
        weak var observer: Listener?
        do {
            let listener = Listener("a", log)
            observer = listener
            resource.addObserver(listener, owner: listener)
        }
        #expect(observer == nil)
    }

    @Test func `That holds for an observer with an identity of its own, too, however it is added`() {
        for add in [
            { resource, observer in resource.addObserver(observer) },
            { resource, observer in resource.addObserver(observer, owner: observer) },
            { resource, observer in resource.addObserver(observer).addObserver(observer) },
            { resource, observer in
                resource.addObserver(observer).addObserver(observer, owner: resource).removeObservers(ownedBy: resource)
            },
        ] as [(Resource, IdentifiedObject) -> Void] {
            weak var observer: IdentifiedObject?
            do {
                let object = IdentifiedObject(log)
                observer = object
                add(resource, object)
            }
            #expect(observer == nil)
            resource.tell()
            #expect(log.take() == ["object observerAdded"])
        }
    }

    @Test func `An observer with an identity of its own, once gone, makes way for its equal`() {
        do { resource.addObserver(IdentifiedObject(log)) }
        let next = IdentifiedObject(log)
        defer { withExtendedLifetime(next) {} }
        resource.addObserver(next).addObserver(IdentifiedObject(log))
        resource.tell()
        #expect(log.lines == ["object observerAdded", "object observerAdded", "object \(told)"])
    }

    @Test func `An observer with an owner other than itself is held strongly as long as that lives`() {
        var owner: Owner? = Owner()
        weak var observer: Listener?
        if let owner {
            let listener = Listener("a", log)
            observer = listener
            resource.addObserver(listener, owner: owner)
        }
        resource.tell()
        #expect(observer != nil)
        owner = nil
        resource.tell()
        #expect(observer == nil)
        #expect(log.lines == ["a observerAdded", "a \(told)", "a stopped"])
    }

    @Test func `An owner is never held strongly`() {
        weak var weakOwner: Owner?
        do {
            let owner = Owner()
            weakOwner = owner
            resource.addObserver(Listener("a", log), owner: owner)
            resource.addObserver(owner: owner) { _, _ in }
        }
        #expect(weakOwner == nil)
    }

    @Test func `An owner that dies at once is noticed at the next turn of the main loop, without an event`() async {
        weak var observer: Listener?
        do {
            let listener = Listener("a", log)
            observer = listener
            resource.addObserver(listener, owner: Owner())
        }
        await mainQueueTurn()
        #expect(observer == nil)
        #expect(log.lines == ["a observerAdded", "a stopped"])
    }

    @Test func `That holds also for an observer added while another is being added`() async {
        let outer = Listener("outer", log)
        outer.action = { [log] resource, event in
            if event == .observerAdded { resource.addObserver(ValueListener(name: "inner", log: log), owner: Owner()) }
        }
        weak let weakOuter: Listener? = outer
        resource.addObserver(outer, owner: Owner())
        await mainQueueTurn()
        #expect(log.lines == ["outer observerAdded", "inner observerAdded", "outer stopped", "inner stopped"])
        #expect(weakOuter != nil)
    }

    @Test func `A closure's captures are released with its owner`() {
        weak var captured: Owner?
        var owner: Owner? = Owner()
        if let owner {
            let capture = Owner()
            captured = capture
            resource.addObserver(owner: owner) { _, _ in _ = capture }
        }
        resource.tell()
        #expect(captured != nil)
        owner = nil
        resource.tell()
        #expect(captured == nil)
    }

    @Test func `Removing releases an observer at once, and a closure with what it captures`() {
        let owner = Owner()
        defer { withExtendedLifetime(owner) {} }
        weak var captured: Owner?
        weak var observer: Listener?
        do {
            let (capture, listener) = (Owner(), Listener("a", log))
            (captured, observer) = (capture, listener)
            resource.addObserver(owner: owner) { _, _ in _ = capture }.addObserver(listener, owner: owner)
        }
        resource.removeObservers(ownedBy: owner)
        #expect(captured == nil)
        #expect(observer == nil)
        #expect(log.lines.last == "a stopped")
    }

    // MARK: Several owners

    @Test func `An observer with several owners stays until the last is removed`() {
        let owners = [Owner(), Owner(), Owner()]
        defer { withExtendedLifetime(owners) {} }
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        for owner in owners { resource.addObserver(listener, owner: owner) }
        resource.removeObservers(ownedBy: owners[1])
        resource.removeObservers(ownedBy: owners[0])
        resource.tell()
        #expect(log.take() == ["a observerAdded", "a \(told)"])
        resource.removeObservers(ownedBy: owners[2])
        resource.tell()
        #expect(log.lines == ["a stopped"])
    }

    @Test func `An observer with several owners stays until the last has died`() {
        var owners = [Owner(), Owner()]
        do {
            let listener = Listener("a", log)
            for owner in owners { resource.addObserver(listener, owner: owner) }
        }
        owners.removeFirst()
        resource.tell()
        owners.removeFirst()
        resource.tell()
        #expect(log.lines == ["a observerAdded", "a \(told)", "a stopped"])
    }

    @Test func `Adding the same owner twice counts once`() {
        let owner = Owner()
        defer { withExtendedLifetime(owner) {} }
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        for _ in 0..<3 { resource.addObserver(listener, owner: owner).addObserver(listener) }
        resource.removeObservers(ownedBy: owner)
        resource.tell()
        #expect(log.take() == ["a observerAdded", "a \(told)"])
        resource.removeObservers(ownedBy: listener)
        resource.tell()
        #expect(log.lines == ["a stopped"])
    }

    @Test
    func `An observer that has itself left for its only owner is held weakly again, however it lost the others`() {
        for removes in [true, false] {
            weak var observer: Listener?
            var owner: Owner? = Owner()
            do {
                let listener = Listener("a", log)
                observer = listener
                if let owner { resource.addObserver(listener).addObserver(listener, owner: owner) }
            }
            #expect(observer != nil)
            if removes { resource.removeObservers(ownedBy: owner) }
            owner = nil
            resource.tell()
            #expect(observer == nil)
        }
    }

    @Test func `An observer removed as its own owner stays for another`() {
        let owner = Owner()
        defer { withExtendedLifetime(owner) {} }
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        resource.addObserver(listener).addObserver(listener, owner: owner)
        resource.removeObservers(ownedBy: listener)
        resource.tell()
        resource.removeObservers(ownedBy: owner)
        #expect(log.lines == ["a observerAdded", "a \(told)", "a stopped"])
    }

    @Test func `Removing an owner removes all it owns, and nothing of others`() {
        let (first, second) = (Owner(), Owner())
        resource
            .addObserver(ValueListener(name: "a", log: log), owner: first)
            .addObserver(ValueListener(name: "b", log: log), owner: second)
            .addObserver(ValueListener(name: "c", log: log), owner: first)
        _ = log.take()
        resource.removeObservers(ownedBy: first)
        resource.tell()
        #expect(log.lines == ["a stopped", "c stopped", "b \(told)"])
        resource.removeObservers(ownedBy: first)
        resource.removeObservers(ownedBy: Owner())
        resource.removeObservers(ownedBy: nil)
        #expect(log.lines.count == 3)
    }

    @Test func `An owner removed from one resource stays one of another`() {
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        let other = stub.service.resource("/other")
        defer { withExtendedLifetime(other) {} }
        resource.addObserver(listener)
        other.addObserver(listener)
        resource.removeObservers(ownedBy: listener)
        other.tell()
        #expect(log.lines == ["a observerAdded", "a observerAdded", "a stopped", "a \(told)"])
    }

    @Test func `An owner at the address of a released owner owns only its own observers, each once`() {
        var addresses: Set<ObjectIdentifier> = []
        for number in 0..<100 {
            let owner = Owner()
            addresses.insert(ObjectIdentifier(owner))
            resource.addObserver(ValueListener(name: "a", log: log), owner: owner)
            guard number.isMultiple(of: 2) else {
                resource.tell()
                continue
            }
            _ = log.take()
            resource.removeObservers(ownedBy: owner)
            #expect(log.take() == ["a stopped"])
        }
        #expect(addresses.count < 100, "no address was used again")
    }

    @Test func `An observer that owns itself and others keeps the others, however often it changes between owners`() {
        let observer = Listener("self", log)
        resource.addObserver(ValueListener(name: "a", log: log), owner: observer).addObserver(observer)
        for _ in 0..<3 {
            do { resource.addObserver(observer, owner: Owner()) }
            resource.tell()
        }
        resource.addObserver(ValueListener(name: "b", log: log), owner: observer)
        _ = log.take()
        resource.removeObservers(ownedBy: observer)
        #expect(log.take() == ["self stopped", "a stopped", "b stopped"])
    }

    // MARK: stoppedObserving

    @Test func `An observation ends each time it is removed and added again`() {
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        for _ in 0..<3 {
            resource.addObserver(listener)
            resource.removeObservers(ownedBy: listener)
        }
        #expect(log.lines == Array(repeating: ["a observerAdded", "a stopped"], count: 3).flatMap { $0 })
    }

    @Test func `An observer that is added again after its owner died starts a new observation`() {
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        let owner = Owner()
        defer { withExtendedLifetime(owner) {} }
        do { resource.addObserver(listener, owner: Owner()) }
        resource.addObserver(listener, owner: owner)
        resource.tell()
        #expect(log.lines == ["a observerAdded", "a stopped", "a observerAdded", "a \(told)"])
    }

    @Test func `The old observation ends before the new one begins, whoever the owners are`() {
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        for flushes in [true, false] {
            for addAgain in [
                { $0.addObserver(listener) },
                { $0.addObserver(listener, owner: listener) },
                { $0.addObserver(listener, owner: owner) },
            ] as [(Resource) -> Resource] {
                do { resource.addObserver(listener, owner: Owner()) }
                if flushes { stub.service.flushUnusedResources() }
                _ = addAgain(resource)
                resource.tell()
                resource.removeObservers(ownedBy: listener)
                resource.removeObservers(ownedBy: owner)
                #expect(
                    log.take() == ["a observerAdded", "a stopped", "a observerAdded", "a \(told)", "a stopped"])
            }
        }
    }

    @Test func `That holds for values that are the same, and for objects with an identity of their own`() {
        do { resource.addObserver(IdentifiedListener(identity: "v", log: log), owner: Owner()) }
        resource.addObserver(IdentifiedListener(identity: "v", log: log), owner: owner)
        let object = IdentifiedObject(log)
        defer { withExtendedLifetime(object) {} }
        do { resource.addObserver(object, owner: Owner()) }
        resource.addObserver(object)
        #expect(
            log.lines == [
                "v observerAdded", "v stopped", "v observerAdded", "object observerAdded", "object stopped",
                "object observerAdded",
            ])
    }

    // MARK: Keeping the resource

    @Test func `An observer that holds the resource does not keep it when its owner is dead`() async {
        for add in [
            { $0.addObserver(owner: Owner()) { [kept = $0] _, _ in _ = kept } },
            { resource in
                let listener = Listener()
                listener.action = { [kept = resource] _, _ in _ = kept }
                resource.addObserver(listener).addObserver(listener, owner: Owner())
            },
            { resource in
                let listener = Listener()
                listener.action = { [kept = resource] _, _ in _ = kept }
                resource.addObserver(listener)
                for _ in 0..<3 { resource.addObserver(owner: Owner()) { [kept = resource] _, _ in _ = kept } }
            },
        ] as [(Resource) -> Void] {
            weak var weakResource: Resource?
            do {
                let resource = stub.service.resource("/held")
                weakResource = resource
                add(resource)
            }
            stub.service.flushUnusedResources()
            #expect(weakResource == nil)
        }
    }

    @Test func `Nor does it when the service has too many resources`() async {
        stub.service.cachedResourceCountLimit = 10
        weak var weakResource: Resource?
        do {
            let resource = stub.service.resource("/held")
            weakResource = resource
            resource.addObserver(owner: Owner()) { _, _ in _ = resource }
        }
        for number in 0..<30 { _ = stub.service.resource("/other/\(number)") }
        #expect(weakResource == nil)
    }

    @Test
    func `An observer that holds the resource and has to hear that it stopped keeps it until then, and no longer`()
        async
    {
        weak var weakResource: Resource?
        do {
            let resource = stub.service.resource("/held")
            weakResource = resource
            let listener = Listener("a", log)
            listener.action = { [kept = resource] _, _ in _ = kept }
            resource.addObserver(listener, owner: Owner())
        }
        stub.service.flushUnusedResources()
        await mainQueueTurn()
        #expect(log.lines == ["a observerAdded", "a stopped"])
        stub.service.flushUnusedResources()
        #expect(weakResource == nil)
    }

    @Test func `A resource with observers is kept, and may go when they do`() {
        let owner = Owner()
        defer { withExtendedLifetime(owner) {} }
        weak var weakResource: Resource?
        do {
            let resource = stub.service.resource("/kept")
            weakResource = resource
            resource.addObserver(owner: owner) { _, _ in }
        }
        stub.service.flushUnusedResources()
        #expect(weakResource != nil)
        weakResource?.removeObservers(ownedBy: owner)
        stub.service.flushUnusedResources()
        #expect(weakResource == nil)
    }

    @Test func `Loads nobody observes any more are cancelled on request; an owner's death counts`() {
        stub.network.answer(.get, "/thing", with: .held)
        var owner: Owner? = Owner()
        if let owner { resource.addObserver(owner: owner) { _, _ in } }
        let load = resource.load()
        resource.cancelLoadIfUnobserved()
        #expect(load.state == .inProgress)
        owner = nil
        resource.cancelLoadIfUnobserved()
        #expect(load.state == .completed)
    }
}

/// An object that is equal to all others of its type.
private final class IdentifiedObject: ResourceObserver {
    private let log: EventLog

    init(_ log: EventLog) { self.log = log }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) { log.add("object \(event)") }
    func stoppedObserving(resource: Resource) { log.add("object stopped") }
    var observerIdentity: AnyHashable { "object" }
}
