import Foundation

import SiestaTesting
import TestKit
import Testing

@testable import SiestaCore

@MainActor @Suite(.timeLimit(.test))
struct MemoryPressureTests {
    @Test func `Reported pressure drops unused resources, and no others`() async {
        let (service, pressure) = (Service(baseURL: "http://a.test", networking: StubNetwork()), MemoryPressure())
        service.flushUnusedResources(under: pressure)
        let used = service.resource("/used")
        weak let unused = service.resource("/unused")
        #expect(unused != nil)
        await Task.detached { pressure.report() }.value
        await mainQueueTurn()
        #expect(unused == nil)
        #expect(service.resource("/used") === used)
    }

    @Test func `A signal does not keep the service`() async {
        let pressure = MemoryPressure()
        weak var weakService: Service?
        do {
            let service = Service(networking: StubNetwork())
            weakService = service
            service.flushUnusedResources(under: pressure)
        }
        #expect(weakService == nil)
        pressure.report()
    }

    @Test func `A service reacts from its creation on if the platform reports low memory, and on Linux only if asked`()
        async
    {
        #if os(Linux)
        #expect(MemoryPressure.automatic == nil)
        #else
        #expect(MemoryPressure.automatic != nil)
        #endif
        let pressure = MemoryPressure()
        let service = MemoryPressure.$automatic.withValue(pressure) { Service(networking: StubNetwork()) }
        weak let unused = service.resource(absoluteURL: "http://a.test/unused")
        #expect(unused != nil)
        pressure.report()
        await mainQueueTurn()
        #expect(unused == nil)
    }

    @Test func `A signal forgets released services, however many come and go`() {
        let pressure = MemoryPressure()
        let kept = Service(networking: StubNetwork())
        kept.flushUnusedResources(under: pressure)
        for _ in 0..<1000 { Service(networking: StubNetwork()).flushUnusedResources(under: pressure) }
        #expect((1...16).contains(pressure.listenerCount))
    }

    @Test func `The system's signal can be had, or says why not`() {
        do {
            _ = try MemoryPressure.system()
        } catch {
            #expect("\(error.localizedDescription)".contains("/proc/pressure/memory"))
        }
    }
}
