#if SQLite
import CSQLite
import Foundation
import Isolation
import SiestaCaches

/// Changes the database of a ``SQLiteRecordStore``. Runs on the store's queue for writing.
struct DatabaseWriter {
    private let file: DatabaseFile
    private let limits: RecordLimits
    private let durability: EntityCacheOptions.Durability
    private let isReadOnly: Bool
    private let use: DatabaseUse
    private let uses: Locked<RecentUses>
    private var session: WriterSession?
    /// True if a power failure may undo some of the writes.
    private var isUnflushed = false
    /// True if the reader or the writer has had the database open.
    private let wasOpen: Locked<Bool>

    init(
        _ file: DatabaseFile, limits: RecordLimits, durability: EntityCacheOptions.Durability, isReadOnly: Bool,
        _ use: DatabaseUse, uses: Locked<RecentUses>, wasOpen: Locked<Bool>
    ) {
        (self.file, self.limits, self.durability) = (file, limits, durability)
        (self.isReadOnly, self.use, self.uses, self.wasOpen) = (isReadOnly, use, uses, wasOpen)
    }

    /// Closes the database until the next change.
    mutating func close() {
        session = nil
        Connection.waitForClosing()
    }

    /// Makes all changes in one transaction.
    mutating func apply(_ changes: [RecordChange]) throws(SQLiteError) {
        isUnflushed = durability == .onFlush
        let used = uses.withLock { $0.take() }
        try applyAtOnce(changes, used: used)
    }

    /// Makes each change in its own transaction. If a change fails for lack of room, still tries the other changes.
    mutating func applyOneByOne(_ changes: [RecordChange]) throws(SQLiteError) {
        var failure: SQLiteError?
        for change in changes {
            do throws(SQLiteError) {
                try applyAlone(change)
            } catch {
                failure = failure ?? error
                if !error.isLackOfRoom { break }
            }
        }
        if let failure { throw failure }
    }

    /// Makes all commits durable: writes a further commit to the disk, together with the log of all earlier commits.
    mutating func flush() throws(SQLiteError) {
        // Throws if the file must not be used, even if there is nothing to flush.
        guard isUnflushed else { return _ = try file.location() }
        let used = uses.withLock { $0.take() }
        try writing { [limits] (session) throws(SQLiteError) in
            try session.connection.execute("PRAGMA synchronous = FULL")
            defer { try? session.connection.execute("PRAGMA synchronous = NORMAL") }
            try session.apply([], used: used, limits: limits)
        }
        isUnflushed = false
    }

    /// Checks the file, removes rows without a counterpart, and writes the file again without gaps.
    mutating func compact() throws(SQLiteError) {
        let location = try file.location()
        // Also without a database: a read may have renamed the damaged file, and nothing was written since.
        defer { file.removeDamaged() }
        guard isReadOnly || location != nil else { return }
        try writing { [limits] (session) throws(SQLiteError) in
            try session.checkAndRecount(limits)
            try session.connection.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    private mutating func applyAtOnce(
        _ changes: [RecordChange], used: [RecordKey]
    ) throws(SQLiteError) {
        // Also after a failure: if the disk is full, the next attempt has more room.
        defer { if changes.contains(where: \.removesPartition) { file.removeDamaged() } }
        try writing { [limits] (session) throws(SQLiteError) in
            try session.apply(changes, used: used, limits: limits)
        }
    }

    /// Makes one change. If the disk is too full to remove all records, removes the file instead.
    private mutating func applyAlone(_ change: RecordChange) throws(SQLiteError) {
        do throws(SQLiteError) {
            try applyAtOnce([change], used: [])
        } catch {
            guard change.removesAll, error.isLackOfRoom else { throw error }
            session = nil
            Connection.waitForClosing()
            try file.removeAll()
        }
    }

    /// Calls `work` with the database. If the database is damaged, renames it and continues with a new database; an
    /// outbox throws instead.
    private mutating func writing(_ work: (WriterSession) throws(SQLiteError) -> Void) throws(SQLiteError) {
        guard !isReadOnly else { throw SQLiteError(code: SQLITE_READONLY, "Is for reading only", path: file.path) }
        for isLast in [false, true] {
            do throws(SQLiteError) {
                return try work(openSession())
            } catch {
                let connection = session?.connection
                if !error.isBusy { session = nil }
                guard error.isDamage, use == .cache, !isLast else { throw error }
                // Without a connection, the damage was found and handled while the database was opened.
                if let connection { try file.putAside { !connection.hasMoved } }
            }
        }
    }

    private mutating func openSession() throws(SQLiteError) -> WriterSession {
        if let session, !session.connection.hasMoved { return session }
        session = nil
        // A new file would contain only the next change of an outbox, and not the earlier ones.
        if use == .cache || !wasOpen.withLock({ $0 }) { try file.make() }
        guard let location = try file.location() else {
            throw SQLiteError(code: SQLITE_CANTOPEN, "Was removed", path: file.path)
        }
        let connection = try Connection(to: file.path, at: location, .readWrite)
        do throws(SQLiteError) {
            try Schema.prepareForWriting(connection, use, isDurable: durability == .everyWrite)
            let new = try WriterSession(connection)
            session = new
            wasOpen.withLock { $0 = true }
            return new
        } catch {
            if error.isDamage, use == .cache { try file.putAside { !connection.hasMoved } }
            throw error
        }
    }
}

extension RecordChange {
    fileprivate var removesAll: Bool {
        if case .removeAll = self { true } else { false }
    }

    /// True if all records of a user are removed. A file that was put aside may contain some of them.
    fileprivate var removesPartition: Bool {
        switch self {
        case .removeAll, .removePartition: true
        default: false
        }
    }
}
#endif
