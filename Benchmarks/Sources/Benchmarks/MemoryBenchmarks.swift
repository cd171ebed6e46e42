import Foundation
import Siesta

@MainActor
private final class Observer: ResourceObserver {
    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
}

/// What resources, observers and requests take on the heap; the strings of their URLs included.
@MainActor
func memoryBenchmarks() -> [MemoryBenchmark] {
    let count = 100_000
    let observed = makeService().resource("/observed")
    let network = InlineNetwork()
    network.isHolding = true
    let busy = makeService(network)
    return [
        MemoryBenchmark(name: "memory/idle resource", count: count) { count in
            let service = makeService()
            for index in 0..<count { keep(service.resource("/item/\(index)")) }
            return service
        },
        MemoryBenchmark(name: "memory/idle resource, configured", limit: 320 + 48, count: count) { count in
            let service = makeService()
            for index in 0..<count { keep(service.resource("/item/\(index)").configuration.expirationTime) }
            return service
        },
        MemoryBenchmark(name: "memory/object observer", limit: 64, count: count) { count in
            let observers = (0..<count).map { _ in Observer() }
            for observer in observers { observed.addObserver(observer) }
            return observers
        },
        MemoryBenchmark(name: "memory/request in flight", limit: 700, count: count / 10) { count in
            (0..<count).map { _ in busy.resource("/busy").request(.get) }
        },
    ]
}
