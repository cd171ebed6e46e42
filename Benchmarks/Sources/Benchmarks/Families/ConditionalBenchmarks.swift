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

/// The data comes from a load of its own: a load sends no condition about data that the app made.
@MainActor
private func row(_ name: String, header: String, value: String) -> Benchmark {
    let network = InlineNetwork()
    let service = makeService(network)
    reportProgressSeldom(service)
    let resources = (0..<loadsPerTurn).map { service.resource("/same/\($0)") }
    let contentType = ["Content-Type": "application/octet-stream"]
    return Benchmark(
        name: name, batch: loadsPerTurn, counted: 500,
        method: .timed { count in
            network.setResponse(status: 200, headers: contentType.merging([header: value]) { $1 })
            await load(resources, times: 1)
            network.setResponse(status: 304, headers: contentType)
            await load(resources, times: 1)
            let isConditional = resources.allSatisfy { $0.snapshot.source == .revalidated }
            precondition(isConditional, "A load was not conditional.")
            return { await load(resources, times: count / loadsPerTurn) }
        })
}
