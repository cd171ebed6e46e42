import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCaches

/// Two processes with one store. The second process writes immediately before the first one applies its changes.
@Suite(.timeLimit(.test))
struct SharedStoreTests {
    /// A store in which another process writes immediately before the next changes are made.
    private final class Interrupted: RecordStore {
        private let inner = MemoryRecordStore()
        private let interruption = Locked<[RecordChange]>([])

        var name: String { "interrupted" }

        func interrupt(with changes: [RecordChange]) { interruption.withLock { $0 = changes } }

        func apply(_ changes: [RecordChange]) async throws {
            let interruption = interruption.withLock { interruption in
                defer { interruption = [] }
                return interruption
            }
            try await inner.apply(interruption)
            try await inner.apply(changes)
        }

        func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data] { try await inner.read(keys) }
        func flush() async throws {}
        func usage() async throws -> RecordUsage { try await inner.usage() }
        func allKeys() async throws -> [RecordKey] { try await inner.allKeys() }
        func compact() async throws {}
    }

    private let key = CacheKey(principal: "", address: "a", coding: .data)
    private let store = Interrupted()
    private let old = Entity<Any>(content: Data("old".utf8), headers: ["ETag": "1"], timestamp: 0)

    private func record(_ text: String) throws -> Data {
        let entity = Entity<Any>(content: Data(text.utf8), headers: ["ETag": "1"], timestamp: 1000)
        return try RecordCoder(EntityCacheOptions()).record(of: entity, forKey: key)
    }

    private func stored() async throws -> String? {
        let record = try await store.read([key.storeKey])[key.storeKey]
        return try record.map { String(decoding: try CacheRecord(encoded: $0).content, as: UTF8.self) }
    }

    @Test func `A confirmation does not bring back what another process has replaced`() async throws {
        let storage = CacheStorage(store)
        storage.write(old, forKey: key)
        try await storage.flush()
        store.interrupt(with: [.write(key.storeKey, try record("new"))])
        storage.updateTimestamp(2000, of: old.validator, forKey: key)
        try await storage.flush()
        #expect(try await stored() == "new")
    }

    @Test func `Sweeping does not remove what another process has replaced`() async throws {
        let storage = CacheStorage(store, options: EntityCacheOptions(ageLimit: 10))
        storage.write(old, forKey: key)
        try await storage.flush()
        store.interrupt(with: [.write(key.storeKey, try record("new"))])
        try await storage.compact(at: 1000) { _, _ in }
        #expect(try await stored() == "new")
    }
}
