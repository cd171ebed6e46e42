import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaStorage
import SiestaTesting
import Testing
import Waiting

#if SQLite
import SiestaSQLite
#endif
#if Encryption
import SiestaEncryption
#endif

extension Samples {
    /// The doc comments of caches.
    @MainActor
    struct DocCommentsOfCaches {
        typealias User = DetachedUser

        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")
        let temporary = SampleFolder()
        var folder: URL { temporary.url }

        /// Loads a user, and returns the numbers of entities in the caches.
        private func entries() async throws -> [Int?] {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            service.decode("/users/*", as: User.self)
            _ = try await service.resource("/users/42").load().value
            var entries: [Int?] = []
            for cache in service.caches {
                try await cache.flush()
                entries.append(await cache.statistics().usage?.entries)
            }
            return entries
        }

        @Test func `Two caches share a folder`() async throws {
            let service = service
            service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
            service.configure("/users/*") { $0.pipeline[.model].cacheUsing(.file(at: folder, of: User.self)) }
            #expect(try await entries() == [2])
        }

        #if SQLite
        @Test func `A database is a cache`() async throws {
            let file = folder.appendingPathComponent("cache.db")
            service.configure { $0.pipeline[.rawData].cacheUsing(.sqlite(at: file)) }
            #expect(try await entries() == [1])
        }
        #endif

        #if Encryption
        @Test func `A cache is encrypted`() async throws {
            let key = try AESGCMSealing.newKey()
            let options = EntityCacheOptions(sealing: try AESGCMSealing(key: key))
            service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder, options: options)) }
            #expect(try await entries() == [1])
        }
        #endif
    }
}
