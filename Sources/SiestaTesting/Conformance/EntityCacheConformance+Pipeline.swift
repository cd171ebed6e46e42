import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The checks of a cache that is attached to services, in the same way as in apps.
@MainActor
struct PipelineChecks {
    let report: ConformanceReport
    let open: () throws -> CacheUser

    func run(outlivesInstances: Bool) async {
        await report.run("A service can use the cache") {
            let cache = try open()
            await sees(cache)
            if outlivesInstances { try await seesInNextInstance(after: cache) }
            await wipes(cache)
        }
    }

    private func service(_ cache: CacheUser, _ answers: StubAnswer...) -> (Service, StubNetwork) {
        let network = StubNetwork()
        var answers = answers
        network.handler = { _ in answers.isEmpty ? .failure(Unanswered()) : answers.removeFirst() }
        let service = Service(baseURL: "http://conformance.test", networking: network)
        service.configure { cache.attach(&$0.pipeline[.rawData]) }
        return (service, network)
    }

    private struct Unanswered: Error {}

    /// Waits until the cache has done all requested work. A wiped resource reads its data again, and this read runs
    /// after that work.
    private func cacheWork(of service: Service) async {
        service.resource("/x").wipe()
        await service.resource("/x").loadIfNeeded()?.completion()
    }

    /// Returns the text that a new service finds without the network.
    private func found(in cache: CacheUser) async -> String {
        let resource = service(cache).0.resource("/x")
        await resource.loadIfNeeded()?.completion()
        return resource.text
    }

    private func sees(_ cache: CacheUser) async {
        let (first, _) = service(cache, .text("x", headers: ["ETag": "\"tag\""]))
        await first.resource("/x").load().completion()
        await cacheWork(of: first)
        report.check("A new service finds the entities that another has loaded", await found(in: cache), "x")
        let (second, network) = service(cache, .notModified)
        second.configure { $0.expirationTime = -1 }
        await second.resource("/x").loadIfNeeded()?.completion()
        report.check(
            "An entity from the cache is validated with its entity tag",
            network.requests.last?.value(forHTTPHeaderField: "If-None-Match"), "\"tag\"")
        report.check("An entity that the server confirms is kept", second.resource("/x").text, "x")
    }

    private func seesInNextInstance(after cache: CacheUser) async throws {
        try await cache.settle()
        report.check("The next instance finds the written entities", await found(in: try open()), "x")
    }

    private func wipes(_ cache: CacheUser) async {
        let (service, _) = service(cache, .text("x"))
        await service.resource("/x").load().completion()
        service.resource("/x").wipe(includingCaches: true)
        await cacheWork(of: service)
        report.check(
            "A wipe that includes caches leaves nothing, though the write has only just been asked for",
            await found(in: cache), "")
    }
}
