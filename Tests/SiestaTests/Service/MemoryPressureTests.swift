import Foundation
import Siesta
import SiestaTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(30)))
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

    @Test func `The system's signal can be had, or says why not`() {
        do {
            _ = try MemoryPressure.system()
        } catch {
            #expect("\(error.localizedDescription)".contains("/proc/pressure/memory"))
        }
    }
}
