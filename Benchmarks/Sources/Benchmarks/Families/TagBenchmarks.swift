import Foundation
import Siesta

/// Invalidations of dependent data, and writes with and without them. The cost of a write must not depend on the number of
/// resources that have other tags.
@MainActor
func tagBenchmarks() -> [Benchmark] {
    let tagged = TaggedResources(isTagged: true, count: 1_000)
    return [
        writes("tags/write, no tags", isTagged: false, count: 1_000),
        writes("tags/write, a tag of none of 1 000 resources", isTagged: true, count: 1_000),
        writes("tags/write, a tag of none of 100 000 resources", isTagged: true, count: 100_000),
        Benchmark("tags/invalidate a tag of all of 1 000 resources", counted: 20) { count in
            for _ in 0..<count { tagged.service.invalidate(tagged: "items") }
            keep(tagged.resources)
        },
    ]
}

/// A service with resources that have data, and whose POST requests invalidate a tag.
@MainActor
private struct TaggedResources {
    let service = makeService()
    let resources: [Resource]
    let written: [Resource]

    init(isTagged: Bool, count: Int) {
        reportProgressSeldom(service)
        if isTagged {
            service.configure("/items/*") { $0.tags = ["items"] }
            service.configure("/load/*", requestMethods: [.post]) { $0.invalidates = ["others"] }
        }
        let service = service
        resources = (0..<count).map { service.resource("/items/\($0)") }
        written = (0..<loadsPerTurn).map { service.resource("/load/\($0)") }
        for resource in resources { resource.overrideLocalContent(with: Data()) }
    }
}

/// Makes the resources when the row is first prepared, because that takes a while.
@MainActor
private func writes(_ name: String, isTagged: Bool, count size: Int) -> Benchmark {
    var made: TaggedResources?
    return Benchmark(
        name: name, batch: loadsPerTurn, counted: 500,
        method: .timed { count in
            let tagged = made ?? TaggedResources(isTagged: isTagged, count: size)
            made = tagged
            return {
                for _ in 0..<count / loadsPerTurn {
                    for resource in tagged.written { keep(resource.request(.post)) }
                    await mainQueueTurn()
                }
                keep(tagged.resources)
            }
        })
}
