import Foundation
import Siesta

/// Deciding whether a resource needs a load.
@MainActor
func freshnessBenchmarks() -> [Benchmark] {
    let service = makeService()
    service.configure("/fresh") { $0.expirationTime = 1e9 }
    let fresh = service.resource("/fresh")
    fresh.overrideLocalContent(with: Data())
    let byHTTP = freshByHTTP()
    let loading = makeService(InlineNetwork(isHolding: true)).resource("/loading")
    loading.load()
    return [
        Benchmark("freshness/monotonic clock read", isReference: true) { count in
            for _ in 0..<count {
                var time = timespec()
                clock_gettime(CLOCK_MONOTONIC, &time)
                keep(time.tv_nsec)
            }
        },
        Benchmark(
            "freshness/loadIfNeeded, fresh", beside: "freshness/monotonic clock read",
            avoids: ["Hasher", "malloc", "dynamicCast", "CustomStringConvertible"]
        ) { count in
            for _ in 0..<count { keep(fresh.loadIfNeeded()) }
        },
        Benchmark(
            "freshness/loadIfNeeded, fresh by HTTP",
            avoids: ["Hasher", "malloc", "dynamicCast", "CustomStringConvertible"]
        ) { count in
            for _ in 0..<count { keep(byHTTP.loadIfNeeded()) }
        },
        Benchmark("freshness/isUpToDate") { count in
            for _ in 0..<count { keep(fresh.isUpToDate) }
        },
        Benchmark("freshness/loadIfNeeded, stale, load in flight") { count in
            for _ in 0..<count { keep(loading.loadIfNeeded()) }
        },
    ]
}

/// A resource whose freshness follows HTTP, with fresh data whose response varies.
@MainActor
private func freshByHTTP() -> Resource {
    let service = makeService()
    service.configure { $0.freshness = .http }
    let resource = service.resource("/http")
    service.seed(
        Entity<Any>(
            content: Data(), contentType: "text/plain",
            headers: ["cache-control": "max-age=1000000000", "vary": "accept-encoding"]),
        for: resource)
    return resource
}
