#if os(Linux)
import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

/// Freshness by HTTP behind a shared cache: an app, Varnish, and nginx as the origin.
@MainActor
@Suite(
    .enabled(if: SharedCache.isInstalled, "nginx or Varnish is not installed (.ci/servers install installs them)"),
    SharedCache.Scope(), .timeLimit(.test))
struct SharedCacheTests {
    private let cache: SharedCache
    private var origin: OriginServer { cache.origin }

    init() throws {
        cache = try #require(SharedCache.ofSuite)
    }

    // MARK: Age

    /// If the clock of the app is late, only the header `Age` tells how old the response is.
    @Test(arguments: [0, -3_600.0])
    func `The time in the shared cache counts`(_ shift: TimeInterval) async throws {
        let path = "/controlled/max-age=60/aged\(Int(-shift))"
        try origin.write("x", to: "aged\(Int(-shift))")
        try await SharedCacheApp(of: cache).waitUntilStored(path, for: 2)
        let app = SharedCacheApp(of: cache, shift: shift)
        let resource = app.service.resource(path)
        let entity = try await resource.load().completion().entity()
        let age = try #require(entity.age)
        #expect(age >= 2)
        #expect(age < 50)
        let end = try #require(resource.freshness.freshUntil).timeIntervalSinceReferenceDate
        #expect(abs(end - (app.clock.wallTime + 60 - Double(age))) <= 1)
        #expect(resource.freshness.reason == .header("Cache-Control: max-age=60"))
        app.clock.advance(by: 58 - Double(age))
        #expect(resource.isUpToDate)
        #expect(try [58, 59].contains(#require(try await resource.get().age)))
        #expect(resource.latestData?.age == age)
        app.clock.advance(by: 2)
        #expect(!resource.isUpToDate)
        #expect(try await origin.statuses(path, count: 1) == [200])
    }

    @Test func `A response that the shared cache delivers stale is stale here, too`() async throws {
        let (app, path) = (SharedCacheApp(of: cache), "/controlled/max-age=1,stale-while-revalidate=60/expired")
        try origin.write("x", to: "expired")
        let resource = app.service.resource(path)
        let first = try await resource.load().completion().entity()
        try await app.waitUntilOlder(first, than: 1)
        let late = SharedCacheApp(of: cache).service.resource(path)
        #expect(try #require(try await late.load().completion().entity().age) >= 1)
        #expect(late.freshness.phase == .staleWhileRevalidate)
    }

    // MARK: Revalidation

    /// The shared cache confirms a fresh response itself, and asks the origin to confirm a stale one. It passes a
    /// request with credentials to the origin, with the condition of the app.
    ///
    /// - Parameter statuses: the responses of the origin.
    @Test(arguments: [
        ("max-age=60", [200]), ("max-age=60,s-maxage=1", [200, 304]), ("max-age=60,private", [200, 304]),
    ])
    func `A 304 of either server renews the lifetime`(_ control: String, _ statuses: [Int]) async throws {
        let (app, name) = (SharedCacheApp(of: cache), "confirmed\(control.count)")
        let path = "/controlled/\(control)/\(name)"
        try origin.write("x", to: name)
        if control.contains("private") { app.service.configure { $0.headers["Authorization"] = "Bearer ada" } }
        let resource = app.service.resource(path)
        let first = try await resource.load().completion().entity()
        try await app.waitUntilOlder(first, than: 1)
        app.advance(by: 61)
        #expect(!resource.isUpToDate)
        let confirmation = try #require(await resource.loadIfNeeded()?.completion())
        #expect(!confirmation.isNew)
        #expect(resource.latestError == nil)
        #expect(resource.isUpToDate)
        #expect(resource.latestData?.header(forKey: "ETag") == first.header(forKey: "ETag"))
        let rest = try #require(resource.freshness.freshUntil).timeIntervalSinceReferenceDate - app.clock.wallTime
        #expect(rest > 30, "the age of a response that was stored counts")
        #expect((rest <= 59) == (statuses == [200]), "the age of a response that was stored counts")
        #expect(try await origin.statuses(path, count: statuses.count) == statuses)
    }

    @Test(arguments: ["max-age=60,s-maxage=1", "max-age=60,private"])
    func `A changed file is new data with another entity tag`(_ control: String) async throws {
        let (app, name) = (SharedCacheApp(of: cache), "changed\(control.count)")
        let resource = app.service.resource("/controlled/\(control)/\(name)")
        try origin.write("old", to: name)
        let first = try await resource.load().completion().entity()
        try origin.write("newer", to: name)
        try await app.waitUntilOlder(first, than: 1)
        app.advance(by: 61)
        let second = try await resource.get()
        #expect(second.content as? String == "newer")
        #expect(second.header(forKey: "ETag") != first.header(forKey: "ETag"))
        #expect(resource.isUpToDate)
    }

    @Test func `While stale data may be used, one load runs in the background until both caches have new data`()
        async throws
    {
        let (app, path) = (
            SharedCacheApp(of: cache), "/controlled/max-age=20,s-maxage=1,stale-while-revalidate=60/late"
        )
        let resource = app.service.resource(path)
        try origin.write("old", to: "late")
        let first = try await resource.load().completion().entity()
        try origin.write("newer", to: "late")
        try await app.waitUntilOlder(first, than: 1)
        var loads = 0
        repeat {
            app.advance(by: 25)
            #expect(resource.freshness.phase == .staleWhileRevalidate)
            for _ in 1...3 {
                let entity = try await resource.get()
                #expect(entity.content as? String == "old")
                #expect(try #require(entity.age) >= 25)
            }
            #expect(resource.loadRequests.count == 1)
            loads += 1
            _ = await resource.loadRequests.first?.completion()
            #expect(resource.latestError == nil)
        } while resource.text == "old" && loads < 50
        #expect(resource.text == "newer")
        #expect(loads >= 2)  // The shared cache, too, returns the old data once.
        #expect(try await resource.get().content as? String == "newer")
    }

    // MARK: Storing

    /// Varnish reads `s-maxage`, and stores neither private responses nor those that must not be stored.
    @Test(arguments: [
        ("max-age=60", true, true), ("private,max-age=60", false, true), ("no-store", false, false),
        ("s-maxage=60,max-age=0", true, false), ("s-maxage=0,max-age=60", false, true),
    ])
    func `Directives for one kind of cache do not concern the other`(
        _ control: String, isStoredThere: Bool, isFreshHere: Bool
    ) async throws {
        // The cases run at once. Each writes a file of its own.
        let name = "stored\(control.filter { $0.isLetter || $0.isNumber })"
        let path = "/controlled/\(control)/\(name)"
        try origin.write("x", to: name)
        for count in 1...2 {
            let folder = try TemporaryFolder()
            let app = SharedCacheApp(of: cache, storing: folder)
            #expect(try await app.service.resource(path).load().completion().entity().content as? String == "x")
            try await app.flush()
            let requests = isStoredThere ? 1 : count
            #expect(try await origin.statuses(path, count: requests) == Array(repeating: 200, count: requests))
            let restarted = SharedCacheApp(of: cache, storing: folder, clock: app.clock).service.resource(path)
            let stored = try? await restarted.get(.directives(onlyIfCached: true))
            #expect(stored?.content as? String == (isFreshHere ? "x" : nil))
            #expect(((try? await restarted.get(.cached)) != nil) == (control != "no-store"))
        }
    }

    @Test func `Both caches keep a variant for each language`() async throws {
        let (folder, path) = (try TemporaryFolder(), "/translated/max-age=60/greeting")
        try origin.write("Guten Tag", to: "greeting.de")
        try origin.write("Hello", to: "greeting.en")
        let app = SharedCacheApp(of: cache, storing: folder)
        var language = "de"
        app.service.configure { $0.headers["Accept-Language"] = language }
        let resource = app.service.resource(path)
        func check(_ new: String, _ text: String) async throws {
            language = new
            app.service.invalidateConfiguration()
            #expect(try await resource.get().content as? String == text)
            #expect(resource.isUpToDate)
            try await app.flush()
        }
        var requests = 0
        let observer = NSObject()
        resource.addObserver(owner: observer) { _, event in
            if event == .requested { requests += 1 }
        }
        for _ in 1...2 {
            try await check("de", "Guten Tag")
            try await check("en", "Hello")
        }
        #expect(requests == 2)
        let other = SharedCacheApp(of: cache)
        other.service.configure { $0.headers["Accept-Language"] = "de" }
        #expect(try await other.service.resource(path).get().content as? String == "Guten Tag")
        #expect(try await origin.statuses(path, count: 2) == [200, 200])
        withExtendedLifetime(observer) {}
    }

    // MARK: Redirects

    @Test(arguments: [
        ("/found/", 0, true), ("/found/max-age=30/", 30, true), ("/moved/", 60, false),
        ("/moved/max-age=30/", 30, true),
    ])
    func `A redirect limits the lifetime of its result`(_ redirect: String, _ lifetime: Int, _ isLimit: Bool)
        async throws
    {
        let (app, name) = (SharedCacheApp(of: cache), "target" + redirect.filter { $0.isLetter || $0.isNumber })
        try origin.write("x", to: name)
        let resource = app.service.resource("\(redirect)controlled/max-age=60/\(name)")
        #expect(try await resource.load().completion().entity().content as? String == "x")
        #expect(resource.isUpToDate == (lifetime > 0))
        if isLimit { #expect(resource.freshness.reason == .redirect) }
        let rest =
            (resource.freshness.freshUntil?.timeIntervalSinceReferenceDate ?? app.clock.wallTime) - app.clock.wallTime
        #expect(rest <= Double(lifetime))
        #expect(rest > Double(lifetime) - 15)
        app.clock.advance(by: rest)
        #expect(!resource.isUpToDate)
    }

    @Test func `The time that a redirect has spent in the shared cache counts`() async throws {
        let (app, path) = (
            SharedCacheApp(of: cache, shift: -3_600), "/moved/max-age=30/controlled/private,max-age=60/goal"
        )
        try origin.write("x", to: "goal")
        let warm = SharedCacheApp(of: cache)
        let first = try await warm.service.resource(path).load().completion().entity()
        try await warm.waitUntilOlder(first, than: 1)
        let resource = app.service.resource(path)
        #expect(try await resource.load().completion().entity().age ?? 0 == 0)
        let end = try #require(resource.freshness.freshUntil).timeIntervalSinceReferenceDate
        #expect(end <= app.clock.wallTime + 29)
        #expect(end > app.clock.wallTime + 10)
    }
}
#endif
