import Foundation
import Siesta
import SiestaStorage

#if SQLite
import SiestaSQLite
#endif

#if Encryption
import SiestaEncryption
#endif

/// What keeps the entities.
enum Subject: String, CaseIterable {
    case rawFiles = "files, written in place"
    case fileCache = "PersistentCache.file"
    #if Encryption
    case encryptedFileCache = "PersistentCache.file, AES"
    #endif
    case memoryCache = "PersistentCache.memory"
    #if SQLite
    case bareSQLite = "SQLite in C"
    case sqliteStore = "SQLiteRecordStore"
    case sqliteCache = "PersistentCache.sqlite"
    #endif

    func isFit(for bytes: Int) -> Bool { self != .memoryCache || bytes < 1 << 30 }

    @MainActor
    func measure(_ work: Workload) async throws -> Figure {
        switch self {
        case .rawFiles: return try measureFiles(work)
        case .fileCache: return try await measure(work) { PersistentCache.file(at: work.folder, options: .unlimited()) }
        #if Encryption
        case .encryptedFileCache:
            let sealing = try AESGCMSealing(key: AESGCMSealing.newKey())
            return try await measure(work) {
                PersistentCache.file(at: work.folder, options: .unlimited(sealing))
            }
        #endif
        case .memoryCache:
            let cache = PersistentCache(MemoryRecordStore(), options: .unlimited())
            return try await measure(work) { cache }
        #if SQLite
        case .bareSQLite: return try BareDatabase.measure(work)
        case .sqliteStore: return try await measureSQLiteStore(work)
        case .sqliteCache:
            return try await measure(work) {
                PersistentCache(SQLiteRecordStore(at: work.file), options: .unlimited())
            }
        #endif
        }
    }

    /// `FileManager`, no more: what the system and Foundation take.
    @MainActor
    private func measureFiles(_ work: Workload) throws -> Figure {
        let contents = (0..<work.count).map(work.content(_:))
        let path = work.folder.path
        let write = seconds {
            for number in 0..<work.count {
                let file = open("\(path)/\(number)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
                _ = contents[number].withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
                close(file)
            }
        }
        let flush = seconds { sync() }
        let scattered = work.scattered
        let read = try seconds {
            for number in scattered { _ = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(number)")) }
        }
        return Figure(
            write: write, flush: flush, read: read / Double(scattered.count), bytesOnDisk: work.bytesOnDisk)
    }

    /// `open` opens the cache anew, as a launch does.
    @MainActor
    private func measure(_ work: Workload, open: () -> PersistentCache) async throws -> Figure {
        var figure = try await fill(open(), work)
        figure.read = try await read(open(), work)
        figure.warm = try await warm(open(), work)
        figure.bytesOnDisk = work.bytesOnDisk
        return figure
    }

    @MainActor
    private func fill(_ cache: PersistentCache, _ work: Workload) async throws -> Figure {
        let entities = (0..<work.count).map { work.entity(work.content($0)) }
        let resources = (0..<work.count).map { work.service.resource(absoluteURL: work.url($0)) }
        let start = now()
        for (entity, resource) in zip(entities, resources) { cache.write(entity, for: resource) }
        _ = await cache.storage.statistics()
        let written = now()
        try await cache.storage.flush()
        return Figure(write: written - start, flush: now() - written, read: 0, bytesOnDisk: 0)
    }

    /// One after the other, each waited for.
    @MainActor
    private func read(_ cache: PersistentCache, _ work: Workload) async throws -> Double {
        let resources = work.scattered.map { work.service.resource(absoluteURL: work.url($0)) }
        let start = now()
        for resource in resources {
            let entity = await cache.entity(for: resource)
            precondition(entity != nil)
        }
        return (now() - start) / Double(resources.count)
    }

    @MainActor
    private func warm(_ cache: PersistentCache, _ work: Workload) async throws -> Double {
        let service = Service(baseURL: "http://bench.test", standardTransformers: [])
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        let urls = (0..<1000).map(work.url(_:))
        let start = now()
        let count = await service.warm(urls: urls)
        precondition(count == 1000)
        return now() - start
    }
}

extension EntityCacheOptions {
    fileprivate static func unlimited(_ sealing: (any EntitySealing)? = nil) -> Self {
        Self(byteLimit: nil, entryLimit: nil, sealing: sealing)
    }
}

func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) * 1e-9 }

func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
}
