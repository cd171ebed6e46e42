import Foundation
import Siesta

/// Deciding about loads, and the bookkeeping of loads.
@MainActor
func loadBenchmarks() -> [Benchmark] {
    let service = makeService()
    let fresh = service.resource("/fresh")
    fresh.overrideLocalContent(with: Data())
    service.configure("/fresh") { $0.expirationTime = 1e9 }
    let heldNetwork = InlineNetwork()
    heldNetwork.isHolding = true
    let loading = makeService(heldNetwork).resource("/loading")
    loading.load()
    let resource = service.resource("/load")
    let notModified = makeService(InlineNetwork(status: 304)).resource("/same")
    notModified.overrideLocalData(with: Entity(content: Data(), contentType: "a/b", headers: ["ETag": "\"1\""]))
    return [
        Benchmark(name: "load/monotonic clock read") { count in
            for _ in 0..<count { keep(SiestaClock.system.monotonicTime) }
        },
        Benchmark(name: "load/loadIfNeeded, fresh", reference: ("load/monotonic clock read", 2)) { count in
            for _ in 0..<count { keep(fresh.loadIfNeeded()) }
        },
        Benchmark(name: "load/loadIfNeeded, in flight") { count in
            for _ in 0..<count { keep(loading.loadIfNeeded()) }
        },
        Benchmark(name: "load/empty main queue hop, in bulk", batch: 100) { count in
            for _ in 0..<count { DispatchQueue.main.async {} }
            await mainQueueTurn()
        },
        Benchmark(name: "load/inline stub, Data", limit: 3000, batch: 10) { count in
            for _ in 0..<count / 10 {
                for _ in 0..<10 { resource.load() }
                await mainQueueTurn()
            }
        },
        Benchmark(name: "load/inline stub, 304", batch: 10) { count in
            for _ in 0..<count / 10 {
                for _ in 0..<10 { notModified.load() }
                await mainQueueTurn()
            }
        },
        Benchmark(name: "load/1000 in flight, each", batch: 1000) { count in
            let network = InlineNetwork()
            network.isHolding = true
            let service = makeService(network)
            for _ in 0..<count / 1000 {
                for index in 0..<1000 { service.resource("/\(index)").load() }
                network.releaseAll()
                await mainQueueTurn()
            }
        },
        Benchmark(name: "load/hook, 500 on one request", batch: 500) { count in
            let network = InlineNetwork()
            network.isHolding = true
            let resource = makeService(network).resource("/hooks")
            for _ in 0..<count / 500 {
                let request = resource.request(.get)
                for _ in 0..<500 { request.onSuccess { _ in } }
                network.releaseAll()
                await mainQueueTurn()
            }
        },
    ]
}
