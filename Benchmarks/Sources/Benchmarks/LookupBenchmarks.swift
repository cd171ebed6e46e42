import Foundation
import Siesta

/// Finding and making resources.
@MainActor
func lookupBenchmarks() -> [Benchmark] {
    let service = makeService()
    let paths = (0..<1000).map { "/items/\($0)" }
    let resources = paths.map { service.resource($0) }
    let urls = resources.map(\.url)
    let addresses = urls.map(\.absoluteString)
    let table: [String: AnyObject] = Dictionary(uniqueKeysWithValues: zip(addresses, resources as [AnyObject]))
    let parent = service.resource("/items")
    return [
        Benchmark(name: "lookup/Dictionary<String, AnyObject>") { count in
            for index in 0..<count { keep(table[addresses[index % 1000]]) }
        },
        Benchmark(name: "lookup/resource(path), existing", reference: ("lookup/Dictionary<String, AnyObject>", 2.5)) {
            count in
            for index in 0..<count { keep(service.resource(paths[index % 1000])) }
        },
        Benchmark(name: "lookup/resource(absoluteURL: String), existing") { count in
            for index in 0..<count { keep(service.resource(absoluteURL: addresses[index % 1000])) }
        },
        Benchmark(name: "lookup/resource(absoluteURL: URL), existing") { count in
            for index in 0..<count { keep(service.resource(absoluteURL: urls[index % 1000])) }
        },
        Benchmark(name: "lookup/child, existing") { count in
            for index in 0..<count { keep(parent.child(paths[index % 1000])) }
        },
        Benchmark(name: "lookup/relative, existing") { count in
            for _ in 0..<count { keep(parent.relative("/api/items/7")) }
        },
        Benchmark(name: "lookup/withParam, existing") { count in
            for _ in 0..<count { keep(parent.withParam("page", "2")) }
        },
        Benchmark(name: "lookup/new resource, configured", limit: 1500) { count in
            let service = makeService()
            for index in 0..<count { keep(service.resource("/new/\(index)").configuration.expirationTime) }
        },
        Benchmark(name: "lookup/new resource over the limit, none in use") { count in
            let service = makeService()
            service.cachedResourceCountLimit = 2048
            for index in 0..<count { keep(service.resource("/new/\(index)")) }
        },
        Benchmark(name: "lookup/new resource over the limit, all in use") { count in
            let service = makeService()
            service.cachedResourceCountLimit = 100
            var used: [Resource] = []
            used.reserveCapacity(count)
            for index in 0..<count { used.append(service.resource("/new/\(index)")) }
            keep(used)
        },
    ]
}
