import Foundation

/// Changes the files of a ``FileEntityStore``, on its queue for writing.
struct FileRecordWriter {
    private let records: FileRecords
    private let limits: EntityStoreLimits
    private let durability: EntityCacheOptions.Durability
    /// Where this store writes a record before it gets its place.
    private let newFile: String
    /// What is stored as of the last count, and as far as this store has changed it since.
    private var usage: EntityStoreUsage?
    /// What was written since the last count: other processes may have written as much.
    private var uncounted = EntityStoreUsage()
    /// Files and folders that may differ from what is on the disk.
    private var unsynchronized: Set<String> = []
    /// Whether they are too many to be named.
    private var isAllUnsynchronized = false
    /// Folders whose own entry in the folder above is on the disk, or will be with the next synchronization.
    private var synchronizedFolders: Set<String> = []
    private var lastTime: Int64 = 0

    init(_ records: FileRecords, limits: EntityStoreLimits, durability: EntityCacheOptions.Durability) {
        self.records = records
        self.limits = limits
        self.durability = durability
        newFile = "\(records.newFolder)/\(UInt128.random(in: 0...(.max)).hexadecimal)"
        if !records.isReadOnly { removeLeftovers() }
    }

    mutating func apply(_ changes: [EntityStoreChange]) throws(FileSystemError) {
        guard !records.isReadOnly else { throw FileSystemError("write", records.root, code: EROFS) }
        var failure: FileSystemError?
        for change in changes {
            do throws(FileSystemError) {
                try apply(change)
            } catch {
                failure = failure ?? error
            }
        }
        do throws(FileSystemError) {
            if durability == .everyWrite { try flush() }
            try keepToLimits()
        } catch {
            failure = failure ?? error
        }
        if let failure { throw failure }
    }

    mutating func flush() throws(FileSystemError) {
        guard !unsynchronized.isEmpty || isAllUnsynchronized else { return }
        if isAllUnsynchronized || unsynchronized.count > 32, FileSystem.synchronizeAll(at: records.root) {
            return (unsynchronized, isAllUnsynchronized) = ([], false)
        }
        if isAllUnsynchronized { unsynchronized.formUnion(try everyPath()) }
        for path in unsynchronized.sorted(by: { $0.utf8.count > $1.utf8.count }) {  // files before their folders
            do throws(FileSystemError) {
                let file = try FileDescriptor(path, O_RDONLY)
                defer { file.close() }
                try file.synchronize()
            } catch {
                // It was removed since, or is a folder above the store's that this user may not look into.
                guard error.code == ENOENT || error.code == EACCES && records.ancestors.contains(path) else {
                    throw error
                }
            }
        }
        (unsynchronized, isAllUnsynchronized) = ([], false)
    }

    private func everyPath() throws(FileSystemError) -> Set<String> {
        var paths = Set(records.ancestors).union([records.root])
        for partition in try records.partitions() { paths.insert(records.folder(of: partition)) }
        for record in try records.all() { paths.insert(records.path(of: record.key)) }
        return paths
    }

    mutating func countedUsage() throws(FileSystemError) -> EntityStoreUsage {
        count(try records.all())
    }

    mutating func compact() throws(FileSystemError) {
        removeLeftovers()
        for partition in try records.partitions() { rmdir(records.folder(of: partition)) }  // Fails unless it is empty.
        usage = nil
        try keepToLimits()
    }

    // MARK: Single changes

    private mutating func apply(_ change: EntityStoreChange) throws(FileSystemError) {
        switch change {
        case .write(let key, let record): try write(record, for: key)
        case .update(let key, let old, let new):
            guard try records.read([key])[key] == old else { return }
            if let new { try write(new, for: key) } else { try remove(key) }
        case .remove(let key): try remove(key)
        case .removePartition(let partition): try removePartition(partition)
        case .removeAll:
            var failure: FileSystemError?
            for partition in try records.partitions() {
                do throws(FileSystemError) {
                    try removePartition(partition)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }

    private mutating func write(_ record: Data, for key: EntityStoreKey) throws(FileSystemError) {
        let path = records.path(of: key)
        do throws(FileSystemError) {
            let time = nextTime()
            try inFolder(records.newFolder) { () throws(FileSystemError) in try writeNewFile(record, time) }
            let old = usage == nil ? nil : FileSystem.status(path)
            try inFolder(records.folder(of: key.partition)) { () throws(FileSystemError) in
                try FileSystem.move(newFile, to: path)
            }
            note(path, in: records.folder(of: key.partition))
            usage?.entries += old == nil ? 1 : 0
            usage?.bytes += record.count - Int(old?.st_size ?? 0)
            uncounted.entries += 1
            uncounted.bytes += record.count
        } catch {
            unlink(newFile)
            throw error
        }
    }

    private func writeNewFile(_ record: Data, _ time: Int64) throws(FileSystemError) {
        let file = try FileDescriptor(newFile, O_WRONLY | O_CREAT | O_TRUNC)
        defer { file.close() }
        try file.append(record)
        file.setModificationTime(time)
        if durability == .everyWrite { try file.synchronize() }
    }

    private mutating func remove(_ key: EntityStoreKey) throws(FileSystemError) {
        let path = records.path(of: key)
        let old = usage == nil ? nil : FileSystem.status(path)
        guard try FileSystem.remove(path) else { return }
        note(nil, in: records.folder(of: key.partition))
        guard let old else { return }
        usage?.entries -= 1
        usage?.bytes -= Int(old.st_size)
    }

    /// Takes the folder away in one step, and then removes what is in it; where it cannot be moved, as on a full disk,
    /// piece by piece.
    private mutating func removePartition(_ partition: UInt128) throws(FileSystemError) {
        let folder = records.folder(of: partition)
        let removed = "\(records.newFolder)/removed-\(UInt128.random(in: 0...(.max)).hexadecimal)"
        do throws(FileSystemError) {
            try inFolder(records.newFolder) { () throws(FileSystemError) in try FileSystem.move(folder, to: removed) }
            FileSystem.removeTree(removed)
        } catch {
            guard error.code != ENOENT else { return }
            FileSystem.removeTree(folder)
            guard FileSystem.status(folder) == nil else { throw error }
        }
        note(nil, in: records.root)
        synchronizedFolders.remove(folder)
        usage = nil
    }

    /// Tries again after making a folder that was not there.
    private func inFolder(
        _ folder: String, _ work: () throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        do throws(FileSystemError) {
            try work()
        } catch {
            guard error.code == ENOENT else { throw error }
            try FileSystem.makeFolder(folder)
            try work()
        }
    }

    /// Notes that a file and the entry in its folder are not known to be on the disk.
    private mutating func note(_ path: String?, in folder: String) {
        if let path, durability == .onFlush { unsynchronized.insert(path) }
        unsynchronized.insert(folder)
        // The first time that this store writes there, the folders may be new, too.
        if synchronizedFolders.insert(folder).inserted { unsynchronized.formUnion(records.ancestors) }
        if unsynchronized.count > Self.mostNamed { (unsynchronized, isAllUnsynchronized) = ([], true) }
    }

    /// How many files and folders are kept by name until the next flush, which may never come.
    private static let mostNamed = 4_096

    /// The time, but never the same twice, since the order of uses is made of it.
    private mutating func nextTime() -> Int64 {
        let now = FileSystem.time
        lastTime = FileSystem.isInFuture(lastTime, now: now) ? now : max(now, lastTime + 1)
        return lastTime
    }

    // MARK: Limits and leftovers

    private mutating func keepToLimits() throws(FileSystemError) {
        guard limits != EntityStoreLimits() else { return }
        if let usage, limits.allow(usage), isUncountedSmall { return }
        let all = try records.all()
        count(all)
        for surplus in limits.surplus(of: all) { try remove(surplus.key) }
    }

    /// Whether so little was written since the last count that what others may have written meanwhile does not matter.
    private var isUncountedSmall: Bool {
        uncounted.bytes <= (limits.bytes ?? .max) / 8 && uncounted.entries <= (limits.entries ?? .max) / 8
    }

    @discardableResult
    private mutating func count(_ all: [FileRecords.Listed]) -> EntityStoreUsage {
        let counted = EntityStoreUsage(entries: all.count, bytes: all.reduce(0) { $0 + $1.bytes })
        (usage, uncounted) = (counted, EntityStoreUsage())
        return counted
    }

    /// Removes what processes have left that were killed while they wrote: files that nobody can be writing any more.
    private func removeLeftovers() {
        let tenMinutes: Int64 = 600 * 1_000_000_000
        for name in (try? FileSystem.names(in: records.newFolder)) ?? [] {
            let path = "\(records.newFolder)/\(name)"
            if name.hasPrefix("removed-") {
                FileSystem.removeTree(path)
            } else if let status = FileSystem.status(path),
                abs(FileSystem.time - status.modificationTime) > tenMinutes
            {
                unlink(path)
            }
        }
    }
}
