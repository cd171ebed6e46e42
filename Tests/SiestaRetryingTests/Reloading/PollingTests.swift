import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Resources that are loaded again and again.
@MainActor @Suite(.timeLimit(.test))
struct PollingTests {
    private let trying = TryingService { $0.expirationTime = 1000 }
    private var resource: Resource { trying.resource }

    init() {
        trying.network.handler = { _ in .text("a") }
    }

    @Test func `A resource is loaded at once, and then in each interval`() async {
        let screen = ObserverRecorder()
        resource.addObserver(screen).poll(every: 10, owner: screen)
        #expect(trying.sentCount == 1)
        await trying.pass(9.9)
        #expect(trying.sentCount == 1)
        await trying.pass(0.2)
        #expect(trying.sentCount == 2)
        await trying.pass(100, step: 0.5)
        #expect((11...12).contains(trying.sentCount))
    }

    @Test func `The interval begins at the end of the last load, whoever started it`() async {
        let screen = ObserverRecorder()
        resource.addObserver(screen).poll(every: 10, owner: screen)
        await trying.pass(6)
        await resource.load().completion()
        await trying.pass(6)
        #expect(trying.sentCount == 2)
        trying.network.handler = { _ in .held }
        await trying.pass(60, step: 0.5)
        #expect(trying.sentCount == 3)
        trying.network.lastExchange?.respond(with: .text("b"))
        await trying.pass(9.9)
        #expect(trying.sentCount == 3)
        await trying.pass(0.2)
        #expect(trying.sentCount == 4)
    }

    @Test func `The shortest interval wins, and ends with its owner`() async {
        let (slow, fast) = (ObserverRecorder(), Owner())
        resource.addObserver(slow).poll(every: 60, owner: slow).poll(every: 5, owner: fast.object)
        await trying.pass(30.5, step: 0.25)
        #expect((6...7).contains(trying.sentCount))
        fast.release()
        await trying.pass(10, step: 0.25)
        let count = trying.sentCount
        await trying.pass(40, step: 0.25)
        #expect(trying.sentCount == count)
        resource.stopPolling(owner: slow)
        await trying.pass(200, step: 0.5)
        #expect(trying.sentCount == count)
        #expect(trying.clock.timers.isEmpty)
    }

    @Test func `Observers and owners that come do not postpone the next load`() async {
        let (screen, other) = (ObserverRecorder(), ObserverRecorder())
        resource.addObserver(screen).poll(every: 10, owner: screen)
        await trying.pass(9)
        resource.addObserver(other)
        await trying.pass(1.2)
        #expect(trying.sentCount == 2)  // At 10 s, and not at 19 s.
        await trying.pass(8)
        resource.poll(every: 60, owner: other)
        await trying.pass(2.5)
        #expect(trying.sentCount == 3)
    }

    @Test func `A new interval of the same owner counts from the end of the last load`() async {
        let screen = ObserverRecorder()
        resource.addObserver(screen).poll(every: 10, owner: screen)
        await trying.pass(9)
        resource.poll(every: 20, owner: screen)
        await trying.pass(10.5)
        #expect(trying.sentCount == 1)
        await trying.pass(1)
        #expect(trying.sentCount == 2)  // At 20 s, and not at 29 s.
    }

    @Test func `A shorter interval applies at once`() async {
        let (slow, fast) = (ObserverRecorder(), ObserverRecorder())
        resource.addObserver(slow).poll(every: 60, owner: slow)
        await trying.pass(1)
        resource.poll(every: 5, owner: fast)
        await trying.pass(5.1)
        #expect(trying.sentCount == 2)
    }

    @Test func `Without observers there are no loads, and a new observer resumes`() async {
        let owner = NSObject()
        resource.poll(every: 1, owner: owner)
        await trying.pass(30, step: 0.25)
        #expect(trying.sentCount == 0)
        let screen = ObserverRecorder()
        resource.addObserver(screen)
        #expect(trying.sentCount == 1)
        await trying.pass(1.1)
        #expect(trying.sentCount == 2)
        resource.removeObservers(ownedBy: screen)
        await trying.pass(30, step: 0.25)
        #expect(trying.sentCount == 2)
    }

    @Test func `In the background and offline there are no loads; afterwards, stale data is loaded at once`() async {
        let screen = ObserverRecorder()
        resource.addObserver(screen).poll(every: 10, owner: screen)
        await trying.pass(1)
        trying.activity.isActive = false
        trying.status.isConnected = false
        await trying.pass(100, step: 0.5)
        #expect(trying.sentCount == 1)
        trying.activity.isActive = true
        await trying.pass(100, step: 0.5)
        #expect(trying.sentCount == 1)
        trying.status.isConnected = true
        await trying.pass(1)
        #expect(trying.sentCount == 1)  // The data is fresh.
        trying.activity.isActive = false
        trying.clock.advance(by: 2000)
        #expect(trying.sentCount == 1)
        trying.activity.isActive = true
        #expect(trying.sentCount == 2)
    }

    @Test(arguments: [0, -1, Double.nan, .infinity])
    func `An interval that is not positive and finite starts no polling`(_ interval: Double) async {
        let screen = ObserverRecorder()
        resource.addObserver(screen).poll(every: interval, owner: screen)
        await trying.pass(10)
        #expect(trying.sentCount == 0)
        #expect(trying.clock.timers.isEmpty)
    }

    @Test func `A tiny interval counts as 0.1 seconds`() async {
        let screen = ObserverRecorder()
        resource.addObserver(screen).poll(every: 1e-9, owner: screen)
        await trying.pass(2, step: 0.02)
        #expect((10...21).contains(trying.sentCount))
    }

    @Test func `A loop polls as long as it runs`() async throws {
        let resource = resource
        let loop = Task {
            for await state in resource.states(pollingEvery: 10) where state.isLoading && state.data != nil { break }
        }
        await trying.settle()
        for _ in 0..<100 where trying.sentCount < 2 { await trying.pass(1) }
        if trying.sentCount < 2 { loop.cancel() }
        await loop.value
        let count = trying.sentCount
        await trying.pass(60, step: 0.5)
        #expect(trying.sentCount == count)
        #expect(trying.clock.timers.isEmpty)
    }

    @Test func `An owner that dies when it is told ends the poll`() async {
        var owner: NSObject? = NSObject()
        let screen = NSObject()
        resource.addObserver(owner: screen) { _, event in
            if case .newData = event { owner = nil }
        }
        resource.poll(every: 1, owner: owner ?? screen)
        await trying.pass(30, step: 0.25)
        #expect(trying.sentCount == 1)
        #expect(owner == nil)
        #expect(trying.clock.timers.isEmpty)
    }

    @Test func `A poll waits as long as the server asks for`() async {
        let trying = TryingService { $0.retry = .standard }
        trying.network.handler = { _ in .response(503, headers: ["Retry-After": "600"]) }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen).poll(every: 10, owner: screen)
        await trying.pass(590, step: 2)
        #expect(trying.sentCount == 1)
        await trying.pass(30, step: 1)
        #expect(trying.sentCount == 2)
    }

    @Test func `Very many polled resources need one timer`() async {
        let screen = ObserverRecorder()
        let count = TestLevel.count(500, nightly: 10_000)
        let resources = (0..<count).map { trying.service.resource("/r\($0)") }
        for (number, resource) in resources.enumerated() {
            if number % 100 == 0 { await Task.yield() }  // Other tests need the main actor, too.
            resource.addObserver(screen).poll(every: 30, owner: screen)
        }
        await trying.settle()
        #expect(trying.sentCount == count)
        #expect(trying.clock.timers.count == 1)
        trying.clock.advance(by: 31)
        await trying.settle()
        #expect(trying.sentCount == 2 * count)
        #expect(trying.clock.timers.count <= 2)
    }

    @Test func `Polls continue if a source with a network replaces one without`() async {
        trying.status.isConnected = false
        let screen = ObserverRecorder()
        resource.addObserver(screen).poll(every: 1, owner: screen)
        await trying.pass(5)
        #expect(trying.sentCount == 0)
        trying.service.networkStatus = NetworkStatus()
        await trying.pass(5)
        #expect(trying.sentCount > 2)
    }

    @Test func `A poll may end while the library looks for observers`() async {
        let (owner, screen) = (NSObject(), Owner())
        let polled = resource
        func observe() {
            let last = Last { polled.stopPolling(owner: owner) }
            polled.addObserver(owner: screen.object) { _, _ in withExtendedLifetime(last) {} }
        }
        observe()
        polled.poll(every: 1, owner: owner)
        await trying.settle()
        screen.release()
        await trying.pass(30, step: 0.5)
        let recorder = ObserverRecorder()
        for path in ["/a", "/b"] {
            trying.service.resource(path).addObserver(recorder).poll(every: 1, owner: recorder)
        }
        await trying.settle()
        let before = trying.sentCount
        await trying.pass(10, step: 0.1)
        #expect(trying.sentCount >= before + 16)
    }

    /// An owner that a test releases.
    private final class Owner {
        private var value: NSObject? = NSObject()

        var object: NSObject { value ?? NSObject() }

        func release() {
            value = nil
        }
    }

    @Test func `A released owner causes no further load`() async {
        let (slow, fast) = (ObserverRecorder(), Owner())
        resource.addObserver(slow).poll(every: 60, owner: slow).poll(every: 20, owner: fast.object)
        await trying.pass(5, step: 0.25)
        fast.release()
        await trying.pass(40, step: 0.25)
        #expect(trying.sentCount == 1)
        await trying.pass(16, step: 0.25)
        #expect(trying.sentCount == 2)
    }

    @Test func `An interval that is longer than any clock runs does not end the polling of others`() async {
        let (screen, other) = (ObserverRecorder(), ObserverRecorder())
        resource.addObserver(screen).poll(every: .greatestFiniteMagnitude, owner: screen)
        await trying.settle()
        resource.poll(every: .greatestFiniteMagnitude, owner: screen)
        trying.service.resource("/other").addObserver(other).poll(every: 10, owner: other)
        await trying.settle()
        #expect(trying.sentCount == 2)
        await trying.pass(11, step: 0.5)
        #expect(trying.sentCount == 3)
    }
}

/// An object whose release runs code.
private final class Last {
    private let action: @MainActor () -> Void

    init(_ action: @escaping @MainActor () -> Void) {
        self.action = action
    }

    deinit {
        let action = action
        MainActor.assumeIsolated { action() }
    }
}
