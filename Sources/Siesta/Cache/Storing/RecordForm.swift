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
        /// Of another schema version, and made into one of the present, or sealed with a former key: worth being written
        /// again.
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
                variant: key.variant(namedBy: entity.header(forKey: "Vary")),
                content: key.coding.encode(entity.content)))
    }

    func record(of entity: StoredEntity) throws -> Data {
        var record = entity.encoded()
        if let sealing { record = SealedForm.mark + (try sealing.seal(record, context: Self.context(of: entity.key))) }
        guard record.count <= byteLimit ?? .max else { throw TooLarge(bytes: record.count) }
        return record
    }

    func finding(in record: Data, under key: EntityStoreKey) -> Finding {
        do {
            let entity: StoredEntity
            var isSealedWithPresentKey = true
            switch (try SealedForm.sealed(in: record), sealing) {
            case (nil, nil): entity = try StoredEntity(encoded: record)
            case (nil, .some): return .useless(reason: "is not encrypted")
            case (.some, nil): return .foreign(reason: "is encrypted, and the cache has no key")
            case (let sealed?, let sealing?):
                entity = try StoredEntity(encoded: sealing.open(sealed, context: Self.context(of: key)))
                isSealedWithPresentKey = sealing.isSealedWithPresentKey(sealed)
            }
            guard entity.key == key else { return .useless(reason: "is that of another key") }
            guard entity.schemaVersion == schemaVersion else { return migrated(entity) }
            return isSealedWithPresentKey ? .entity(entity) : .migrated(entity)
        } catch StoredEntity.Malformation.damaged {
            return .useless(reason: "is damaged")
        } catch StoredEntity.Malformation.newer(let version) {
            return .foreign(reason: "has the newer form \(version)")
        } catch {
            return .foreign(reason: "cannot be decrypted: \(error.localizedDescription)")
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

/// How encrypted records are told from those in the open: a mark, and the version of what follows.
private enum SealedForm {
    static let mark = Data("SiX".utf8) + [version]
    private static let version: UInt8 = 1

    /// What was sealed; nil if the record is not encrypted.
    static func sealed(in record: Data) throws(StoredEntity.Malformation) -> Data? {
        guard record.starts(with: mark.dropLast()), let version = record.dropFirst(3).first else { return nil }
        guard version <= self.version else { throw .newer(version: version) }
        return Data(record.dropFirst(mark.count))
    }
}
