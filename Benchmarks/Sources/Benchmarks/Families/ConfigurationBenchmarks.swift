import Foundation
import Siesta

/// What rules cost: for a new resource, and for a known one after the rules have changed.
@MainActor
func configurationBenchmarks() -> [Benchmark] {
    [0, 10, 200].flatMap { rules in
        let service = makeService()
        addRules(rules, to: service)
        let resource = service.resource("/folder7/1")
        let paths = (0..<4096).map { "/folder7/\($0)" }
        return [
            Benchmark(
                name: "configuration/new resource, \(rules) rules", counted: 500,
                method: .timed { count in
                    let rounds = (0...count / paths.count).map { _ in makeService() }
                    for service in rounds {
                        addRules(rules, to: service)
                        keep(service.resource("/folder7/first").configuration)
                    }
                    return {
                        for index in 0..<count {
                            let resource = rounds[index / paths.count].resource(paths[index % paths.count])
                            keep(resource.configuration.expirationTime)
                        }
                    }
                }),
            Benchmark("configuration/after invalidation, \(rules) rules") { count in
                for _ in 0..<count {
                    service.invalidateConfiguration()
                    keep(resource.configuration.expirationTime)
                }
            },
        ]
    }
}

@MainActor
private func addRules(_ count: Int, to service: Service) {
    for index in 0..<count { service.configure("/folder\(index)/*") { $0.expirationTime = 1 } }
}
