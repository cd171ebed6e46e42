import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches

/// The storage in front of every store: batches, order, and reads that see pending writes.
@Suite(.timeLimit(.test))
struct CacheStorageTests {
    private let store = RecordingStore()

    private func storage(_ configure: (inout EntityCacheOptions) -> Void = { _ in }) -> CacheStorage {
        var options = EntityCacheOptions()
        configure(&options)
        return CacheStorage(store, options: options)
    }

    private func key(
        _ address: String, of principal: String = "", coding: ContentCodec = .data, headers: [String: String] = [:]
    ) -> CacheKey {
        CacheKey(principal: principal, address: address, coding: coding, requestHeaders: headers)
    }

    private func entity(_ content: Any = Data("x".utf8), at timestamp: TimeInterval = 1000) -> Entity<Any> {
        Entity<Any>(content: content, headers: ["ETag": "1"], timestamp: timestamp)
    }

    private func read(_ storage: CacheStorage, _ key: CacheKey, now: TimeInterval = 1000) async -> Entity<Any>? {
        let clock = TestClock(wallTime: now).clock
        return await storage.entity(forKey: key, clock: clock)
    }

    // MARK: Entities that must not be stored or shown

    @Test func `An answer that forbids storing removes what is there, unless the app says otherwise`() async throws {
        for (heeds, control, isKept) in [
            (true, "private, No-Store", false), (true, "no-cache", true), (false, "no-store", true),
            (true, "no-store=1", false), (true, "x=\"a, no-store, b\"", true),
        ] {
            let storage = storage { $0.respectsNoStore = heeds }
            storage.write(entity(), forKey: key("a"))
            var answer = entity(Data("new".utf8))
            answer.headers["Cache-Control"] = control
            storage.write(answer, forKey: key("a"))
            try await storage.flush()
            #expect((await read(storage, key("a")) != nil) == isKept, "\(control)")
        }
    }

    @Test(arguments: [false, true])
    func `What varies by the request is found by requests of the same kind`(isStored: Bool) async throws {
        let storage = storage()
        var answer = entity()
        answer.headers["Vary"] = "Accept-Encoding, ACCEPT-Language, Authorization"
        storage.write(answer, forKey: key("a", headers: ["accept-language": "de", "Authorization": "1", "X": "1"]))
        if isStored { try await storage.flush() } else { store.hold() }
        #expect(await read(storage, key("a", headers: ["Accept-Language": "de ", "authorization": "1"])) != nil)
        #expect(await read(storage, key("a", headers: ["Accept-Language": "de", "Authorization": "2"])) == nil)
        #expect(await read(storage, key("a", headers: ["Accept-Language": "en", "Authorization": "1"])) == nil)
        #expect(await read(storage, key("a")) == nil)
        #expect(
            await read(storage, key("a", headers: ["Accept-Language": "de", "Accept-Encoding": "br"])) == nil)
        store.release()
        try await storage.flush()
        let bytes = try await store.records.read(try await store.allKeys()).values
        #expect(bytes.allSatisfy { $0.range(of: Data("authorization".utf8)) == nil })
    }

    @Test(arguments: [true, false])
    func `What no other request would get is not kept, unless the app says otherwise`(isHeeded: Bool) async throws {
        let storage = storage { $0.respectsNoStore = isHeeded }
        var answer = entity()
        answer.headers["Vary"] = "Accept, *"
        storage.write(answer, forKey: key("a"))
        try await storage.flush()
        #expect((await read(storage, key("a")) == nil) == isHeeded)
        #expect(await read(storage, key("a", headers: ["X": "1"])) == nil)
    }

    @Test func `What could not be removed is not seen again, and is removed with the next batch`() async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("a"))
        storage.write(entity(), forKey: key("b", of: "user"))
        try await storage.flush()
        store.fail()
        storage.remove(key("a"))
        await #expect(throws: RecordingStore.Refusal.self) { try await storage.remove(principal: "user") }
        store.fail(false)
        #expect(await read(storage, key("a")) == nil)
        #expect(await read(storage, key("b", of: "user")) == nil)
        storage.write(entity(), forKey: key("c"))
        try? await storage.flush()
        #expect(await read(storage, key("a")) == nil)
        #expect(try await store.records.allKeys() == [key("c").storeKey])
    }

    @Test func `What could not be removed is not brought back by a confirmation`() async throws {
        for removesAll in [false, true] {
            let storage = storage()
            storage.write(entity(), forKey: key("a"))
            try await storage.flush()
            store.fail()
            if removesAll { try? await storage.clear() } else { storage.remove(key("a")) }
            try? await storage.flush()
            store.fail(false)
            storage.updateTimestamp(2000, of: entity().validator, forKey: key("a"))
            #expect(await read(storage, key("a")) == nil)
            try? await storage.flush()
            #expect(await read(storage, key("a")) == nil)
            #expect(try await store.allKeys().isEmpty)
        }
    }

    @Test func `A flush succeeds once all is gone that was removed`() async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("a"))
        try await storage.flush()
        store.fail()
        storage.removeAll(of: "")
        for _ in 0..<3 {
            await #expect(throws: RecordingStore.Refusal.self) { try await storage.flush() }
        }
        store.fail(false)
        try? await storage.flush()
        try await storage.flush()
        #expect(try await store.allKeys().isEmpty)
    }

    @Test func `What could not be removed is tried again, though nobody has the storage any more`() async throws {
        weak var weakStorage: CacheStorage?
        do {
            let storage = storage()
            weakStorage = storage
            storage.write(entity(), forKey: key("a"))
            try await storage.flush()
            store.fail()
            try? await storage.clear()
            store.fail(false)
        }
        await store.journal.wait(for: "apply 1", count: 3)
        try await Poll.until { weakStorage == nil }
        #expect(try await store.allKeys().isEmpty)
    }

    @Test func `A record that is about something else is a miss, though its name is the same`() async throws {
        let storage = storage()
        let other = CacheRecord(address: "b", coding: "data", timestamp: 1000, content: Data("b".utf8))
        try await store.apply([.write(key("a").storeKey, try RecordCoder(EntityCacheOptions()).record(of: other))])
        #expect(await read(storage, key("a")) == nil)
    }

    // MARK: Order

    @Test func `A write that is under way is found, and so is one that waits for its turn`() async throws {
        let storage = storage()
        store.hold()
        storage.write(entity(), forKey: key("a"))
        await store.journal.wait(for: "held 1")
        #expect(await read(storage, key("a"))?.etag == "1")
        storage.write(entity(Data("y".utf8)), forKey: key("a"))
        storage.write(entity(), forKey: key("b"))
        #expect(await read(storage, key("a"))?.content as? Data == Data("y".utf8))
        #expect(await read(storage, key("b")) != nil)
        storage.remove(key("a"))
        #expect(await read(storage, key("a")) == nil)
        storage.updateTimestamp(2000, forKey: key("b"))
        #expect(await read(storage, key("b"))?.timestamp == 2000)
        #expect(store.journal.entries("read").isEmpty)
        store.release()
        try await storage.flush()
        #expect(await read(storage, key("a")) == nil)
        #expect(await read(storage, key("b"))?.timestamp == 2000)
    }

    @Test func `Writes that come while another is under way are one batch`() async throws {
        let storage = storage()
        store.hold()
        storage.write(entity(), forKey: key("first"))
        await store.journal.wait(for: "held 1")
        for number in 0..<1000 { storage.write(entity(), forKey: key("\(number % 500)")) }
        store.release()
        try await storage.flush()
        #expect(store.journal.entries("apply") == ["apply 1", "apply 500"])
    }

    @Test func `Of much that waits no more than some megabytes are made into records at once`() async throws {
        let storage = storage { $0.byteLimit = nil }
        store.hold()
        storage.write(entity(), forKey: key("first"))
        await store.journal.wait(for: "held 1")
        let content = Data(count: 4 << 20)
        for number in 0..<12 { storage.write(entity(content), forKey: key("\(number)")) }
        store.release()
        try await storage.flush()
        #expect(store.journal.entries("apply") == ["apply 1", "apply 4", "apply 4", "apply 4"])
        #expect(try await store.allKeys().count == 13)
    }

    @Test func `Reads that are held together are one batch`() async {
        let storage = storage()
        storage.holdReads()
        let (results, continuation) = AsyncStream.makeStream(of: Bool.self)
        for number in 0..<100 { storage.read(key("\(number)")) { continuation.yield($0.value != nil) } }
        storage.releaseReads()
        var iterator = results.makeAsyncIterator()
        for _ in 0..<100 { #expect(await iterator.next() == false) }
        #expect(store.journal.entries == ["read 100"])
    }

    @Test func `The timestamp of what the store has is changed there, and seen before`() async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("a"))
        try await storage.flush()
        store.hold()
        storage.updateTimestamp(5000, forKey: key("a"))
        #expect(await read(storage, key("a"))?.timestamp == 5000)
        store.release()
        try await storage.flush()
        let found = await read(storage, key("a"))
        #expect(found?.timestamp == 5000)
        #expect(found?.etag == "1")
    }

    @Test func `What a server says of one version is not taken for another that the store has`() async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("a"))
        try await storage.flush()
        store.hold()
        let other = Entity<Any>(content: "", headers: ["ETag": "0"], timestamp: 1).validator
        storage.updateTimestamp(5000, of: other, forKey: key("a"))
        #expect(await read(storage, key("a"))?.timestamp == 1000)
        store.release()
        try await storage.flush()
        #expect(await read(storage, key("a"))?.timestamp == 1000)
        storage.updateTimestamp(5000, of: entity().validator, forKey: key("a"))
        try await storage.flush()
        #expect(await read(storage, key("a"))?.timestamp == 5000)
    }

    @Test func `What is cleared is gone at once, though a write is under way`() async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("stored"))
        try await storage.flush()
        store.hold()
        storage.write(entity(), forKey: key("a"))
        await store.journal.wait(for: "held 1")
        let cleared = Task { @MainActor in try await storage.clear() }
        // The task has called the function once a read does not find the entity. The store is still held.
        while await read(storage, key("a")) != nil { await mainQueueTurn() }
        #expect(await read(storage, key("stored")) == nil)
        store.release()
        try await cleared.value
        #expect(try await store.allKeys().isEmpty)
    }

    @Test func `A principal's entities are removed, and nobody else's`() async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("a", of: "ada"))
        storage.write(entity(), forKey: key("a", of: "bob"))
        try await storage.flush()
        storage.write(entity(), forKey: key("b", of: "ada"))
        try await storage.remove(principal: "ada")
        #expect(await read(storage, key("a", of: "ada")) == nil)
        #expect(await read(storage, key("b", of: "ada")) == nil)
        #expect(await read(storage, key("a", of: "bob")) != nil)
    }

    // MARK: Failures

    @Test func `A store that fails is a miss, and flush says that something was lost`() async throws {
        let storage = storage()
        store.fail()
        storage.write(entity(), forKey: key("a"))
        await #expect(throws: RecordingStore.Refusal.self) { try await storage.flush() }
        #expect(await read(storage, key("a")) == nil)
        #expect(await storage.statistics().usage == nil)
        await #expect(throws: RecordingStore.Refusal.self) { try await storage.clear() }
        store.fail(false)
        await #expect(throws: RecordingStore.Refusal.self) { try await storage.flush() }
        try await storage.flush()
        storage.write(entity(), forKey: key("a"))
        try await storage.flush()
        #expect(await read(storage, key("a")) != nil)
        // More if the storage repeats the removal by itself meanwhile.
        #expect(await storage.statistics().failures >= 3)
    }

    @Test(arguments: [false, true])
    func `What a failed write was to replace is not seen again until a write succeeds`(readsFail: Bool) async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("a"))
        storage.write(entity(), forKey: key("b"))
        try await storage.flush()
        store.fail(readsFail ? .everything : .changes)
        storage.write(entity(Data("newer".utf8)), forKey: key("a"))
        storage.write(entity(), forKey: key("new"))
        await #expect(throws: RecordingStore.Refusal.self) { try await storage.flush() }
        store.fail(.nothing)
        #expect(await read(storage, key("a")) == nil)
        #expect(await read(storage, key("b")) != nil)
        storage.updateTimestamp(2000, of: entity().validator, forKey: key("a"))
        #expect(await read(storage, key("a")) == nil)
        try? await storage.flush()
        #expect(try await store.allKeys() == [key("b").storeKey], "The older record is removed when that is possible.")
        storage.write(entity(), forKey: key("a"))
        #expect(await read(storage, key("a")) != nil)
        try await storage.flush()
        #expect(await read(storage, key("a")) != nil)
    }

    @Test func `A write that succeeds shows its record, though another could not be removed before`() async throws {
        let storage = storage()
        for name in ["a", "b"] { storage.write(entity(), forKey: key(name)) }
        try await storage.flush()
        store.fail(.changes)
        for name in ["a", "b"] { storage.write(entity(Data("newer".utf8)), forKey: key(name)) }
        await #expect(throws: RecordingStore.Refusal.self) { try await storage.flush() }
        store.fail(.nothing)
        let before = store.journal.entries("apply").count
        storage.write(entity(Data("newest".utf8)), forKey: key("a"))
        await store.journal.wait { $0.count { $0.hasPrefix("apply") } > before }
        #expect(await read(storage, key("a")) != nil)
        #expect(await read(storage, key("b")) == nil)
        try? await storage.flush()
        #expect(await read(storage, key("a")) != nil)
        #expect(await read(storage, key("b")) == nil)
        #expect(try await store.allKeys() == [key("a").storeKey])
    }

    @Test func `Writes that fail on a store without older records leave nothing to be done again`() async throws {
        let storage = storage()
        store.fail(.changes)
        for number in 0..<50 {
            storage.write(entity(), forKey: key("\(number)"))
            try? await storage.flush()
        }
        store.fail(.nothing)
        let before = store.journal.entries.count
        try? await storage.flush()
        #expect(store.journal.entries.dropFirst(before).allSatisfy { !$0.hasPrefix("apply") })
    }

    @Test func `Content that cannot be encoded is refused, and what it would have replaced is gone`() async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("a"))
        try await storage.flush()
        storage.write(entity(["not": "data"]), forKey: key("a"))
        try await storage.flush()
        #expect(await read(storage, key("a")) == nil)
        let numbers = key("b", coding: .codable([Double].self))
        storage.write(entity([Double.infinity]), forKey: numbers)
        storage.write(entity([1.5]), forKey: key("c", coding: .codable([Double].self)))
        try await storage.flush()
        #expect(await read(storage, numbers) == nil)
        #expect(await read(storage, key("c", coding: .codable([Double].self)))?.content as? [Double] == [1.5])
        #expect(await storage.statistics().refusals == 2)
    }

    @Test func `What is larger than the whole cache may be is refused`() async throws {
        let storage = storage { $0.byteLimit = 1000 }
        storage.write(entity(Data(count: 1000)), forKey: key("a"))
        storage.write(entity(Data(count: 500)), forKey: key("b"))
        try await storage.flush()
        #expect(await read(storage, key("a")) == nil)
        #expect(await read(storage, key("b")) != nil)
    }

    @Test func `A damaged record and one of another key are removed; one of a newer form stays`() async throws {
        let storage = storage()
        for name in ["damaged", "other", "newer"] { storage.write(entity(), forKey: key(name)) }
        try await storage.flush()
        let keys = ["damaged", "other", "newer"].map { key($0).storeKey }
        let records = try await store.records.read(keys)
        var (damaged, newer) = (try #require(records[keys[0]]), try #require(records[keys[2]]))
        damaged[20] ^= 1
        newer[3] = 99
        try await store.records.apply([
            .write(keys[0], damaged), .write(keys[1], newer), .write(keys[1], try #require(records[keys[2]])),
            .write(keys[2], newer),
        ])
        for name in ["damaged", "other", "newer"] { #expect(await read(storage, key(name)) == nil) }
        let statistics = await storage.statistics()
        #expect(try await store.allKeys() == [keys[2]])
        #expect(statistics.misses == 3)
        #expect(statistics.failures == 2)
    }

    @Test func `What was written again is not removed for the damage of what it replaced`() async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("a"))
        try await storage.flush()
        try await store.records.apply([.write(key("a").storeKey, Data("damage".utf8))])
        store.hold()
        storage.write(entity(), forKey: key("other"))
        await store.journal.wait(for: "held 1")
        #expect(await read(storage, key("a")) == nil)
        storage.write(entity(), forKey: key("a"))
        store.release()
        try await storage.flush()
        #expect(await read(storage, key("a")) != nil)
    }

    // MARK: Options

    @Test func `What is older than the age limit is a miss, and is removed when it is met`() async throws {
        let storage = storage { $0.ageLimit = 60 }
        store.hold()
        storage.write(entity(at: 1000), forKey: key("a"))
        #expect(await read(storage, key("a"), now: 1061) == nil)
        #expect(await read(storage, key("a"), now: 939) == nil)
        #expect(await read(storage, key("a"), now: 940) != nil)
        store.release()
        try await storage.flush()
        #expect(await read(storage, key("a"), now: 1060) != nil)
        storage.updateTimestamp(1050, forKey: key("a"))
        #expect(await read(storage, key("a"), now: 1110) != nil)
        try await storage.flush()
        #expect(await read(storage, key("a"), now: 1111) == nil)
        try await storage.flush()
        #expect(try await store.allKeys().isEmpty)
    }

    @Test func `Entities of another schema version are dropped, unless there is a migration`() async throws {
        let old = storage { $0.schemaVersion = 1 }
        for name in ["a", "b", "c"] { old.write(entity(), forKey: key(name)) }
        try await old.flush()
        let migrating = storage { options in
            options.schemaVersion = 2
            options.migration = { entity in
                if entity.address == "b" { throw RecordingStore.Refusal() }
                var entity = entity
                entity.content = Data("from \(entity.schemaVersion)".utf8)
                return entity.address == "c" ? nil : entity
            }
        }
        #expect(await read(migrating, key("a"))?.content as? Data == Data("from 1".utf8))
        #expect(await read(migrating, key("b")) == nil)
        #expect(await read(migrating, key("c")) == nil)
        try await migrating.flush()
        #expect(try await store.allKeys() == [key("a").storeKey])
        let later = storage { $0.schemaVersion = 2 }
        #expect(await read(later, key("a"))?.content as? Data == Data("from 1".utf8))
        let dropping = storage { $0.schemaVersion = 3 }
        #expect(await read(dropping, key("a")) == nil)
        try await dropping.flush()
        #expect(try await store.allKeys().isEmpty)
    }

    @Test func `Compacting migrates and removes what nobody reads, and tells how far it is`() async throws {
        let old = storage { $0.schemaVersion = 1 }
        for number in 0..<200 { old.write(entity(at: TimeInterval(number)), forKey: key("\(number)")) }
        try await old.flush()
        let storage = storage { options in
            options.schemaVersion = 2
            options.ageLimit = 149
            options.migration = { $0 }
        }
        let steps = Locked<[[Int]]>([])
        try await storage.compact(at: 199) { done, total in
            steps.withLock { $0.append([done, total]) }
        }
        #expect(steps.withLock { $0 } == [[0, 200], [64, 200], [128, 200], [192, 200], [200, 200]])
        #expect(try await store.allKeys().count == 150)
        let records = try await store.records.read(try await store.allKeys())
        #expect(try records.values.allSatisfy { try CacheRecord(encoded: $0).schemaVersion == 2 })
        #expect(store.journal.entries.last == "compact")
    }

    @Test func `A cache that is read-only finds, and changes nothing`() async throws {
        let writing = storage()
        writing.write(entity(), forKey: key("a"))
        try await writing.flush()
        let storage = storage { options in
            options.isReadOnly = true
            options.ageLimit = 5000
        }
        storage.write(entity(), forKey: key("b"))
        storage.remove(key("a"))
        storage.updateTimestamp(5, forKey: key("a"))
        try await storage.clear()
        try await storage.remove(principal: "")
        try await storage.compact()
        try await storage.flush()
        #expect(await read(storage, key("a"))?.timestamp == 1000)
        #expect(await read(storage, key("a"), now: 7000) == nil)
        #expect(await read(storage, key("b")) == nil)
        #expect(try await store.allKeys() == [key("a").storeKey])
    }

    @Test func `Sealed records show nothing, and are found with the right key alone`() async throws {
        let storage = storage { $0.sealing = TestSealing(key: 1) }
        storage.write(entity(Data("secret".utf8)), forKey: key("https://secret", of: "secret"))
        try await storage.flush()
        let record = try #require(try await store.records.read(try await store.allKeys()).values.first)
        #expect(record.range(of: Data("secret".utf8)) == nil)
        #expect(await read(storage, key("https://secret", of: "secret"))?.content as? Data == Data("secret".utf8))
        let other = self.storage { $0.sealing = TestSealing(key: 2) }
        #expect(await read(other, key("https://secret", of: "secret")) == nil)
        try await other.flush()
        #expect(try await store.allKeys().count == 1)
    }

    @Test func `Statistics tell hits, misses, writes and sizes`() async throws {
        let storage = storage()
        storage.write(entity(), forKey: key("a"))
        _ = await read(storage, key("a"))
        try await storage.flush()
        _ = await read(storage, key("a"))
        _ = await read(storage, key("b"))
        let statistics = await storage.statistics()
        #expect(statistics.usage?.entries == 1)
        #expect(try #require(statistics.usage).bytes > 0)
        #expect((statistics.hits, statistics.misses, statistics.writes) == (2, 1, 1))
        #expect((statistics.refusals, statistics.failures) == (0, 0))
    }

    @Test func `The same place is the same storage as long as somebody has it`() {
        let place = UUID().uuidString
        let first = CacheStorage.shared(at: place, options: EntityCacheOptions(schemaVersion: 1)) { store }
        let second = CacheStorage.shared(at: place, options: EntityCacheOptions(schemaVersion: 2)) { store }
        #expect(first === second)
        #expect(second.options.schemaVersion == 1)
        #expect(CacheStorage.shared(at: place + "2", options: EntityCacheOptions()) { store } !== first)
    }

    /// Opens what the former key has sealed, and cannot seal now, for example because a chip is locked.
    private struct LockedSealing: EntitySealing {
        struct Refusal: Error {}

        var keyIdentifier: String { "2" }

        func seal(_ plain: Data, context: Data) throws -> Data { throw Refusal() }
        func open(_ sealed: Data, context: Data) throws -> Data {
            try TestSealing(key: 1).open(sealed, context: context)
        }
        func isSealedWithPresentKey(_ sealed: Data) -> Bool { false }
    }

    @Test func `A record that cannot be sealed with the present key now stays as it is`() async throws {
        let former = storage { $0.sealing = TestSealing(key: 1) }
        former.write(entity(), forKey: key("a"))
        try await former.flush()
        let storage = storage { $0.sealing = LockedSealing() }
        #expect(await read(storage, key("a")) != nil)
        await #expect(throws: LockedSealing.Refusal.self) { try await storage.compact() }
        #expect(await read(storage, key("a")) != nil)
        #expect(try await store.allKeys() == [key("a").storeKey])
    }

    @Test func `A compaction is no use: the entities that were used least recently are still evicted first`()
        async throws
    {
        let store = MemoryRecordStore(limits: RecordLimits(entries: 64))
        let storage = CacheStorage(store)
        for number in 0..<64 { storage.write(entity(), forKey: key("\(number)")) }
        try await storage.flush()
        try await storage.compact()
        storage.write(entity(), forKey: key("64"))
        try await storage.flush()
        #expect(Set(try await store.allKeys()) == Set((9...64).map { key("\($0)").storeKey }))
    }

    /// Refuses to seal one time.
    private struct RefusingSealing: EntitySealing {
        let seals = Locked(0)

        var keyIdentifier: String { "2" }

        func seal(_ plain: Data, context: Data) throws -> Data {
            let isFirst = seals.withLock { seals in
                seals += 1
                return seals == 1
            }
            if isFirst { throw LockedSealing.Refusal() }
            return try TestSealing(key: 2).seal(plain, context: context)
        }

        func open(_ sealed: Data, context: Data) throws -> Data {
            try TestSealing(key: 1).open(sealed, context: context)
        }

        func isSealedWithPresentKey(_ sealed: Data) -> Bool { false }
    }

    @Test func `A compaction goes on after a record that cannot be sealed`() async throws {
        let former = storage { $0.sealing = TestSealing(key: 1) }
        for number in 0..<100 { former.write(entity(), forKey: key("\(number)")) }
        try await former.flush()
        let sealing = RefusingSealing()
        let storage = storage { $0.sealing = sealing }
        await #expect(throws: LockedSealing.Refusal.self) { try await storage.compact() }
        #expect(sealing.seals.withLock { $0 } == 100)
        #expect(try await store.allKeys().count == 100)
    }
}
