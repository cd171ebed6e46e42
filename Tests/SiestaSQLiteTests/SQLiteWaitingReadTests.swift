#if SQLite
import CacheTorture
import Foundation
import Siesta
import SiestaSQLite
import Testing

/// Synchronous reads that occupy all threads of Swift's pool at the same time.
@Suite(.timeLimit(.minutes(5)))
struct SQLiteWaitingReadTests {
    @Test func `Many tasks may read a database at once`() async {
        await #expect(processExitsWith: .success) {
            Thread {
                Thread.sleep(forTimeInterval: 120)
                _exit(3)
            }.start()
            let folder = try TestFolder()
            let url = folder.url.appendingPathComponent("cache.sqlite")
            let keys = (0..<64).map { StoredEntityKey(principal: "", address: "http://h.test/\($0)", coding: .data) }
            let writing = StoredEntityCache(SQLiteEntityStore(at: url))
            for key in keys {
                writing.writeEntity(Entity<Any>(content: Data(key.address.utf8), headers: [:]), forKey: key)
            }
            try await writing.storage.flush()
            let cache = StoredEntityCache(SQLiteEntityStore(at: url))
            await withTaskGroup(of: Void.self) { group in
                for key in keys {
                    group.addTask {
                        let content = cache.readEntity(forKey: key)?.content as? Data
                        precondition(content == Data(key.address.utf8))
                    }
                }
            }
        }
    }
}
#endif
