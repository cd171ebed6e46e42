import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCaches

/// The contexts to which records are bound, and the treatment of records that cannot be used.
@Suite(.timeLimit(.test))
struct RecordCoderTests {
    /// Encryption that records the contexts of records.
    private final class NotingSealing: EntitySealing {
        let contexts = Locked<[Data]>([])
        let opened = Locked<[Data]>([])
        private let sealing = TestSealing(key: 7)

        var keyIdentifier: String { sealing.keyIdentifier }

        func seal(_ plain: Data, context: Data) throws -> Data {
            contexts.withLock { $0.append(context) }
            return try sealing.seal(plain, context: context)
        }

        func open(_ sealed: Data, context: Data) throws -> Data {
            opened.withLock { $0.append(context) }
            return try sealing.open(sealed, context: context)
        }
    }

    private func entity(_ address: String, principal: String = "ada", coding: String = "data") -> CacheRecord {
        CacheRecord(principal: principal, address: address, coding: coding, timestamp: 5, content: Data("x".utf8))
    }

    private func form(_ configure: (inout EntityCacheOptions) -> Void = { _ in }) -> RecordCoder {
        var options = EntityCacheOptions()
        configure(&options)
        return RecordCoder(options)
    }

    private func reason(_ finding: RecordCoder.Finding) -> String? {
        switch finding {
        case .foreign(let reason), .useless(let reason): reason
        case .entity, .migrated: nil
        }
    }

    private func isFound(_ finding: RecordCoder.Finding) -> Bool {
        if case .entity = finding { true } else { false }
    }

    private func isForeign(_ finding: RecordCoder.Finding) -> Bool {
        if case .foreign = finding { true } else { false }
    }

    // MARK: Keys

    @Test func `A sealed record is bound to its principal, address and coding, and opened with the same`() throws {
        let sealing = NotingSealing()
        let form = form { $0.sealing = sealing }
        let entities = [
            entity("a"), entity("b"), entity("a", principal: "bob"), entity("a", coding: "model"), entity(""),
        ]
        for entity in entities {
            let record = try form.record(of: entity)
            #expect(isFound(form.finding(in: record, under: entity.key)))
        }
        let contexts = sealing.contexts.withLock { $0 }
        #expect(Set(contexts).count == entities.count)
        #expect(contexts.allSatisfy { $0.count >= 32 })
        #expect(sealing.opened.withLock { $0 } == contexts)
    }

    @Test func `A record under another key is not used, be it sealed or not`() throws {
        for sealing in [nil, TestSealing(key: 7)] {
            let form = form { $0.sealing = sealing }
            let (first, second) = (entity("a"), entity("b"))
            for other in [second, entity("a", principal: "bob"), entity("a", coding: "model")] {
                let finding = form.finding(in: try form.record(of: first), under: other.key)
                #expect(!isFound(finding))
                // `TestSealing` itself refuses the record, so the key inside the record is not compared.
                #expect(reason(finding)?.hasPrefix(sealing == nil ? "is that of another key" : "cannot be") == true)
            }
        }
    }

    @Test func `Two sealed records of a folder that change places are misses`() async throws {
        let folder = try TestFolder()
        let options = EntityCacheOptions(sealing: TestSealing(key: 7))
        func storage() -> CacheStorage {
            CacheStorage(FileRecordStore(folder: folder.url.appendingPathComponent("cache")), options: options)
        }
        let keys = ["a", "b"].map { CacheKey(principal: "ada", address: $0, coding: .data) }
        let writing = storage()
        for key in keys { writing.write(Entity<Any>(content: Data(key.address.utf8), headers: [:]), forKey: key) }
        try await writing.flush()
        let paths = folder.files.map { folder.path + "/" + $0 }
        try FileManager.default.moveItem(atPath: paths[0], toPath: folder.path + "/x")
        try FileManager.default.moveItem(atPath: paths[1], toPath: paths[0])
        try FileManager.default.moveItem(atPath: folder.path + "/x", toPath: paths[1])
        let reading = storage()
        for key in keys {
            let found = await reading.entity(forKey: key)
            #expect(found == nil)
        }
    }

    // MARK: Other forms

    @Test
    func `Where records are sealed, an open one is of no use; without a key, a sealed one is left alone`() throws {
        let (open, sealed) = (form(), form { $0.sealing = TestSealing(key: 7) })
        let entity = entity("a")
        let inOpen = sealed.finding(in: try open.record(of: entity), under: entity.key)
        #expect(!isFound(inOpen))
        #expect(!isForeign(inOpen))
        #expect(isForeign(open.finding(in: try sealed.record(of: entity), under: entity.key)))
        let other = form { $0.sealing = TestSealing(key: 8) }
        #expect(isForeign(other.finding(in: try sealed.record(of: entity), under: entity.key)))
    }

    @Test func `Records of a newer form are left alone, sealed ones and others`() throws {
        let entity = entity("a")
        for sealing in [nil, TestSealing(key: 7)] {
            let form = form { $0.sealing = sealing }
            var record = try form.record(of: entity)
            record[3] = 99
            let finding = form.finding(in: record, under: entity.key)
            #expect(reason(finding)?.contains("newer") == true)
            #expect(isForeign(finding))
        }
    }

    @Test func `A record of another schema version is migrated to the same key, or of no use`() throws {
        var entity = entity("a")
        (entity.slot, entity.redirectsForbidStale) = (3, true)
        let record = try form { $0.schemaVersion = 1 }.record(
            of: {
                var old = entity
                old.schemaVersion = 1
                return old
            }())
        func finding(_ migration: (@Sendable (CacheRecord) throws -> CacheRecord?)?) -> RecordCoder.Finding {
            form { options in
                options.schemaVersion = 2
                options.migration = migration
            }.finding(in: record, under: entity.key)
        }
        #expect(reason(finding(nil)) == "has schema version 1")
        #expect(reason(finding { _ in nil }) == "has schema version 1")
        let moved = finding { old in
            var new = old
            new.address = "b"
            return new
        }
        #expect(reason(moved) == "was migrated to another key")
        let renewed = finding { old in
            CacheRecord(
                principal: old.principal, address: old.address, coding: old.coding, timestamp: 5, content: old.content)
        }
        for result in [finding { $0 }, renewed] {
            guard case .migrated(let new) = result else { return #expect(Bool(false), "not migrated") }
            #expect(new.schemaVersion == 2)
            #expect(new.slot == 3)
            #expect(new.redirectsForbidStale)
        }
    }

    @Test func `A record that is larger than the whole cache may be is not made`() throws {
        let entity = entity("a")
        let size = try form().record(of: entity).count
        #expect(throws: RecordCoder.TooLarge.self) { try form { $0.byteLimit = size - 1 }.record(of: entity) }
        #expect(try form { $0.byteLimit = size }.record(of: entity).count == size)
    }
}
