#if SQLite
import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaSQLite
import SiestaTesting
import TestKit
import Testing

/// Invalidations of data in a database.
@MainActor @Suite(.timeLimit(.test))
struct SQLiteInvalidationTests {
    @Test func `Data that was stored before an invalidation is stale when it is read again, until it is renewed`()
        async throws
    {
        let folder = try TestFolder()
        let file = folder.url.appendingPathComponent("cache")
        let (clock, network) = (TestClock(), StubNetwork())
        network.answer(.get, "/users", with: .text("a"), .text("b"))
        let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
        service.configure {
            $0.pipeline[.rawData].cacheUsing(.sqlite(at: file))
            $0.tags = ["users"]
            $0.expirationTime = 1000
        }
        let users = service.resource("/users")
        for (text, isStale) in [("a", true), ("b", false)] {
            await users.load().completion()
            clock.advance(by: 1)
            if isStale { service.invalidate(tagged: "users") }
            clock.advance(by: 1)
            try await PersistentCache.sqlite(at: file).storage.flush()
            users.wipe()
            #expect((try? await users.get(.cached))?.content as? String == text)
            #expect(users.isStale == isStale)
        }
    }
}
#endif
