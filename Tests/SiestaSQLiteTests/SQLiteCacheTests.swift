#if SQLite
import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaSQLite
import SiestaTesting
import TestKit
import Testing

/// The cache as an app uses it: new services on the same file.
@MainActor @Suite(.timeLimit(.test))
struct SQLiteCacheTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private struct User: Codable, Sendable, Equatable {
        var name: String
    }

    @Test func `Data and models are there after a restart, kept with one line of configuration each`() async throws {
        let file = folder.url.appendingPathComponent("cache")
        let network = StubNetwork()
        network.answer(.get, "/users/1", with: .json(#"{"name": "Ada"}"#))
        network.answer(.get, "/plain", with: .text("plain"))
        for network in [network, StubNetwork()] {
            let service = Service(baseURL: "http://cache.test", networking: network)
            service.configure("/plain") { $0.pipeline[.rawData].cacheUsing(.sqlite(at: file)) }
            service.decode("/users/*", as: User.self)
            service.configure("/users/*") { $0.pipeline[.model].cacheUsing(.sqlite(at: file, of: User.self)) }
            let user: TypedResource<User> = service.resource("/users/1", as: User.self)
            #expect(try await user.get() == User(name: "Ada"))
            let plain = service.resource("/plain")
            await plain.loadIfNeeded()?.completion()
            #expect(plain.text == "plain")
            #expect(service.caches.map(\.name) == [file.path])
            try await PersistentCache.sqlite(at: file).storage.flush()
        }
    }

    @Test func `Options are those of the first cache at a file`() async throws {
        let file = folder.url.appendingPathComponent("cache")
        let cache = PersistentCache.sqlite(at: file, options: EntityCacheOptions(isReadOnly: true))
        let same: PersistentCache = .sqlite(at: folder.url.appendingPathComponent("./cache"))
        #expect(cache.storage === same.storage)
        try await same.storage.clear()
        #expect(folder.files.isEmpty)
    }
}
#endif
