#if os(Linux)
import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stale data when the origin server or the shared cache is stopped.
@MainActor
@Suite(
    .enabled(if: SharedCache.isInstalled, "nginx or Varnish is not installed (.ci/servers install installs them)"),
    .timeLimit(.model))
struct SharedCacheFailureTests {
    private static let path = "/controlled/max-age=10,s-maxage=1,stale-if-error=60/kept"
    private static let strictPath = "/controlled/max-age=10,s-maxage=1,must-revalidate/strict"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The first app uses its data in memory, and each following app starts with the persistent cache of the first.
    @Test func `Stale data is used as long as stale-if-error allows it, by apps that start later, too`() async throws {
        let cache = try await SharedCache()
        let app = try await loadedApp(cache)
        cache.origin.stop()
        app.clock.advance(by: 9)
        #expect(try await app.service.resource(Self.path).get().age ?? 0 >= 9)
        #expect(app.service.resource(Self.path).latestError == nil)
        app.clock.advance(by: 2)
        try await checkStaleData(app) { $0.httpStatusCode == 503 }
        try await checkStaleData(restarted(app, cache)) { $0.httpStatusCode == 503 }
        cache.stop()
        app.clock.advance(by: 5)
        try await checkStaleData(app) { ($0.cause as? URLError)?.code == .cannotConnectToHost }
        try await checkStaleData(restarted(app, cache)) { ($0.cause as? URLError)?.code == .cannotConnectToHost }
        app.clock.advance(by: 60)
        for late in [app, restarted(app, cache)] {
            let resource = late.service.resource(Self.path)
            await #expect(throws: RequestError.self) { _ = try await resource.get() }
            #expect(resource.latestData != nil)
        }
    }

    @Test func `Data that the server must confirm is not used without it`() async throws {
        let cache = try await SharedCache()
        let app = try await loadedApp(cache)
        cache.origin.stop()
        app.clock.advance(by: 11)
        for app in [app, restarted(app, cache)] {
            await #expect(throws: RequestError.self) { _ = try await app.service.resource(Self.strictPath).get() }
        }
        cache.stop()
        app.clock.advance(by: 5)
        for app in [app, restarted(app, cache)] {
            await #expect(throws: RequestError.self) { _ = try await app.service.resource(Self.strictPath).get() }
        }
    }

    /// Returns an app that has loaded and stored both files, when they are no longer fresh in the shared cache.
    private func loadedApp(_ cache: SharedCache) async throws -> SharedCacheApp {
        let app = SharedCacheApp(of: cache, storing: folder)
        for (path, name) in [(Self.path, "kept"), (Self.strictPath, "strict")] {
            try cache.origin.write("x", to: name)
            let entity = try await app.service.resource(path).load().completion().entity()
            try await app.waitUntilOlder(entity, than: 1)
        }
        try await app.flush()
        return app
    }

    private func restarted(_ app: SharedCacheApp, _ cache: SharedCache) -> SharedCacheApp {
        SharedCacheApp(of: cache, storing: folder, clock: app.clock)
    }

    /// Checks that `get()` returns the data although the load has failed, and that the error holds back another load.
    private func checkStaleData(_ app: SharedCacheApp, after isExpected: (RequestError) -> Bool) async throws {
        let resource = app.service.resource(Self.path)
        var requests = 0
        let observer = NSObject()
        resource.addObserver(owner: observer) { _, event in
            if event == .requested { requests += 1 }
        }
        for _ in 1...2 {
            let entity = try await resource.get()
            #expect(entity.content as? String == "x")
            #expect(try #require(entity.age) >= 11)
            #expect(isExpected(try #require(resource.latestError)), "\(String(describing: resource.latestError))")
            #expect(resource.freshness.phase == .staleIfError)
            #expect(resource.snapshot.data != nil)
            #expect(resource.snapshot.error != nil)
        }
        #expect(requests == 1)
        withExtendedLifetime(observer) {}
    }
}
#endif
