import Foundation
import Siesta

/// The decision about a failed load: everything that a policy adds to it, from the counts of the origin to the delay
/// that its time limit does not permit.
@MainActor
func retryBenchmarks() -> [Benchmark] {
    func resources(_ configure: @escaping (inout Configuration) -> Void) -> [Resource] {
        let service = makeService(InlineNetwork(status: 503))
        reportProgressSeldom(service)
        service.configure(configurer: configure)
        return (0..<loadsPerTurn).map { service.resource("/load/\($0)") }
    }
    let decided = resources {
        $0.retry = .standard
        $0.retry.timeLimit = 0
    }
    return [
        loads("retry/failed load", of: resources { _ in }),
        loads("retry/failed load, decided by a policy", beside: "retry/failed load", of: decided),
    ]
}
