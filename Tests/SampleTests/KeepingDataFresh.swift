import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import Testing
import Waiting

extension Samples {
    /// The article "Keeping data fresh", and the doc comments of its functions.
    @MainActor
    struct KeepingDataFresh {
        let server = stage.newServer()
        let clock = TestClock()
        let status = NetworkStatus()
        let service: Service
        var score: Resource { service.resource("/score") }

        init() {
            service = clock.whileCurrent { Service(baseURL: "https://api.example.com") }
            service.networkStatus = status
            service.appActivity = AppActivity()
            server.answer("GET /score", .text("1:0"), .text("2:0"), .text("2:1"))
        }

        @Test func `One line sets what most apps want`() async throws {
            service.configure { $0.useRecommendedReloading() }
            let screen = ObserverRecorder()
            score.addObserver(screen)
            try await Poll.until { score.latestData != nil }
            #expect(score.text == "1:0")
            #expect(score.configuration.retry.retryLimit == 3)
        }

        @Test func `Rules choose the triggers`() async throws {
            service.configure { $0.reload = [.observed, .foreground, .reconnected] }
            service.configure("/settings") { $0.reload = [] }
            let screen = ObserverRecorder()
            service.resource("/settings").addObserver(screen)
            score.addObserver(screen)
            try await Poll.until { score.latestData != nil }
            clock.advance(by: 31)
            status.isConnected = false
            status.isConnected = true
            try await Poll.until { score.text == "2:0" }
            #expect(server.received == ["GET /score", "GET /score"])
        }

        @Test func `Rules change single options`() async throws {
            service.configure { $0.useRecommendedReloading() }
            service.configure("/feed/**") { $0.reload = [.reconnected] }
            service.resource("/feed/1").addObserver(ObserverRecorder())
            #expect(service.resource("/feed/1").configuration.reload == [.reconnected])
            #expect(score.configuration.reload.contains(.observed))
        }

        @MainActor
        final class ScoreScreen: ResourceObserver {
            init(_ score: Resource) {
                score.addObserver(self).poll(every: 30, owner: self)
            }

            func resourceChanged(_ resource: Resource, event: ResourceEvent) {
                show(resource.latestData?.text)
            }
        }

        @Test func `A screen polls as long as it exists`() async throws {
            var screen: ScoreScreen? = ScoreScreen(score)
            try await stage.hasPrinted("1:0")
            clock.advance(by: 30)
            try await stage.hasPrinted("2:0")
            #expect(screen != nil)
            screen = nil
            clock.advance(by: 300)
            #expect(server.received.count == 2)
            #expect(clock.timers.isEmpty)
        }

        @MainActor
        final class ProfileScreen: ResourceObserver {
            init(_ profile: Resource) {
                profile.addObserver(self).poll(every: 30, owner: self)
            }

            func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
        }

        @Test func `A profile is polled`() async throws {
            let screen = ProfileScreen(score)
            try await Poll.until { score.latestData != nil }
            withExtendedLifetime(screen) {}
        }

        @Test func `A loop polls as long as it runs`() async throws {
            let score = score
            let loop = Task {
                for await state in score.states(pollingEvery: 30) {
                    show(state.data?.text)
                }
            }
            try await stage.hasPrinted("1:0")  // sample.hidden
            clock.advance(by: 30)  // sample.hidden
            try await stage.hasPrinted("2:0")  // sample.hidden
            loop.cancel()
            await loop.value
            clock.advance(by: 300)
            #expect(server.received.count == 2)
            #expect(clock.timers.isEmpty)
        }

        @Test func `A loop on one line`() async throws {
            let resource = score
            let loop = Task {
                for await state in resource.states(pollingEvery: 30) { show(state.data) }
            }
            try await stage.hasPrinted("Entity")
            loop.cancel()
            await loop.value
        }

        @Test func `The app tells whether its window is in use`() async throws {
            service.configure { $0.reload = [.foreground] }
            let activity = AppActivity()
            service.appActivity = activity

            func windowLostFocus() { activity.isActive = false }
            func windowGotFocus() { activity.isActive = true }
            let screen = ObserverRecorder()
            score.addObserver(screen)
            windowLostFocus()
            #expect(server.received.isEmpty)
            windowGotFocus()
            try await Poll.until { score.latestData != nil }
            #expect(server.received.count == 1)
        }

        @Test func `A search that nobody waits for is cancelled`() async throws {
            service.configure("/search/*") { $0.cancelsLoadsAfterLastObserver = 2 }
            let screen = ObserverRecorder()
            let search = service.resource("/search/swift").addObserver(screen)
            let gate = AsyncStream<Void>.makeStream()
            server.answer("GET /search/swift", .script { _ in gate.continuation.yield() })
            let load = search.load()
            for await _ in gate.stream { break }
            search.removeObservers(ownedBy: screen)
            clock.advance(by: 2)
            await #expect(throws: RequestError.self) { _ = try await load.value }
        }

        @MainActor @Test func `The data is loaded again when the network returns`() async throws {
            let (network, clock, status) = (StubNetwork(), TestClock(), NetworkStatus())
            network.answer(.get, "/v1/users/42", with: .json(#"{"id": 42, "name": "Ada"}"#))
            let api = clock.whileCurrent { MyAPI(networking: network) }
            api.networkStatus = status
            api.configure { $0.reload = [.observed, .reconnected] }
            let recorder = ObserverRecorder()
            api.user(42).addObserver(recorder)
            await recorder.next(.newData(.network))
            clock.advance(by: 301)  // MyAPI keeps users fresh for 300 seconds.
            status.isConnected = false
            status.isConnected = true
            await recorder.next(.newData(.network))
            #expect(network.requests.count == 2)
        }
    }
}
