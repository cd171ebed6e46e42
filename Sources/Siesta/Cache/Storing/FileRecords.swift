import Foundation

/// Where the files of a ``FileEntityStore`` are, and what is in them.
///
///     folder/entities-1/PARTITION/NAME     a record
///     folder/entities-1/new/…              files being written, folders being removed
struct FileRecords: Sendable {
    /// The folder of this form of store; that of another form would be another.
    let root: String
    let isReadOnly: Bool
    /// More than this is not a record, but a trap.
    private static let sizeLimit = 1 << 30

    init(root: String, isReadOnly: Bool) {
        self.root = root + "/entities-1"
        self.isReadOnly = isReadOnly
    }

    var newFolder: String { root + "/new" }

    func folder(of partition: UInt128) -> String { "\(root)/\(partition.hexadecimal)" }

    /// The folders above those of partitions, up to the one that has the store's in it.
    var ancestors: [String] {
        let store = (root as NSString).deletingLastPathComponent
        return [root, store, (store as NSString).deletingLastPathComponent]
    }

    func path(of key: EntityStoreKey) -> String { "\(folder(of: key.partition))/\(key.name.hexadecimal)" }

    func read(_ keys: [EntityStoreKey]) throws(FileSystemError) -> [EntityStoreKey: Data] {
        var found: [EntityStoreKey: Data] = [:]
        var failure: FileSystemError?
        for key in keys {
            do throws(FileSystemError) {
                found[key] = try read(key)
            } catch {
                SiestaLog.log(.cache, ["Cannot read a record:", error.localizedDescription])
                failure = error
            }
        }
        if found.isEmpty, let failure { throw failure }
        return found
    }

    private func read(_ key: EntityStoreKey) throws(FileSystemError) -> Data? {
        let file: FileDescriptor
        do throws(FileSystemError) {
            file = try FileDescriptor(path(of: key), O_RDONLY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        defer { file.close() }
        let status = try file.status()
        guard status.isFile, status.st_size <= Self.sizeLimit else {
            throw FileSystemError("read", file.path, code: EINVAL)
        }
        let data = try file.contents(count: Int(status.st_size))
        if !isReadOnly { file.setModificationTime(FileSystem.time) }
        return data
    }

    /// A record's key, its size and when it was used last.
    typealias Listed = EntityStoreLimits.Candidate<Int64>

    /// All records.
    func all() throws(FileSystemError) -> [Listed] {
        let now = FileSystem.time
        var result: [Listed] = []
        for partition in try partitions() {
            for name in names(in: partition) {
                guard let name = UInt128(hexadecimal: name) else { continue }
                let key = EntityStoreKey(partition: partition, name: name)
                guard let status = FileSystem.status(path(of: key)), status.isFile else { continue }
                let lastUse = Self.lastUse(dated: status.modificationTime, now: now)
                result.append(Listed(key: key, bytes: Int(status.st_size), lastUse: lastUse))
            }
        }
        return result
    }

    /// What is dated in the future was used before the clock was set back: longer ago than anything since.
    private static func lastUse(dated time: Int64, now: Int64) -> Int64 {
        FileSystem.isInFuture(time, now: now) ? time - .max : time
    }

    /// What is in a partition, as far as it is one that this user may look into: what is not ours harms nothing else.
    private func names(in partition: UInt128) -> [String] {
        do {
            return try FileSystem.names(in: folder(of: partition))
        } catch {
            SiestaLog.log(.cache, ["Cannot look for records:", error.localizedDescription])
            return []
        }
    }

    func partitions() throws(FileSystemError) -> [UInt128] {
        try FileSystem.names(in: root).compactMap { UInt128(hexadecimal: $0) }
    }
}
