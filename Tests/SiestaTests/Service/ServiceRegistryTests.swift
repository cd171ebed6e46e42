import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The resources that a service keeps, the time for which it keeps them, and the single resource for each URL.
@MainActor @Suite(.timeLimit(.test))
struct ServiceRegistryTests {
    private let service = Service(baseURL: "https://h.test/v1", networking: StubNetwork())

    // MARK: Uniqueness

    @Test func `There is one resource for a URL, however it is reached`() {
        let resource = service.resource("/a/b").withParam("x", "1")
        let others = [
            service.resource("a/b").withParam("x", "1"), service.resource("/a").child("b").withParams(["x": "1"]),
            service.resource(absoluteURL: "https://h.test/v1/a/b?x=1"),
            service.resource(absoluteURL: URL(string: "https://h.test/v1/a/b?x=1")),
            service.resource(baseURL: "https://h.test/v1/a/", path: "b").withParam("x", "1"),
            service.resource("/a/c").relative("b?x=1"), service.resource("/z").relative("./a/./b?x=1"),
            service.resource("/a/b").relative("?x=1"), resource.relative(""),
        ]
        for other in others { #expect(other === resource, "\(other)") }
        #expect(Set(others + [resource]).count == 1)
    }

    @Test(arguments: [
        "http://h.test/v1/a", "https://g.test/v1/a", "https://h.test/v1/a/", "https://h.test/v1/A",
        "https://h.test/v1/a?", "https://h.test/v1/a?x", "https://h.test:8080/v1/a",
    ])
    func `Scheme, host, path and query tell resources apart`(_ url: String) {
        #expect(service.resource(absoluteURL: url) !== service.resource("a"))
        #expect(service.resource(absoluteURL: url) != service.resource("a"))
    }

    @Test func `Services do not share resources`() {
        let other = Service(baseURL: "https://h.test/v1", networking: StubNetwork())
        #expect(other.resource("a") !== service.resource("a"))
        #expect(other.resource("a").service === other)
        #expect(other != service)
        #expect(Set([other, service, other]).count == 2)
    }

    // MARK: Memory

    @Test func `The limit is 2048 at first`() {
        #expect(service.cachedResourceCountLimit == 2048)
    }

    @Test func `An unused resource stays, with its data, until the limit is exceeded`() {
        service.cachedResourceCountLimit = 3
        service.resource("a").overrideLocalContent(with: "data")
        _ = (service.resource("b"), service.resource("c"))
        #expect(service.resource("a").text == "data")
    }

    @Test func `Over the limit, the least recently used of the unused resources go`() {
        service.cachedResourceCountLimit = 3
        for name in ["a", "b", "c"] { service.resource(name).overrideLocalContent(with: name) }
        _ = service.resource("a")
        _ = service.resource(absoluteURL: "https://h.test/v1/d")
        #expect(service.resource("a").text == "a")
        #expect(service.resource("c").text == "c")
        #expect(service.resource("b").text == "")
    }

    @Test func `A lower limit takes effect at once`() {
        for name in ["a", "b", "c"] { service.resource(name).overrideLocalContent(with: name) }
        weak let oldest: Resource? = service.resource("b")
        _ = (service.resource("a"), service.resource("c"))
        service.cachedResourceCountLimit = 2
        #expect(oldest == nil)
        #expect(service.resource("a").text == "a")
        service.cachedResourceCountLimit = 0
        #expect(service.resource("a").text == "")
        service.cachedResourceCountLimit = -1
        service.resource("a").overrideLocalContent(with: "a")
        _ = service.resource("b")
        #expect(service.resource("a").text == "")
    }

    @Test func `Used resources stay, however low the limit: held, observed, loading`() {
        let network = StubNetwork()
        network.answer(.get, "/loading", with: .held)
        let service = Service(baseURL: "https://h.test/v1", networking: network)
        let owner = Held()
        let held = service.resource("held")
        held.overrideLocalContent(with: 1)
        service.resource("observed").addObserver(owner: owner) { _, _ in }
        service.resource("observed").overrideLocalContent(with: 2)
        service.resource("loading").load()
        service.cachedResourceCountLimit = 0
        for number in 0..<100 { _ = service.resource("\(number)") }
        service.flushUnusedResources()
        #expect(service.resource("held") === held)
        #expect(service.resource("observed").typedContent() == 2)
        #expect(service.resource("loading").isLoading)
        service.resource("observed").removeObservers(ownedBy: owner)
        service.flushUnusedResources()
        #expect(service.resource("observed").latestData == nil)
    }

    @Test func `A resource whose observers' owner is gone is unused`() {
        var owner: Held? = Held()
        weak let resource: Resource? = service.resource("a")
        if let owner { resource?.addObserver(owner: owner) { _, _ in } }
        service.flushUnusedResources()
        #expect(resource != nil)
        owner = nil
        service.flushUnusedResources()
        #expect(resource == nil)
    }

    @Test func `One flush drops resources whose observers have lost their owners, and tells the observers`() {
        var owner: Held? = Held()
        let recorder = ObserverRecorder()
        weak let resource: Resource? = service.resource("a")
        if let owner { resource?.addObserver(recorder, owner: owner) }
        recorder.clear()  // The records reference the resource.
        owner = nil
        service.flushUnusedResources()
        #expect(recorder.stoppedCount == 1)
        #expect(resource == nil)
    }

    @Test func `One flush drops a resource that only its own observer referenced`() {
        var owner: Held? = Held()
        weak let resource: Resource? = service.resource("a")
        if let owner, let resource { resource.addObserver(Referencing(resource), owner: owner) }
        owner = nil
        service.flushUnusedResources()
        #expect(resource == nil)
    }

    @Test func `One flush follows observers that own observers of other resources`() {
        var owner: Held? = Held()
        let recorder = ObserverRecorder()
        weak let last: Resource? = service.resource("last")
        weak let first: Resource? = service.resource("first")
        if let owner, let first, let last {
            let link = Referencing(last)
            last.addObserver(recorder, owner: link)
            first.addObserver(link, owner: owner)
        }
        recorder.clear()
        owner = nil
        service.flushUnusedResources()
        #expect(recorder.stoppedCount == 1)
        #expect(first == nil)
        #expect(last == nil)
    }

    @Test func `An observer that adds itself whenever it is dismissed does not stop a flush`() {
        weak let resource: Resource? = service.resource("a")
        resource?.addObserver(Persistent(), owner: Held())
        service.flushUnusedResources()
        #expect(service.resource("b").latestData == nil)
    }

    @Test func `Observers that a look-up has dismissed are told by a flush in the same turn`() {
        service.cachedResourceCountLimit = 1
        let recorder = ObserverRecorder()
        weak let resource: Resource? = service.resource("a")
        resource?.addObserver(recorder, owner: Held())
        recorder.clear()
        _ = service.resource("b")
        service.flushUnusedResources()
        #expect(recorder.stoppedCount == 1)
        #expect(resource == nil)
    }

    @Test func `Flushing drops all unused resources, and only those`() {
        let held = service.resource("held")
        weak let unused: Resource? = service.resource("unused")
        #expect(unused != nil)
        service.flushUnusedResources()
        #expect(unused == nil)
        #expect(service.resource("held") === held)
    }

    @Test func `A look-up with everything in use stays fast: 20 000 held resources over a limit of 10`() {
        service.cachedResourceCountLimit = 10
        let held = (0..<20_000).map { service.resource("\($0)") }
        #expect(service.resource("0") === held[0])
        #expect(service.resource("19999") === held[19_999])
    }

    // MARK: Lifetime

    @Test func `A service nobody refers to goes, and its unused resources with it`() {
        weak var weakService: Service?
        weak var weakResource: Resource?
        do {
            let service = Service(baseURL: "https://h.test", networking: StubNetwork())
            service.configure("**") { $0.expirationTime = 1 }
            let resource = service.resource("a")
            _ = resource.configuration
            resource.overrideLocalContent(with: "x")
            (weakService, weakResource) = (service, resource)
        }
        #expect(weakService == nil)
        #expect(weakResource == nil)
    }

    @Test func `What a held resource leads to after the release of its service is freed with it`() async {
        weak var weakResource: Resource?
        weak var weakChild: Resource?
        do {
            let resource = Service(baseURL: "https://h.test", networking: StubNetwork()).resource("a")
            resource.overrideLocalContent(with: "x")
            let child = resource.child("b")
            #expect(child.relative("../a") === resource)
            (weakResource, weakChild) = (resource, child)
        }
        await mainQueueTurn()
        await mainQueueTurn()
        #expect(weakResource == nil)
        #expect(weakChild == nil)
    }

    @Test func `A resource that is held works on after its service was dropped, and is still unique`() async {
        let network = StubNetwork()
        network.answer(.get, "/a", with: .text("hello"))
        let resource = Service(baseURL: "https://h.test", networking: network).configured().resource("a")
        #expect(resource.configuration.expirationTime == 77)
        await resource.load().completion()
        #expect(resource.text == "hello")
        #expect(resource.service.resource("a") === resource)
        #expect(resource.service === resource.service)
        #expect(resource.child("b").url.absoluteString == "https://h.test/a/b")
        #expect(resource.child("b").relative("../a") === resource)
        #expect(resource.description == "Resource(…/a)[D]")
    }

    @Test func `A load in flight completes though service and resource were dropped`() async throws {
        let network = StubNetwork()
        network.answer(.get, "/a", with: .held)
        let load = Service(baseURL: "https://h.test", networking: network).resource("a").load()
        try #require(network.lastExchange).respond(with: .text("late"))
        #expect(await load.completion().text == "late")
    }

    @Test func `A service and a resource may be released off the main thread`() async {
        let last = LastReferences()
        last.service = Service(baseURL: "https://h.test", networking: StubNetwork())
        last.resource = last.service?.resource("a")
        last.resource?.addObserver(owner: last) { _, _ in }
        weak let weakService = last.service
        weak let weakResource = last.resource
        await Task.detached { last.drop() }.value
        await mainQueueTurn()
        await mainQueueTurn()
        #expect(weakService == nil)
        #expect(weakResource == nil)
    }
}

private final class Held {}

/// An observer that references a resource.
@MainActor
private final class Referencing: ResourceObserver {
    let resource: Resource

    init(_ resource: Resource) {
        self.resource = resource
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
}

/// An observer that begins to observe again whenever its observation ends.
@MainActor
private final class Persistent: ResourceObserver {
    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
    func stoppedObserving(resource: Resource) { resource.addObserver(self, owner: Held()) }
}

/// References that several threads use, one after the other.
private final class LastReferences: @unchecked Sendable {
    var service: Service?
    var resource: Resource?

    func drop() {
        service = nil
        resource = nil
    }
}

extension Service {
    fileprivate func configured() -> Service {
        configure("/a") { $0.expirationTime = 77 }
        return self
    }
}
