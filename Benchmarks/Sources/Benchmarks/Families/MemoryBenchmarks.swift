import Foundation
import Siesta

@MainActor
private final class Observer: ResourceObserver {
    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
}

/// What resources, observers and requests take on the heap, what the app itself keeps of them not included.
@MainActor
func memoryBenchmarks() -> [Benchmark] { resources() + observers() + requests() }

@MainActor
private func resources() -> [Benchmark] {
    func row(_ name: String, use: @escaping @MainActor (Resource) -> Void) -> Benchmark {
        Benchmark(name, objects: 100_000) { count in
            let service = makeService()
            service.configure("/item/*") { $0.expirationTime = 60 }
            return {
                for index in 0..<count { use(service.resource("/item/\(index)")) }
                return service
            }
        }
    }
    return [
        Benchmark("memory/URL string alone", objects: 100_000) { count in
            var addresses: [String] = []
            addresses.reserveCapacity(count)
            return {
                for index in 0..<count { addresses.append("http://a.test/api/item/\(index)") }
                return addresses
            }
        },
        row("memory/idle resource") { keep($0) },
        row("memory/idle resource, configured") { keep($0.configuration.expirationTime) },
        Benchmark("memory/polled resource", objects: 100_000) { count in
            let service = makeService()
            let owner = Observer()
            let resources = (0..<count).map { service.resource("/item/\($0)") }
            for resource in resources { keep(resource.configuration) }
            return {
                for resource in resources { resource.poll(every: 30, owner: owner) }
                return (service, owner)
            }
        },
        row("memory/resource with data") { $0.overrideLocalContent(with: 1) },
    ]
}

@MainActor
private func observers() -> [Benchmark] {
    [
        Benchmark("memory/object observer", objects: 100_000) { count in
            let observers = (0..<count).map { _ in Observer() }
            let resource = makeService().resource("/observed")
            return {
                for observer in observers { resource.addObserver(observer) }
                return (resource, observers)
            }
        },
        Benchmark("memory/closure observer", objects: 100_000) { count in
            let observers = (0..<count).map { _ in Observer() }
            let resource = makeService().resource("/observed")
            return {
                for observer in observers { resource.addObserver(owner: observer) { _, _ in } }
                return (resource, observers)
            }
        },
        Benchmark("memory/first observer of a resource", objects: 100_000) { count in
            let service = makeService()
            let observer = Observer()
            let resources = (0..<count).map { service.resource("/item/\($0)") }
            return {
                for resource in resources { resource.addObserver(observer) }
                return (service, observer)
            }
        },
    ]
}

@MainActor
private func requests() -> [Benchmark] {
    func row(
        _ name: String, resources size: Int = 100_000, start: @escaping @MainActor (Resource) -> any Request
    ) -> Benchmark {
        Benchmark(name, objects: 100_000) { count in
            let network = InlineNetwork(isHolding: true)
            let service = makeService(network)
            network.reserveCapacity(count)
            var requests: [any Request] = []
            requests.reserveCapacity(count)
            let resources = (0..<min(count, size)).map { service.resource("/busy/\($0)") }
            for resource in resources { keep(resource.configuration) }
            return {
                for index in 0..<count { requests.append(start(resources[index % size])) }
                return (service, requests)
            }
        }
    }
    return [
        row("memory/request in flight, each of a resource") { $0.request(.get) },
        row("memory/request in flight, all of one resource", resources: 1) { $0.request(.get) },
        row("memory/load in flight, each of a resource") { $0.load() },
    ]
}
