import Foundation
import SiestaCore

/// Changes the files of a ``FileRecordStore``. Runs on the store's queue for writing.
struct FileRecordWriter {
    private var records: FileRecords
    private let limits: RecordLimits
    private let durability: EntityCacheOptions.Durability
    /// The end of the names of the files to which this store writes new records, before they replace the old records.
    private let newFileEnd = UInt128.random(in: 0...(.max)).hexadecimal
    /// The number and size of the records at the last count, updated by this store's later changes.
    private var usage: RecordUsage?
    /// The records that this store has written since the last count. Other processes may have written the same number
    /// of records.
    private var uncounted = RecordUsage()
    /// The files and folders whose changes may not be on disk yet.
    private var unsynchronized: Set<Directory> = []
    /// True if there are too many such files and folders to keep their names.
    private var isAllUnsynchronized = false
    /// The partitions whose entry in the parent folder is on disk, or will be on disk after the next
    /// synchronization.
    private var synchronizedPartitions: Set<UInt128> = []
    private var lastTime: Int64 = 0

    /// A file or folder that is synchronized by its own system call.
    private enum Directory: Hashable {
        case record(RecordKey)
        case partition(UInt128)
        case root
        /// The folder of the store, and its parent folder.
        case folder, above

        /// The order of synchronization: files before their folders.
        var rank: Int {
            switch self {
            case .record: 0
            case .partition: 1
            case .root: 2
            case .folder: 3
            case .above: 4
            }
        }
    }

    init(_ records: FileRecords, limits: RecordLimits, durability: EntityCacheOptions.Durability) {
        self.records = records
        self.limits = limits
        self.durability = durability
        if !records.isReadOnly { removeLeftovers() }
    }

    mutating func apply(_ changes: [RecordChange]) throws(FileSystemError) {
        guard !records.isReadOnly else { throw FileSystemError("write", records.rootPath, code: EROFS) }
        records.refresh()
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
        records.refresh()
        let root = try records.root()  // Throws if the root must not be used, even if there is nothing to flush.
        guard !unsynchronized.isEmpty || isAllUnsynchronized else { return }
        if isAllUnsynchronized || unsynchronized.count > 32, let root,
            FileSystem.synchronizeAll(at: root)
        {
            return (unsynchronized, isAllUnsynchronized) = ([], false)
        }
        if isAllUnsynchronized { unsynchronized.formUnion(try everyDirectory()) }
        for place in unsynchronized.sorted(by: { $0.rank < $1.rank }) {
            do throws(FileSystemError) {
                try synchronize(place)
            } catch {
                // The place has been removed, or it is the parent of the store's folder and this user may not open it.
                guard error.code == ENOENT || error.code == EACCES && place == .above else { throw error }
            }
        }
        (unsynchronized, isAllUnsynchronized) = ([], false)
    }

    private mutating func synchronize(_ place: Directory) throws(FileSystemError) {
        switch place {
        case .record(let key):
            guard let file = try records.partition(key.partition)?.file(key.name.hexadecimal)?.descriptor else {
                return
            }
            defer { file.close() }
            try file.synchronize()
        case .partition(let key): try records.partition(key)?.synchronize()
        case .root: try records.root()?.synchronize()
        case .folder: try records.folderAboveRoot?.synchronize()
        case .above: try FolderPath.synchronize(FolderPath.parent(of: records.folder))
        }
    }

    private mutating func everyDirectory() throws(FileSystemError) -> Set<Directory> {
        var places: Set<Directory> = [.root, .folder, .above]
        for partition in try records.partitions() { places.insert(.partition(partition)) }
        for record in try records.all() { places.insert(.record(record.key)) }
        return places
    }

    mutating func countedUsage() throws(FileSystemError) -> RecordUsage {
        records.refresh()
        return count(try records.all())
    }

    mutating func compact() throws(FileSystemError) {
        records.refresh()
        removeLeftovers()
        for partition in try records.partitions() {  // Removes only empty partitions.
            try records.root()?.removeFolder(partition.hexadecimal)
        }
        records.forgetPartition()
        usage = nil
        try keepToLimits()
    }

    // MARK: Single changes

    private mutating func apply(_ change: RecordChange) throws(FileSystemError) {
        switch change {
        case .write(let key, let record): try write(record, for: key)
        case .update(let key, let old, let new):
            guard try records.read([key])[key] == old else { return }
            if let new { try write(new, for: key) } else { try remove(key) }
        case .remove(let key): try remove(key)
        case .removePartition(let partition): try removePartition(partition)
        case .removeAll:
            var failure: FileSystemError?
            do throws(FileSystemError) { try removeNewFiles(of: nil) } catch { failure = error }
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

    private mutating func write(_ record: Data, for key: RecordKey) throws(FileSystemError) {
        let time = nextTime()
        do throws(FileSystemError) {
            try put(record, for: key, time)
        } catch {
            guard error.code == ENOENT else { throw error }
            records.close()  // Another process has removed a folder. It is created again.
            try put(record, for: key, time)
        }
        uncounted.entries += 1
        uncounted.bytes += record.count
    }

    private mutating func put(_ record: Data, for key: RecordKey, _ time: Int64) throws(FileSystemError) {
        let (new, newFile) = (try records.makeNewFolder(), "\(key.partition.hexadecimal)-\(newFileEnd)")
        do throws(FileSystemError) {
            try writeNewFile(newFile, record, in: new, time)
            // The folder may have been removed since its name was written to the disk.
            if try records.partition(key.partition) == nil { synchronizedPartitions.remove(key.partition) }
            let (partition, name) = (try records.makePartition(key.partition), key.name.hexadecimal)
            let old = usage == nil ? nil : partition.status(of: name)
            try new.move(newFile, to: partition, as: name)
            note(.record(key), in: key.partition)
            usage?.entries += old == nil ? 1 : 0
            usage?.bytes += record.count - (old?.size ?? 0)
        } catch {
            _ = try? new.remove(newFile)
            throw error
        }
    }

    private func writeNewFile(
        _ name: String, _ record: Data, in new: Folder, _ time: Int64
    ) throws(FileSystemError) {
        let file = try new.newFile(name)
        defer { file.close() }
        try file.append(record)
        file.setModificationTime(time)
        if durability == .everyWrite { try file.synchronize() }
    }

    private mutating func remove(_ key: RecordKey) throws(FileSystemError) {
        guard let partition = try records.partition(key.partition) else { return }
        let old = usage == nil ? nil : partition.status(of: key.name.hexadecimal)
        guard try partition.remove(key.name.hexadecimal) else { return }
        note(nil, in: key.partition)
        guard let old else { return }
        usage?.entries -= 1
        usage?.bytes -= old.size
    }

    /// Moves the folder away in one step, and then removes its contents. If the folder cannot be moved, for example on
    /// a full disk, removes its contents one by one.
    private mutating func removePartition(_ partition: UInt128) throws(FileSystemError) {
        let (name, removed) = (partition.hexadecimal, "removed-\(UInt128.random(in: 0...(.max)).hexadecimal)")
        guard let root = try records.root(), root.has(name) else { return try removeNewFiles(of: partition) }
        var moved: String?
        do throws(FileSystemError) {
            let new = try records.makeNewFolder()
            try root.move(name, to: new, as: removed)
            moved = removed
        } catch {
            root.removeTree(name)
            guard !root.has(name) else {
                try? removeNewFiles(of: partition)
                throw error
            }
        }
        records.forgetPartition()
        unsynchronized.insert(.root)
        synchronizedPartitions.remove(partition)
        usage = nil
        try removeNewFiles(of: partition, moved: moved)
    }

    /// Removes the files that killed processes have left while they wrote to a partition, or to any if it is nil, and the
    /// partitions whose removal they have begun. If another process is writing such a file, it begins again.
    ///
    /// - Parameter moved: The folder whose removal must succeed. What earlier calls could not remove is only tried again: an
    ///   error would hide what its user, or another one, stores from now on.
    private mutating func removeNewFiles(of partition: UInt128?, moved: String? = nil) throws(FileSystemError) {
        guard let new = try? records.newFolder() else { return }  // also if the folder must not be used
        var failure: FileSystemError?
        for name in try new.names() {
            if name.utf8.starts(with: "removed-".utf8) {
                new.removeTree(name)
                if name == moved, new.has(name) {
                    failure = FileSystemError("unlink", new.path(of: name), code: ENOTEMPTY)
                }
                continue
            }
            guard name.utf8.starts(with: (partition?.hexadecimal ?? "").utf8) else { continue }
            do throws(FileSystemError) {
                try new.remove(name)
            } catch {
                new.removeTree(name)  // A folder in the place of a file must not keep the records.
                if new.has(name) { failure = error }
            }
        }
        if let failure { throw failure }
    }

    /// Records that the file and its entry in the folder may not be on disk yet.
    private mutating func note(_ place: Directory?, in partition: UInt128) {
        if let place, durability == .onFlush { unsynchronized.insert(place) }
        unsynchronized.insert(.partition(partition))
        // At the first write to a partition, the folders above it may be new as well.
        if synchronizedPartitions.insert(partition).inserted { unsynchronized.formUnion([.root, .folder, .above]) }
        if unsynchronized.count > Self.unsynchronizedLimit { (unsynchronized, isAllUnsynchronized) = ([], true) }
    }

    /// The maximum number of files and folders whose names are kept until the next flush. An app may never flush.
    private static let unsynchronizedLimit = 4_096

    /// Returns the current time, but never the same time twice, because the times define the order of uses.
    private mutating func nextTime() -> Int64 {
        let now = FileSystem.time
        lastTime = FileSystem.isInFuture(lastTime, now: now) ? now : max(now, lastTime + 1)
        return lastTime
    }

    // MARK: Limits and leftovers

    private mutating func keepToLimits() throws(FileSystemError) {
        guard limits != RecordLimits() else { return }
        if let usage, limits.allow(usage), isUncountedSmall { return }
        let all = try records.all()
        count(all)
        for surplus in limits.surplus(of: all) { try remove(surplus.key) }
    }

    /// True if so little was written since the last count that even equal writes by other processes do not matter.
    private var isUncountedSmall: Bool {
        uncounted.bytes <= (limits.bytes ?? .max) / 8 && uncounted.entries <= (limits.entries ?? .max) / 8
    }

    @discardableResult
    private mutating func count(_ all: [FileRecords.Listed]) -> RecordUsage {
        let counted = RecordUsage(of: all)
        (usage, uncounted) = (counted, RecordUsage())
        return counted
    }

    /// Removes the files of processes that were killed while they wrote: files older than ten minutes, longer than any
    /// write takes.
    private mutating func removeLeftovers() {
        let tenMinutes: Int64 = 600 * 1_000_000_000
        guard let new = try? records.newFolder() else { return }
        for name in (try? new.names()) ?? [] {
            if name.hasPrefix("removed-") {
                new.removeTree(name)
            } else if let status = new.status(of: name), abs(FileSystem.time - status.modificationTime) > tenMinutes {
                _ = try? new.remove(name)
            }
        }
    }
}
