import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The conditions under which the library loads a resource, or cancels its load, without being asked.
@MainActor @Suite(.timeLimit(.test))
struct ReloadConditionsTests {
    private func trying(_ configure: @escaping (inout Configuration) -> Void) -> TryingService {
        let trying = TryingService(configure)
        trying.network.handler = { _ in .text("a") }
        return trying
    }

    private func reconnect(_ trying: TryingService) {
        trying.status.isConnected = false
        trying.status.isConnected = true
    }

    @Test func `An occasion on which the data is fresh delays no reload`() async {
        let trying = trying { $0.reload = [.observed] }
        let (one, other, third) = (ObserverRecorder(), ObserverRecorder(), ObserverRecorder())
        trying.resource.addObserver(one)
        await trying.pass(29, step: 0.5)
        trying.resource.addObserver(other)
        await trying.pass(2)
        #expect(trying.sentCount == 1)
        trying.resource.addObserver(third)
        #expect(trying.sentCount == 2)
    }

    @Test func `The foreground starts no loads while there is no network`() async {
        let trying = trying { $0.reload = [.foreground] }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        trying.status.isConnected = false
        trying.activity.isActive = false
        trying.activity.isActive = true
        await trying.pass(10, step: 0.5)
        #expect(trying.sentCount == 0)
    }

    @Test func `A reload that was put off does not start without a network`() async {
        let trying = trying {
            $0.reload = [.reconnected]
            ($0.expirationTime, $0.retryTime) = (0, 0)
        }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        reconnect(trying)
        await trying.pass(1)
        reconnect(trying)
        trying.status.isConnected = false
        await trying.pass(10, step: 0.5)
        #expect(trying.sentCount == 1)
    }

    @Test func `The return of the network also counts in the background`() async {
        let trying = trying {
            $0.reload = [.reconnected]
            ($0.expirationTime, $0.retryTime) = (0, 0)
        }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        trying.activity.isActive = false
        reconnect(trying)
        #expect(trying.sentCount == 1)
        await trying.pass(1)
        reconnect(trying)
        #expect(trying.sentCount == 1)
        await trying.pass(5)
        #expect(trying.sentCount == 2)
    }

    @Test func `A new source with a network is an occasion if the old one had none`() async {
        let trying = trying { $0.reload = [.reconnected] }
        let screen = ObserverRecorder()
        trying.resource.addObserver(screen)
        trying.status.isConnected = false
        trying.service.networkStatus = NetworkStatus()
        await trying.settle()
        #expect(trying.sentCount == 1)
    }

    @Test(arguments: [-1, Double.nan])
    func `A delay of cancellations that is not a positive number counts as 0`(_ delay: Double) async {
        let trying = trying { $0.cancelsLoadsAfterLastObserver = delay }
        trying.network.handler = { _ in .held }
        let screen = ObserverRecorder()
        let load = trying.resource.addObserver(screen).load()
        await trying.pass(1)
        #expect(!load.isCompleted)
        trying.resource.removeObservers(ownedBy: screen)
        await trying.pass(0.2)
        #expect(load.isCompleted)
    }
}
