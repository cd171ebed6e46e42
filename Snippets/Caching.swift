// The code of the article about working offline and across launches. It is compiled, not run.
import Foundation
import Siesta
import SiestaStorage

#if SQLite
import SiestaSQLite
#endif

#if Encryption
import SiestaEncryption
#endif

struct User: Codable, Sendable {
    var id: Int
    var name: String
}

@MainActor
final class Session {
    var userID: String?
}

let session = Session()
let folder = URL(fileURLWithPath: "/var/cache/example")
let service = Service(baseURL: "https://api.example.com")
let favourites: [URL] = []
let (key, formerKey) = (Data(count: 32), Data(count: 32))

// snippet.one-line
service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
// snippet.end

// snippet.model
service.decode("/users/*", as: User.self)
service.configure("/users/*") {
    let options = EntityCacheOptions(schemaVersion: 3)
    $0.pipeline[.model].cacheUsing(.file(at: folder.appendingPathComponent("users"), of: User.self, options: options))
}
// snippet.end

#if SQLite
// snippet.database
service.configure { $0.pipeline[.rawData].cacheUsing(.sqlite(at: folder.appendingPathComponent("cache.db"))) }
// snippet.end
#endif

// snippet.limits
service.configure {
    let options = EntityCacheOptions(byteLimit: 50_000_000, entryLimit: 5000, ageLimit: 30 * 86_400)
    $0.pipeline[.rawData].cacheUsing(.file(at: folder, options: options))
}
// snippet.end

// snippet.partition
service.configure {
    $0.pipeline[.rawData].cacheUsing(PersistentCache.file(at: folder).partitioned { session.userID })
}
// snippet.end

#if Encryption
// snippet.encryption
let sealing = try AESGCMSealing(key: key, formerKeys: [formerKey])
service.configure {
    $0.pipeline[.rawData].cacheUsing(.file(at: folder, options: EntityCacheOptions(sealing: sealing)))
}
// snippet.end
#endif

// snippet.log-out
@MainActor
func logOut() async throws {
    service.wipeResources(includingCaches: true)  // Removes the data from the resources and the caches.
    session.userID = nil
    for cache in service.caches { try await cache.flush() }  // Waits until the entries are deleted from the disk.
}
// snippet.end

// snippet.trust
try await PersistentCache.file(at: folder).storage.flush()
// snippet.end

// snippet.compact
for cache in service.caches {
    try await cache.compact { done, total in print("\(done) of \(total)") }
    print(cache.name, await cache.statistics())
}
// snippet.end

// snippet.warm
await service.warm(urls: favourites)
// snippet.end
