import Foundation
import SiestaCore

/// Converts entities to the records of one store, and decides how records of the store can be used. Pure, except for
/// the app's migration and encryption.
struct RecordCoder: Sendable {
    let schemaVersion: UInt32
    let migration: (@Sendable (CacheRecord) throws -> CacheRecord?)?
    let sealing: (any EntitySealing)?
    let byteLimit: Int?

    init(_ options: EntityCacheOptions) {
        schemaVersion = options.schemaVersion
        migration = options.migration
        sealing = options.sealing
        byteLimit = options.byteLimit
    }

    /// The result of reading a record.
    enum Finding {
        case entity(CacheRecord)
        /// An entity of another schema version, converted to the current version, or an entity that was sealed with an
        /// earlier key. It should be written again.
        case migrated(CacheRecord)
        /// A record that this cache must neither use nor remove.
        case foreign(reason: String)
        /// A record that should be removed, because this cache and later caches with the same key cannot use it.
        case useless(reason: String)
    }

    /// The error for a record that is larger than the limit of the whole cache.
    struct TooLarge: LocalizedError {
        let bytes: Int
        var errorDescription: String? { "The record has \(bytes) bytes, more than the cache's limit" }
    }

    func record(of entity: Entity<Any>, forKey key: CacheKey) throws -> Data {
        let errorBody = (entity.content as? ErrorBody)?.bytes
        var stored = CacheRecord(
            principal: key.principal, address: key.address, coding: key.coding.name, schemaVersion: schemaVersion,
            timestamp: entity.timestamp, charset: entity.charset, headers: CacheRecord.kept(entity.headers),
            variant: key.variant(namedBy: entity.header(forKey: "Vary")), statusCode: entity.statusCode,
            isError: errorBody != nil, content: try errorBody ?? key.coding.encode(entity.content))
        stored.setCachingInfo(entity.cachingInfo)
        stored.slot = key.slot
        return try record(of: stored)
    }

    func record(of entity: CacheRecord) throws -> Data {
        var record = entity.encoded()
        if let sealing {
            record = SealedEnvelope.mark + (try sealing.seal(record, context: Self.context(of: entity.key)))
        }
        guard record.count <= byteLimit ?? .max else { throw TooLarge(bytes: record.count) }
        return record
    }

    func finding(in record: Data, under key: RecordKey) -> Finding {
        do {
            let entity: CacheRecord
            var isSealedWithPresentKey = true
            switch (try SealedEnvelope.sealed(in: record), sealing) {
            case (nil, nil): entity = try CacheRecord(encoded: record)
            case (nil, .some): return .useless(reason: "is not encrypted")
            case (.some, nil): return .foreign(reason: "is encrypted, and the cache has no key")
            case (let sealed?, let sealing?):
                entity = try CacheRecord(encoded: sealing.open(sealed, context: Self.context(of: key)))
                isSealedWithPresentKey = sealing.isSealedWithPresentKey(sealed)
            }
            guard entity.key == key else { return .useless(reason: "is that of another key") }
            guard entity.schemaVersion == schemaVersion else { return migrated(entity) }
            return isSealedWithPresentKey ? .entity(entity) : .migrated(entity)
        } catch CacheRecord.Malformation.damaged {
            return .useless(reason: "is damaged")
        } catch CacheRecord.Malformation.newer(let version) {
            return .foreign(reason: "has the newer form \(version)")
        } catch {
            return .foreign(reason: "cannot be decrypted: \(error.localizedDescription)")
        }
    }

    private func migrated(_ entity: CacheRecord) -> Finding {
        do {
            guard var result = try migration?(entity) else {
                return .useless(reason: "has schema version \(entity.schemaVersion)")
            }
            (result.schemaVersion, result.slot) = (schemaVersion, entity.slot)
            result.redirectsForbidStale = entity.redirectsForbidStale
            guard result.key == entity.key else { return .useless(reason: "was migrated to another key") }
            return .migrated(result)
        } catch {
            return .useless(reason: "cannot be migrated from schema version \(entity.schemaVersion): \(error)")
        }
    }

    /// The context for which a record is sealed: the digests of its key.
    private static func context(of key: RecordKey) -> Data {
        Data((key.partition.hexadecimal + key.name.hexadecimal).utf8)
    }
}

/// The prefix that distinguishes encrypted records: a mark, and the version of the format that follows.
private enum SealedEnvelope {
    static let mark = Data("SiX".utf8) + [version]
    private static let version: UInt8 = 1

    /// Returns the sealed bytes; nil if the record is not encrypted.
    static func sealed(in record: Data) throws(CacheRecord.Malformation) -> Data? {
        guard record.starts(with: mark.dropLast()), let version = record.dropFirst(3).first else { return nil }
        guard version <= self.version else { throw .newer(version: version) }
        return Data(record.dropFirst(mark.count))
    }
}
