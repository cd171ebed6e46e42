import Foundation
import Siesta

/// Many loads at a time. So many that progress is reported meanwhile are not counted: how often depends on how slow the
/// counter is.
@MainActor
func inFlightBenchmarks() -> [Benchmark] {
    [10, 1000].map { size in
        let network = InlineNetwork(isHolding: true)
        let service = makeService(network)
        if size == 10 { reportProgressSeldom(service) }
        let resources = (0..<size).map { service.resource("/\($0)") }
        return Benchmark(
            "in flight/\(size) loads at a time, each", batch: size, counted: size == 10 ? 1000 : nil
        ) { count in
            for _ in 0..<count / size {
                for resource in resources { resource.load() }
                network.releaseAll()
                await mainQueueTurn()
            }
        }
    }
}
