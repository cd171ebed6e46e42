#if SQLite
import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import TestKit
import Testing

@testable import SiestaSQLite

/// Processes that are killed while they write, damaged files, and several processes at once.
@Suite(.serialized, .timeLimit(.model))
struct SQLiteTortureTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private static func storage(
        _ path: String, _ durability: EntityCacheOptions.Durability = .onFlush
    ) -> CacheStorage {
        CacheStorage(SQLiteRecordStore(at: URL(fileURLWithPath: path), durability: durability))
    }

    @Test(arguments: [EntityCacheOptions.Durability.onFlush, .everyWrite])
    func `A process that is killed leaves whole entities, and all that the store has taken`(
        durability: EntityCacheOptions.Durability
    ) async throws {
        let (path, log) = (folder.path + "/cache", folder.path + "/log")
        let isSynchronous = durability == .everyWrite
        let rounds = TestLevel.count(2, nightly: 10, soak: 250)
        for round in 0..<rounds {
            let (writes, delay) = (round % 6, UInt32.random(in: 0...20_000))
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = path as String, log = log as String, writes = writes as Int, delay = delay as UInt32,
                    isSynchronous = isSynchronous as Bool
                ] in
                let storage = Self.storage(path, isSynchronous ? .everyWrite : .onFlush)
                try await TortureWriter(storage, log: log).run(rounds: writes, then: delay)
            }
            let broken = try await TortureWriter(Self.storage(path), log: log).brokenPromises()
            #expect(broken.isEmpty, "kill \(round), after \(writes) rounds and \(delay) µs")
        }
        #expect(!folder.files.contains { $0.hasSuffix("-damaged") })
        let progress = try TortureWriter(Self.storage(path), log: log).progress()
        #expect(progress.promised.count > rounds / 4)
        TestLevel.report(
            "SQLite cache, \(durability): killed \(rounds) times in \(progress.begun) rounds of writes, "
                + "\(progress.promised.count) of them promised to last")
    }

    @Test func `Damaged files are misses, and never other content`() async throws {
        let mutations = TestLevel.count(40, nightly: 400, soak: 10_000)
        let result = try await DamagedStore(in: folder.url) {
            Self.storage($0.path + "/cache")
        }.run(mutations: mutations, seed: TestSeed.current)
        #expect(result.wrong.isEmpty, "seed \(TestSeed.current)")
        #expect(result.hits > 0)
        #expect(result.misses > TestLevel.count(0, nightly: mutations / 2))
        TestLevel.report(
            "SQLite cache: \(mutations) mutations, \(result.hits) hits, \(result.misses) misses, "
                + "\(result.unwritable) not writable any more")
    }

    @Test func `Two processes that write the same keys at once see whole entities`() async throws {
        let path = folder.path + "/cache"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = path as String] in
                        try await Crowd(Self.storage(path)).run()
                    }
                }
            }
            try await group.waitForAll()
        }
        let usage = await Self.storage(path).statistics().usage
        #expect(usage?.entries == Crowd.keyCount)
    }
}
#endif
