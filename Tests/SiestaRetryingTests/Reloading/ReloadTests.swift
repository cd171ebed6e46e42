import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads that start on certain occasions, and loads that end because nobody observes them.
@MainActor @Suite(.timeLimit(.test))
struct ReloadTests {
    private func trying(_ configure: @escaping (inout Configuration) -> Void) -> TryingService {
        let trying = TryingService(configure)
        trying.network.handler = { _ in .text("a") }
        return trying
    }

    @Test func `A new observer starts a load if it is needed`() async {
        let trying = trying { $0.reload = [.observed] }
        let (one, other) = (ObserverRecorder(), ObserverRecorder())
        trying.resource.addObserver(one)
        #expect(one.events == [.observerAdded, .requested])
        await trying.settle()
        trying.resource.addObserver(other)
        await trying.pass(31, step: 0.5)
        #expect(trying.sentCount == 1)
        trying.resource.removeObservers(ownedBy: other)
        trying.resource.addObserver(other)
        #expect(trying.sentCount == 2)
    }

    @Test func `A new observer starts a load also after requests with other methods`() async {
        let trying = trying { $0.reload = [.observed] }
        _ = trying.resource.request(.post)
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        #expect(trying.sentCount == 2)
        trying.service.configure { $0.expirationTime = 10 }
        _ = trying.resource.request(.post)
        #expect(trying.resource.configuration.expirationTime == 10)
        withExtendedLifetime(screen) {}
    }

    @Test func `Without the option, nothing happens`() async {
        let trying = trying { _ in }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        trying.status.isConnected = false
        trying.status.isConnected = true
        trying.activity.isActive = false
        trying.activity.isActive = true
        await trying.pass(10)
        #expect(trying.sentCount == 0)
        #expect(trying.clock.timers.isEmpty)
    }

    @Test func `A reload happens at most once in 5 seconds`() async {
        let trying = trying {
            $0.reload = [.observed]
            $0.expirationTime = 0
        }
        let screen = ObserverRecorder()
        for _ in 0..<100 {
            trying.resource.addObserver(screen)
            await trying.pass(0.1)
            trying.resource.removeObservers(ownedBy: screen)
        }
        #expect((2...3).contains(trying.sentCount))
    }

    @Test func `A cancelled reload does not delay the next one`() async {
        let trying = trying { $0.reload = [.observed] }
        trying.network.handler = { _ in .held }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        trying.resource.removeObservers(ownedBy: screen)
        trying.resource.cancelLoadIfUnobserved()
        await trying.pass(0.2)
        trying.resource.addObserver(screen)
        #expect(trying.sentCount == 2)
        trying.resource.cancelLoadIfUnobserved()
    }

    @Test func `In the foreground and with the network, observed resources are loaded if they need it`() async {
        for (index, trigger) in [ReloadTrigger.foreground, .reconnected].enumerated() {
            let trying = trying { $0.reload = [trigger] }
            let screen = ObserverRecorder()
            let fresh = trying.service.resource("/fresh")
            let unobserved = trying.service.resource("/unobserved")
            trying.resource.addObserver(screen)
            fresh.addObserver(screen)
            await fresh.load().completion()
            let switchOn = { isOn in
                if index == 0 { trying.activity.isActive = isOn } else { trying.status.isConnected = isOn }
            }
            switchOn(false)
            #expect(trying.sentCount == 1)
            switchOn(true)
            await trying.settle()
            #expect(trying.network.requests.map { $0.url?.lastPathComponent } == ["fresh", "thing"])
            #expect(unobserved.latestData == nil)
        }
    }

    @Test func `A reload that comes too soon after the last is made up for`() async {
        let trying = trying { $0.reload = [.reconnected] }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        trying.network.handler = { _ in .failure(.networkConnectionLost) }
        for _ in 0..<3 {
            trying.status.isConnected = false
            trying.status.isConnected = true
            await trying.pass(1)
        }
        #expect(trying.sentCount == 1)
        trying.network.handler = { _ in .text("a") }
        await trying.pass(6)
        #expect(trying.sentCount == 2)
        #expect(trying.resource.latestError == nil)
    }

    @Test func `An error just before the network returns does not prevent the reload`() async {
        let trying = trying { $0.reload = [.reconnected] }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        trying.status.isConnected = false
        trying.network.handler = { _ in .failure(.notConnectedToInternet) }
        await trying.resource.load().completion()
        trying.network.handler = { _ in .text("a") }
        trying.status.isConnected = true
        await trying.pass(1.3)
        #expect(trying.sentCount == 2)
        #expect(trying.resource.latestError == nil)
    }

    @Test func `Many reloads are spread over time`() async {
        let trying = trying { $0.reload = [.reconnected] }
        let screen = ObserverRecorder()
        let resources = (0..<400).map { trying.service.resource("/r\($0)") }
        for resource in resources { resource.addObserver(screen) }
        trying.status.isConnected = false
        trying.status.isConnected = true
        #expect(trying.sentCount == 0)
        await trying.pass(4.8)
        #expect(trying.sentCount == 0)  // The jitter of this clock is the greatest.
        await trying.pass(0.3)
        #expect(trying.sentCount == 400)
    }

    @Test func `The recommended options retry and reload`() async {
        let trying = trying { $0.useRecommendedReloading() }
        #expect(trying.resource.configuration.reload == [.observed, .foreground, .reconnected])
        let statuses = [503, 503, 200]
        let network = trying.network
        network.handler = { _ in .response(statuses[min(network.requests.count - 1, 2)]) }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        await trying.pass(3)
        #expect(trying.sentCount == 3)
        #expect(trying.resource.latestData != nil)
    }

    @Test func `A rule that is added later counts for observed resources`() async {
        let trying = trying { _ in }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        trying.service.configure { $0.reload = [.foreground] }
        _ = trying.resource.isUpToDate
        trying.activity.isActive = false
        trying.activity.isActive = true
        #expect(trying.sentCount == 1)
    }

    // MARK: Loads that nobody observes

    @Test func `The load of an abandoned resource is cancelled after the time`() async {
        let trying = trying { $0.cancelsLoadsAfterLastObserver = 2 }
        trying.network.handler = { _ in .held }
        let screen = ObserverRecorder()
        let load = trying.resource.addObserver(screen).load()
        await trying.pass(10)
        trying.resource.removeObservers(ownedBy: screen)
        trying.clock.advance(by: 1.9)
        #expect(!load.isCompleted)
        trying.clock.advance(by: 0.2)
        #expect(load.isCompleted)
        await trying.pass(3)
        #expect(trying.clock.timers.isEmpty)
    }

    @Test func `A new observer keeps the load`() async {
        let trying = trying { $0.cancelsLoadsAfterLastObserver = 2 }
        trying.network.handler = { _ in .held }
        let (one, other) = (ObserverRecorder(), ObserverRecorder())
        let load = trying.resource.addObserver(one).load()
        trying.resource.removeObservers(ownedBy: one)
        await trying.pass(1.5)
        trying.resource.addObserver(other)
        await trying.pass(1.5)
        trying.resource.removeObservers(ownedBy: other)
        await trying.pass(1.5)
        #expect(!load.isCompleted)
        await trying.pass(0.6)
        #expect(load.isCompleted)
    }

    @Test func `The load of a resource that had no observer continues`() async {
        let trying = trying { $0.cancelsLoadsAfterLastObserver = 0 }
        trying.network.handler = { _ in .held }
        let load = trying.resource.load()
        await trying.pass(10)
        #expect(!load.isCompleted)
        load.cancel()
    }

    @Test func `An observer whose owner is gone is noticed`() async {
        let trying = trying { $0.cancelsLoadsAfterLastObserver = 1 }
        trying.network.handler = { _ in .held }
        var screen: ObserverRecorder? = ObserverRecorder()
        trying.resource.addObserver(screen ?? ObserverRecorder())
        let load = trying.resource.load()
        await trying.pass(1)
        screen = nil
        await trying.pass(2)
        #expect(load.isCompleted)
        #expect(screen == nil)
    }

    @Test func `Several cancelled loads do not let a reload follow the last at once`() async {
        let trying = trying { $0.reload = [.observed] }
        trying.network.handler = { _ in .held }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        trying.resource.removeObservers(ownedBy: screen)
        trying.resource.cancelLoadIfUnobserved()
        for _ in 0..<2 { trying.resource.load().cancel() }
        trying.resource.addObserver(screen)
        #expect(trying.sentCount == 3)
    }

    @Test func `A reload that was put off for a released resource does not prevent others`() async {
        let trying = trying {
            $0.reload = [.reconnected]
            ($0.expirationTime, $0.retryTime) = (0, 0)
        }
        trying.network.handler = { _ in .text("a") }
        func reconnect() {
            trying.status.isConnected = false
            trying.status.isConnected = true
        }
        for round in 1...2 {
            weak var released: Resource?
            do {
                let (screen, resource) = (Screen(), trying.resource)
                released = resource
                resource.addObserver(screen)
                reconnect()
                await trying.pass(1)
                reconnect()  // Puts a reload off.
                if round == 2 { await trying.pass(10) }
                resource.removeObservers(ownedBy: screen)
            }
            trying.service.flushUnusedResources()
            #expect(released == nil)
            await trying.pass(10)
        }
        #expect(trying.sentCount == 3)
    }

    @Test func `Of two loads, the one during which nobody has observed the resource continues`() async {
        let trying = trying { $0.cancelsLoadsAfterLastObserver = 2 }
        trying.network.handler = { _ in .held }
        let screen = ObserverRecorder()
        let seen = trying.resource.addObserver(screen).load()
        trying.resource.removeObservers(ownedBy: screen)
        await trying.pass(1)
        let unseen = trying.resource.load()
        await trying.pass(5)
        #expect(seen.isCompleted)
        #expect(!unseen.isCompleted)
        unseen.cancel()
    }

    @Test func `A resource is not held after its load, however long the time is`() async {
        for delay in [Double.infinity, 1000] {
            let trying = trying { $0.cancelsLoadsAfterLastObserver = delay }
            trying.network.handler = { _ in .held }
            weak var released: Resource?
            do {
                let (screen, resource) = (Screen(), trying.resource)
                released = resource
                resource.addObserver(screen)
                resource.load()
                await trying.pass(6)
                resource.removeObservers(ownedBy: screen)
                await trying.pass(6)
                trying.network.exchanges[0].respond(with: .text("a"))
                await trying.settle()
            }
            trying.service.flushUnusedResources()
            #expect(released == nil)
        }
    }
}

@MainActor
private final class Screen: ResourceObserver {
    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
}
