import Siesta
import SiestaTesting
import Testing

/// How long an observation lasts, and what it keeps alive.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ObserverOwnershipTests {
    private let stub = StubbedResource()
    private let log = EventLog()
    private var resource: Resource { stub.resource }
    private let told = "newData(localOverride)"

    // MARK: Strong and weak

    @Test("An observer that is its own only owner is held weakly")
    func holdsSelfOwnedWeakly() {
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

    @Test("An observer that names itself as the owner is held weakly, too")
    func holdsExplicitlySelfOwnedWeakly() {
        weak var observer: Listener?
        do {
            let listener = Listener("a", log)
            observer = listener
            resource.addObserver(listener, owner: listener)
        }
        #expect(observer == nil)
    }

    @Test("An observer with an owner other than itself is held strongly as long as that lives")
    func holdsOwnedStrongly() {
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

    @Test("An owner is never held strongly")
    func holdsOwnersWeakly() {
        weak var weakOwner: Owner?
        do {
            let owner = Owner()
            weakOwner = owner
            resource.addObserver(Listener("a", log), owner: owner)
            resource.addObserver(owner: owner) { _, _ in }
        }
        #expect(weakOwner == nil)
    }

    @Test("An owner that dies at once is noticed at the next turn of the main loop, without an event")
    func noticesEarlyDeath() async {
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

    @Test("That holds also for an observer added while another is being added")
    func noticesEarlyDeathWhenNested() async {
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

    @Test("A closure's captures are released with its owner")
    func releasesCaptures() {
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

    @Test("Removing releases an observer at once, and a closure with what it captures")
    func releasesOnRemoval() {
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

    @Test("An observer with several owners stays until the last is removed")
    func staysForLastOwner() {
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

    @Test("An observer with several owners stays until the last has died")
    func staysForLastLivingOwner() {
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

    @Test("Adding the same owner twice counts once")
    func countsOwnersOnce() {
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

    @Test("An observer that has itself left for its only owner is held weakly again, however it lost the others")
    func returnsToWeak() {
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

    @Test("An observer removed as its own owner stays for another")
    func staysWithoutItself() {
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

    @Test("Removing an owner removes all it owns, and nothing of others")
    func removesAllOfOwner() {
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

    @Test("An owner removed from one resource stays one of another")
    func removesFromOneResource() {
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

    // MARK: stoppedObserving

    @Test("An observation ends each time it is removed and added again")
    func stopsEachTime() {
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        for _ in 0..<3 {
            resource.addObserver(listener)
            resource.removeObservers(ownedBy: listener)
        }
        #expect(log.lines == Array(repeating: ["a observerAdded", "a stopped"], count: 3).flatMap { $0 })
    }

    @Test("An observer that is added again after its owner died starts a new observation")
    func startsAnewAfterDeath() {
        let listener = Listener("a", log)
        defer { withExtendedLifetime(listener) {} }
        let owner = Owner()
        defer { withExtendedLifetime(owner) {} }
        do { resource.addObserver(listener, owner: Owner()) }
        resource.addObserver(listener, owner: owner)
        resource.tell()
        #expect(log.lines == ["a observerAdded", "a stopped", "a observerAdded", "a \(told)"])
    }

    // MARK: Keeping the resource

    @Test("A resource with observers is kept, and may go when they do")
    func keepsResource() {
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

    @Test("Loads nobody observes any more are cancelled on request; an owner's death counts")
    func cancelsUnobservedLoad() {
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
