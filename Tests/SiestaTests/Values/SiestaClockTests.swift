import Foundation
import Siesta
import SiestaTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct SiestaClockTests {
    @Test func `The system clock is current unless a scope says otherwise`() {
        #expect(SiestaClock.current === SiestaClock.system)
        let clock = TestClock()
        clock.whileCurrent { #expect(SiestaClock.current === clock.clock) }
        #expect(SiestaClock.current === SiestaClock.system)
    }

    @Test func `The system clock shows seconds since the reference date`() {
        let before = Date().timeIntervalSinceReferenceDate
        let shown = SiestaClock.system.wallTime
        #expect(shown >= before && shown <= Date().timeIntervalSinceReferenceDate)
    }

    @Test func `Monotonic time never goes back`() {
        let first = SiestaClock.system.monotonicTime
        #expect(SiestaClock.system.monotonicTime >= first)
    }

    @Test(arguments: [0, -5, 0.001])
    func `The system clock calls back on the main actor, never before returning`(delay: TimeInterval) async {
        var hasReturned = false
        await withCheckedContinuation { continuation in
            SiestaClock.system.schedule(after: delay) {
                MainActor.assertIsolated()
                #expect(hasReturned)
                continuation.resume()
            }
            hasReturned = true
        }
    }

    @Test func `A service keeps the clock that was current when it was made, and calls back with it`() async {
        let clock = TestClock(wallTime: 77)
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("x"))
        let service = clock.whileCurrent { Service(baseURL: "http://clock.test", networking: network) }
        service.configureTransformer("/x") { (entity: Entity<String>) -> TimeInterval? in
            Entity(content: entity.text, contentType: "a/b").timestamp
        }
        let resource = service.resource("/x")
        var timestampInHook: TimeInterval?
        let request = resource.load().onSuccess { _ in
            timestampInHook = Entity(content: 0, contentType: "a/b").timestamp
        }
        await request.completion()
        #expect(resource.latestData?.timestamp == 77)
        #expect(resource.typedContent(ifNone: 0.0) == 77)
        #expect(timestampInHook == 77)
    }
}
