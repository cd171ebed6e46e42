import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Code of the app that runs because the service drops resources, and that uses the service.
@MainActor @Suite(.timeLimit(.test))
struct ServiceReentrancyTests {
    private let stub = StubbedResource()
    private let log = EventLog()
    private let owner = Owner()

    @Test func `An observer that stops may use the service, also while that drops unused resources`() async {
        let listener = Listener("a", log)
        listener.onStopped = { $0.service.resource("/another").tell() }
        stub.service.resource("/observed").addObserver(listener, owner: Owner()).addObserver(owner: owner) { _, _ in }
        stub.service.flushUnusedResources()
        await mainQueueTurn()
        #expect(log.lines == ["a observerAdded", "a stopped"])
        #expect(stub.service.resource("/another").latestData != nil)
    }

    @Test func `A resource whose last observer has yet to hear that it stopped is not dropped before`() async {
        var isOnly: Bool?
        let listener = Listener("a", log)
        listener.onStopped = { isOnly = $0.service.resource("/observed") === $0 }
        stub.service.resource("/observed").addObserver(listener, owner: Owner())
        stub.service.flushUnusedResources()
        await mainQueueTurn()
        #expect(isOnly == true)
        weak let resource: Resource? = stub.service.resource("/observed")
        stub.service.flushUnusedResources()
        #expect(resource == nil)
    }

    @Test func `What is released with a resource may use the service`() {
        let service = stub.service
        var found: Resource?
        service.resource("/a").overrideLocalContent(with: Farewell { found = service.resource("/b") })
        service.flushUnusedResources()
        #expect(found === service.resource("/b"))
    }
}

/// Performs an action when it is released.
@MainActor
private final class Farewell {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    isolated deinit { action() }
}
