import Foundation
import Siesta

/// Hooks on requests.
@MainActor
func hookBenchmarks() -> [Benchmark] {
    let network = InlineNetwork(isHolding: true)
    let resource = makeService(network).resource("/hooks")
    let closures = (0..<500).map { index in { @MainActor (_: Entity<Any>) in keep(index) } }
    let entity = Entity<Any>(content: 1, contentType: "a/b")
    return [
        Benchmark("hooks/loop over 500 closures, each", isReference: true, batch: 500) { count in
            for _ in 0..<count / 500 {
                for closure in closures { closure(entity) }
            }
        },
        Benchmark("hooks/500 on one request, each", beside: "hooks/loop over 500 closures, each", batch: 500) { count in
            for _ in 0..<count / 500 {
                let request = resource.request(.get)
                for index in 0..<500 { request.onSuccess { _ in keep(index) } }
                network.releaseAll()
                await mainQueueTurn()
            }
        },
    ]
}
