import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaStorage
import Testing
import Waiting

#if SQLite
import SiestaSQLite
#endif
#if Encryption
import SiestaEncryption
#endif

extension Samples {
    /// The article "Working offline and across launches", and the page of the module.
    @MainActor
    struct WorkingOffline {
        typealias User = DetachedUser

        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")
        let temporary = SampleFolder()
        var folder: URL { temporary.url }

        init() {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
        }

        @MainActor
        final class Session {
            var userID: String?
        }

        /// Loads a user with a configured service, and returns the name that another service finds in the caches.
        private func nameAfterRestart(_ configure: (Service) throws -> Void) async throws -> String? {
            let first = Service(baseURL: "https://api.example.com")
            let second = Service(baseURL: "https://api.example.com")
            try configure(first)
            try configure(second)
            _ = try await first.resource("/users/42").load().value
            for cache in first.caches { try await cache.flush() }
            await second.warm(urls: ["https://api.example.com/users/42"])
            #expect(server.received.count == 1)
            let user = second.resource("/users/42")
            return user.jsonDict["name"] as? String ?? user.typedContent().map { (user: User) in user.name }
        }

        @Test func `One line adds a cache`() async throws {
            let name = try await nameAfterRestart { service in
                service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
            }
            #expect(name == "Ada")
        }

        @Test func `A cache stores values of the app`() async throws {
            let name = try await nameAfterRestart { service in
                service.decode("/users/*", as: User.self)
                service.configure("/users/*") {
                    let options = EntityCacheOptions(schemaVersion: 3)
                    $0.pipeline[.model].cacheUsing(
                        .file(at: folder.appendingPathComponent("users"), of: User.self, options: options))
                }
            }
            #expect(name == "Ada")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["users"])
        }

        @Test func `A flush tells whether the folder is trusted`() async throws {
            func check() async throws {
                try await PersistentCache.file(at: folder).storage.flush()
            }
            try await check()
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            await #expect(throws: (any Error).self) { try await check() }
        }

        #if SQLite
        @Test func `A database is a cache`() async throws {
            let name = try await nameAfterRestart { service in
                service.configure {
                    $0.pipeline[.rawData].cacheUsing(.sqlite(at: folder.appendingPathComponent("cache.db")))
                }
            }
            #expect(name == "Ada")
            #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("cache.db").path))
        }
        #endif

        @Test func `A cache has limits`() async throws {
            let name = try await nameAfterRestart { service in
                service.configure {
                    let options = EntityCacheOptions(byteLimit: 50_000_000, entryLimit: 5000, ageLimit: 30 * 86_400)
                    $0.pipeline[.rawData].cacheUsing(.file(at: folder, options: options))
                }
            }
            #expect(name == "Ada")
        }

        @Test func `Each user has a partition, which is empty after the log-out`() async throws {
            let session = Session()
            session.userID = "ada"
            let service = service
            service.configure {
                $0.pipeline[.rawData].cacheUsing(PersistentCache.file(at: folder).partitioned { session.userID })
            }
            @MainActor
            func logOut() async throws {
                service.wipeResources(includingCaches: true)  // Removes the data from the resources and the caches.
                session.userID = nil
                for cache in service.caches { try await cache.flush() }
            }
            let user = service.resource("/users/42")
            _ = try await user.load().value
            let cache = try #require(service.caches.first)
            try await cache.flush()
            #expect(await cache.statistics().usage?.entries == 1)
            try await logOut()
            #expect(await cache.statistics().usage?.entries == 0)
            #expect(user.latestData == nil)
        }

        #if Encryption
        @Test func `Records are encrypted`() async throws {
            let (key, formerKey) = try (AESGCMSealing.newKey(), AESGCMSealing.newKey())
            let name = try await nameAfterRestart { service in
                let sealing = try AESGCMSealing(key: key, formerKeys: [formerKey])
                service.configure {
                    $0.pipeline[.rawData].cacheUsing(.file(at: folder, options: EntityCacheOptions(sealing: sealing)))
                }
            }
            #expect(name == "Ada")
            let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            let files = paths.compactMap { try? Data(contentsOf: folder.appendingPathComponent($0)) }
            #expect(!files.isEmpty)
            #expect(files.allSatisfy { $0.range(of: Data("Ada".utf8)) == nil })
        }
        #endif

        @Test func `Caches are compacted`() async throws {
            let service = service
            service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
            _ = try await service.resource("/users/42").load().value
            for cache in service.caches {
                try await cache.compact { done, total in print("\(done) of \(total)") }
                print(cache.name, await cache.statistics())
            }
            #expect(stage.printed.contains("1 of 1"))
            #expect(stage.printed.last?.contains(folder.path) == true)
        }

        @Test func `Many resources are read in one batch`() async throws {
            service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
            _ = try await service.resource("/users/42").load().value
            let user = service.resource("/users/42")
            user.wipe()
            let favourites = [user.url]
            await service.warm(urls: favourites)
            #expect(user.jsonDict["name"] as? String == "Ada")
            #expect(server.received.count == 1)
        }
    }
}
