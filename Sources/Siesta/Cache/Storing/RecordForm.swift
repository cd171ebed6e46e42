import Foundation

/// The conversion of entities to the records of one store, and the judgement of records found there. Pure, except for
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

    /// The result of reading a record.
    enum Finding {
        case entity(StoredEntity)
        /// An entity of another schema version, converted to the current one, or one that was sealed with a former key.
        /// It should be written again.
        case migrated(StoredEntity)
        /// A record that this cache must neither use nor remove.
        case foreign(reason: String)
        /// A record that nobody can use.
        case useless(reason: String)
    }

    /// The error for a record that is larger than the limit of the whole cache.
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

    /// The context to which a record is sealed: the digests of its key.
    private static func context(of key: EntityStoreKey) -> Data {
        Data((key.partition.hexadecimal + key.name.hexadecimal).utf8)
    }
}

/// The prefix that distinguishes encrypted records: a mark, and the version of the format that follows.
private enum SealedForm {
    static let mark = Data("SiX".utf8) + [version]
    private static let version: UInt8 = 1

    /// Returns the sealed bytes; nil if the record is not encrypted.
    static func sealed(in record: Data) throws(StoredEntity.Malformation) -> Data? {
        guard record.starts(with: mark.dropLast()), let version = record.dropFirst(3).first else { return nil }
        guard version <= self.version else { throw .newer(version: version) }
        return Data(record.dropFirst(mark.count))
    }
}
