import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Loads that nobody waits for any more.
@MainActor @Suite(.timeLimit(.test))
struct CancelLoadIfUnobservedTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }

    init() {
        stub.network.handler = { _ in .held }
    }

    @Test func `Without observers all loads are cancelled, and no other request`() {
        let loads = [resource.load(), resource.load()]
        let request = resource.request(.get)
        resource.cancelLoadIfUnobserved()
        #expect(loads.map(\.state) == [.completed, .completed])
        #expect(!resource.isLoading)
        #expect(request.state == .inProgress)
        request.cancel()
    }

    @Test func `With an observer nothing is cancelled`() {
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        let load = resource.load()
        resource.cancelLoadIfUnobserved()
        #expect(load.state == .inProgress)
        resource.removeObservers(ownedBy: recorder)
        resource.cancelLoadIfUnobserved()
        #expect(load.state == .completed)
        #expect(recorder.events == [.observerAdded, .requested])
    }

    @Test func `An observer whose owner is gone does not count`() {
        let load = resource.load()
        do {
            let owner = NSObject()
            resource.addObserver(owner: owner) { _, _ in }
        }
        resource.cancelLoadIfUnobserved()
        #expect(load.state == .completed)
    }

    @Test func `Without a load in progress nothing happens`() {
        resource.cancelLoadIfUnobserved()
        #expect(resource.latestError == nil)
    }

    @Test func `With a delay the observers that there are then count, not those that there were before`() {
        let load = resource.load()
        var calls = 0
        resource.cancelLoadIfUnobserved(afterDelay: 0.1) { calls += 1 }
        stub.clock.advance(by: 0.09)
        #expect(load.state == .inProgress)
        #expect(calls == 0)
        stub.clock.advance(by: 0.01)
        #expect(load.state == .completed)
        #expect(calls == 1)
    }

    @Test func `An observer that comes within the delay saves the load; the callback is called all the same`() {
        let recorder = ObserverRecorder()
        let load = resource.load()
        var states: [Bool] = []
        resource.cancelLoadIfUnobserved(afterDelay: 1) { states.append(resource.isLoading) }
        stub.clock.advance(by: 0.5)
        resource.addObserver(recorder)
        stub.clock.advance(by: 0.5)
        #expect(load.state == .inProgress)
        #expect(states == [true])
        load.cancel()
    }

    @Test func `The callback comes after the cancellation, and also if there was nothing to cancel`() {
        var states: [Bool] = []
        resource.cancelLoadIfUnobserved(afterDelay: 1) { states.append(resource.isLoading) }
        stub.clock.advance(by: 1)
        resource.load()
        resource.cancelLoadIfUnobserved(afterDelay: 1) { states.append(resource.isLoading) }
        stub.clock.advance(by: 1)
        #expect(states == [false, false])
    }

    @Test(arguments: [0, -1])
    func `The callback may be left out, and is never called inside the call`(_ delay: TimeInterval) {
        let load = resource.load()
        var calls = 0
        resource.cancelLoadIfUnobserved(afterDelay: delay)
        resource.cancelLoadIfUnobserved(afterDelay: delay) { calls += 1 }
        #expect(calls == 0)
        #expect(load.state == .inProgress)
        stub.clock.advance(by: 0)
        #expect(calls == 1)
        #expect(load.state == .completed)
    }

    @Test func `On the system's clock the delayed form works, too`() async {
        let network = StubNetwork()
        network.handler = { _ in .held }
        let resource = Service(baseURL: "https://api.test", networking: network).resource("/thing")
        let load = resource.load()
        await withCheckedContinuation { continuation in
            resource.cancelLoadIfUnobserved(afterDelay: 0.001) { continuation.resume() }
        }
        #expect(load.state == .completed)
    }
}
