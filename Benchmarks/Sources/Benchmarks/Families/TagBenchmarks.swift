import Foundation
import Siesta

/// Invalidations of dependent data, and writes with and without them.
@MainActor
func tagBenchmarks() -> [Benchmark] {
    /// Returns a service with 1 000 resources that have data, and whose POST requests invalidate a tag.
    func service(isTagged: Bool) -> (Service, resources: [Resource]) {
        let service = makeService()
        reportProgressSeldom(service)
        if isTagged {
            service.configure("/items/*") { $0.tags = ["items"] }
            service.configure("/load/*", requestMethods: [.post]) { $0.invalidates = ["others"] }
        }
        let resources = (0..<1000).map { service.resource("/items/\($0)") }
        for resource in resources { resource.overrideLocalContent(with: Data()) }
        return (service, resources)
    }
    func writes(_ name: String, isTagged: Bool) -> Benchmark {
        let (service, resources) = service(isTagged: isTagged)
        let written = (0..<loadsPerTurn).map { service.resource("/load/\($0)") }
        return Benchmark(name, batch: loadsPerTurn) { count in
            for _ in 0..<count / loadsPerTurn {
                for resource in written { keep(resource.request(.post)) }
                await mainQueueTurn()
            }
            keep((service, resources))
        }
    }
    let (tagged, resources) = service(isTagged: true)
    return [
        writes("tags/write, no tags", isTagged: false),
        writes("tags/write, a tag of none of 1 000 resources", isTagged: true),
        Benchmark("tags/invalidate a tag of all of 1 000 resources", counted: 20) { count in
            for _ in 0..<count { tagged.invalidate(tagged: "items") }
            keep(resources)
        },
    ]
}
