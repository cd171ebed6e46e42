import Foundation
import Siesta

/// Loads that ask whether the data is still right, and hear that it is.
@MainActor
func conditionalBenchmarks() -> [Benchmark] {
    [
        row("conditional/304 by ETag", header: "ETag", value: "\"1\""),
        row("conditional/304 by Last-Modified", header: "Last-Modified", value: "Mon, 06 Jul 2026 10:00:00 GMT"),
    ]
}

@MainActor
private func row(_ name: String, header: String, value: String) -> Benchmark {
    let service = makeService(InlineNetwork(status: 304))
    let resources = (0..<loadsPerTurn).map { service.resource("/same/\($0)") }
    for resource in resources {
        resource.overrideLocalData(with: Entity(content: Data(), contentType: "a/b", headers: [header: value]))
    }
    return loads(name, of: resources)
}
