import Siesta

/// New resources when there are more than the service's limit allows: 2 048.
@MainActor
func churnBenchmarks() -> [Benchmark] {
    let paths = (0..<102_000).map { "/item/\($0)" }
    /// Makes new resources and keeps them, where others are that were kept as well.
    func allInUse(_ name: String, present: Int, beside reference: String? = nil) -> Benchmark {
        Benchmark(name, beside: reference, fixed: 1000) { count in
            let service = makeService(limit: 2048)
            var used = paths.prefix(present).map { service.resource($0) }
            used.reserveCapacity(present + count)
            return {
                for path in paths[present...].prefix(count) { used.append(service.resource(path)) }
                keep(used)
            }
        }
    }
    let first = "churn/all in use, first 1 000 over the limit"
    return [
        Benchmark("churn/none in use", fixed: 4000) { count in
            let service = makeService(limit: 2048)
            for path in paths.prefix(4000) { keep(service.resource(path)) }
            return {
                for path in paths[4000...].prefix(count) { keep(service.resource(path)) }
            }
        },
        allInUse(first, present: 2048),
        allInUse("churn/all in use, last 1 000 of 100 000", present: 99_000, beside: first),
    ]
}
