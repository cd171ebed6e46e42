import Foundation
import Siesta

/// Finding resources, and making them.
@MainActor
func lookupBenchmarks() -> [Benchmark] { existingResources() + newResources() }

@MainActor
private func existingResources() -> [Benchmark] {
    let service = makeService()
    let paths = (0..<1000).map { "/items/\($0)" }
    let names = (0..<1000).map { "\($0)" }
    let resources = paths.map { service.resource($0) }
    let urls = resources.map(\.url)
    let addresses = urls.map(\.absoluteString)
    let table: [String: AnyObject] = Dictionary(uniqueKeysWithValues: zip(addresses, resources as [AnyObject]))
    let parent = service.resource("/items")
    let pages = names.map { parent.withParam("page", $0) }
    return [
        Benchmark("lookup/Dictionary<String, AnyObject>", isReference: true) { count in
            for index in 0..<count { keep(table[addresses[index % 1000]]) }
        },
        Benchmark(
            "lookup/resource(path), existing", beside: "lookup/Dictionary<String, AnyObject>",
            avoids: ["RegularExpression", "URLComponents"]
        ) { count in
            for index in 0..<count { keep(service.resource(paths[index % 1000])) }
        },
        Benchmark("lookup/resource(absoluteURL: String), existing") { count in
            for index in 0..<count { keep(service.resource(absoluteURL: addresses[index % 1000])) }
        },
        Benchmark("lookup/resource(absoluteURL: URL), existing") { count in
            for index in 0..<count { keep(service.resource(absoluteURL: urls[index % 1000])) }
        },
        Benchmark("lookup/resource(absoluteURL: nil)") { count in
            for _ in 0..<count { keep(service.resource(absoluteURL: nil as String?)) }
        },
        Benchmark("lookup/child, existing") { count in
            for index in 0..<count { keep(parent.child(names[index % 1000])) }
        },
        Benchmark("lookup/relative, existing") { count in
            for index in 0..<count { keep(parent.relative(names[index % 1000])) }
        },
        Benchmark("lookup/withParam, existing") { count in
            for index in 0..<count { keep(parent.withParam("page", names[index % 1000])) }
            keep(pages)
        },
    ]
}

@MainActor
private func newResources() -> [Benchmark] {
    /// Makes a new resource each time, and asks for its configuration; the names are made beforehand.
    func row(
        _ name: String, avoids: [String] = [], prefix: String = "/new/",
        make: @escaping @MainActor (Service, Resource, String) -> TimeInterval
    ) -> Benchmark {
        let names = (0..<4096).map { "\(prefix)\($0)" }
        return Benchmark(
            name: name, batch: 1, counted: 500, avoids: avoids,
            method: .timed { count in
                let rounds = (0...count / names.count).map { _ in makeService() }
                let parents = rounds.map { $0.resource("/items") }
                for service in rounds { keep(service.resource("/first").configuration) }
                return {
                    for index in 0..<count {
                        let round = index / names.count
                        keep(make(rounds[round], parents[round], names[index % names.count]))
                    }
                }
            })
    }
    return [
        row("lookup/resource(path), new", avoids: ["RegularExpression", "URLComponents"]) { service, parent, name in
            service.resource(name).configuration.expirationTime
        },
        row("lookup/resource(absoluteURL: String), new", prefix: "http://a.test/api/new/") { service, parent, name in
            service.resource(absoluteURL: name).configuration.expirationTime
        },
        row("lookup/child, new") { service, parent, name in parent.child(name).configuration.expirationTime },
        row("lookup/relative, new", prefix: "./") { service, parent, name in
            parent.relative(name).configuration.expirationTime
        },
        row("lookup/withParam, new", prefix: "") { service, parent, name in
            parent.withParam("page", name).configuration.expirationTime
        },
    ]
}
