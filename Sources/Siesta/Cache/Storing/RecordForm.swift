import Foundation

/// How entities become the records of one store, and what is to become of records that are found there. Pure, but for
/// the app's own migration and encryption.
struct RecordForm: Sendable {
    let schemaVersion: UInt32
    let migration: (@Sendable (StoredEntity) throws -> StoredEntity?)?
    let sealing: (any EntitySealing)?
    let byteLimit: Int?

    init(_ options: EntityCacheOptions) {
        schemaVersion = options.schemaVersion
        migration = options.migration
        sealing = options.sealing
        byteLimit = options.byteLimit
    }

    /// What a record turns out to be.
    enum Finding {
        case entity(StoredEntity)
        /// Of another schema version, and made into one of the present: worth being written again.
        case migrated(StoredEntity)
        /// Not to be used, but not ours to remove.
        case foreign(reason: String)
        /// Of no use to anybody.
        case useless(reason: String)
    }

    /// The content is larger than the whole cache may be.
    struct TooLarge: LocalizedError {
        let bytes: Int
        var errorDescription: String? { "The record has \(bytes) bytes, more than the cache's limit" }
    }

    func record(of entity: Entity<Any>, forKey key: StoredEntityKey) throws -> Data {
        try record(
            of: StoredEntity(
                principal: key.principal, address: key.address, coding: key.coding.name, schemaVersion: schemaVersion,
                timestamp: entity.timestamp, charset: entity.charset, headers: StoredEntity.kept(entity.headers),
                selectingHeaders: key.selectingHeaders(namedBy: entity.header(forKey: "Vary")),
                content: key.coding.encode(entity.content)))
    }

    func record(of entity: StoredEntity) throws -> Data {
        var record = entity.encoded()
        if let sealing { record = try sealing.seal(record, context: Self.context(of: entity.key)) }
        guard record.count <= byteLimit ?? .max else { throw TooLarge(bytes: record.count) }
        return record
    }

    func finding(in record: Data, under key: EntityStoreKey) -> Finding {
        do throws(StoredEntity.Malformation) {
            let plain: Data
            do {
                plain = try sealing?.open(record, context: Self.context(of: key)) ?? record
            } catch let error as StoredEntity.Malformation {
                throw error
            } catch {
                return .foreign(reason: "cannot be decrypted: \(error.localizedDescription)")
            }
            let entity = try StoredEntity(encoded: plain)
            guard entity.key == key else { return .useless(reason: "is that of another key") }
            return entity.schemaVersion == schemaVersion ? .entity(entity) : migrated(entity)
        } catch {
            switch error {
            case .damaged: return .useless(reason: "is damaged")
            case .newer(let version): return .foreign(reason: "has the newer form \(version)")
            }
        }
    }

    private func migrated(_ entity: StoredEntity) -> Finding {
        do {
            guard var result = try migration?(entity) else {
                return .useless(reason: "has schema version \(entity.schemaVersion)")
            }
            result.schemaVersion = schemaVersion
            guard result.key == entity.key else { return .useless(reason: "was migrated to another key") }
            return .migrated(result)
        } catch {
            return .useless(reason: "cannot be migrated from schema version \(entity.schemaVersion): \(error)")
        }
    }

    /// What a sealed record is bound to.
    private static func context(of key: EntityStoreKey) -> Data {
        Data((key.partition.hexadecimal + key.name.hexadecimal).utf8)
    }
}
