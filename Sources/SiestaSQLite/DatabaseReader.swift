#if SQLite
import CSQLite
import Foundation
import Isolation
import SiestaCaches

/// Reads from the database of a ``SQLiteRecordStore``. Runs on the store's queue for reading.
struct DatabaseReader {
    private let file: DatabaseFile
    private let isReadOnly: Bool
    private let use: DatabaseUse
    private let uses: Locked<RecentUses>
    /// True if the reader or the writer has had the database open.
    private let wasOpen: Locked<Bool>
    private var session: Session?
    /// True if the file was opened as immutable. This holds for only one read, because other processes may change the
    /// file later.
    private var isImmutable = false

    init(
        _ file: DatabaseFile, isReadOnly: Bool, _ use: DatabaseUse, uses: Locked<RecentUses>, wasOpen: Locked<Bool>
    ) {
        (self.file, self.isReadOnly, self.use) = (file, isReadOnly, use)
        (self.uses, self.wasOpen) = (uses, wasOpen)
    }

    private var replacesDamaged: Bool { !isReadOnly && use == .cache }

    /// - Parameter isUse: false if the order of eviction stays.
    mutating func read(_ keys: [RecordKey], isUse: Bool = true) throws(SQLiteError) -> [RecordKey: Data] {
        let found = try reading([:]) { (session) throws(SQLiteError) in try session.records(of: keys) }
        if isUse, !isReadOnly, use == .cache { uses.withLock { $0.note(keys.filter { found[$0] != nil }) } }
        return found
    }

    mutating func usage() throws(SQLiteError) -> RecordUsage {
        try reading(RecordUsage()) { (session) throws(SQLiteError) in try session.usage() }
    }

    mutating func allKeys() throws(SQLiteError) -> [RecordKey] {
        try reading([]) { [use] (session) throws(SQLiteError) in
            let keys = try session.allKeys()
            // A damaged page may hide records. A cache loads them again.
            if use == .outbox, try session.usage().entries != keys.count {
                throw session.connection.damage("Records are missing")
            }
            return keys
        }
    }

    /// Closes the database until the next read.
    mutating func close() {
        session = nil
        Connection.waitForClosing()
    }

    /// Reads in one transaction. If the database is damaged, renames it and continues with an empty database; a
    /// read-only store and an outbox throw instead.
    private mutating func reading<Result>(
        _ nothing: Result, _ work: (Session) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        for isLast in [false, true] {
            do throws(SQLiteError) {
                guard let session = try openSession() else { return nothing }
                defer { if isImmutable { self.session = nil } }
                return try session.connection.transaction(begin: session.begin, end: session.end) {
                    () throws(SQLiteError) in try work(session)
                }
            } catch {
                let connection = session?.connection
                session = nil
                guard error.isDamage, replacesDamaged, !isLast else { throw error }
                // Without a connection, the damage was found and handled while the database was opened.
                if let connection { try file.putAside { !connection.hasMoved } }
            }
        }
        return nothing
    }

    /// Opens the database; nil if the file does not exist yet.
    private mutating func openSession() throws(SQLiteError) -> Session? {
        if let session, !session.connection.hasMoved { return session }
        session = nil
        guard let location = try file.location() else { return nil }
        do throws(SQLiteError) {
            isImmutable = false
            session = try openSession(at: location, isReadOnly ? .readOnly : .readWrite)
        } catch {
            // In a folder without write permission, the index of the log cannot be created, and is not needed.
            let isRefused = [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.primaryCode)
            guard isRefused, try file.location() != nil, !file.hasLog else { throw error }
            isImmutable = true
            session = try openSession(at: location, .immutable)
        }
        if session != nil { wasOpen.withLock { $0 = true } }
        return session
    }

    private func openSession(at location: String, _ access: Connection.Access) throws(SQLiteError) -> Session? {
        let connection = try Connection(to: file.path, at: location, access)
        do throws(SQLiteError) {
            guard try Schema.prepareForReading(connection, use) == .current else { return nil }
            return try Session(connection)
        } catch {
            if error.isDamage, replacesDamaged { try file.putAside { !connection.hasMoved } }
            throw error
        }
    }
}

extension DatabaseReader {
    /// A connection with its statements.
    fileprivate struct Session {
        let connection: Connection
        let begin, end: Statement
        private let find, total, keys: Statement

        init(_ connection: Connection) throws(SQLiteError) {
            self.connection = connection
            begin = try connection.prepare("BEGIN")
            end = try connection.prepare("COMMIT")
            find = try connection.prepare("SELECT content FROM entry JOIN record USING (id) WHERE key = ?")
            total = try connection.prepare("SELECT entries, bytes FROM total")
            keys = try connection.prepare("SELECT key FROM entry ORDER BY key")
        }

        func records(of keys: [RecordKey]) throws(SQLiteError) -> [RecordKey: Data] {
            var found: [RecordKey: Data] = [:]
            found.reserveCapacity(keys.count)
            for key in keys { found[key] = try find.first(key) { $0.bytes(at: 0) } }
            return found
        }

        func usage() throws(SQLiteError) -> RecordUsage {
            var usage: RecordUsage?
            try total.each { (row) throws(SQLiteError) in
                usage = RecordUsage(entries: try row.number(at: 0), bytes: try row.number(at: 1))
            }
            guard let usage else { throw connection.damage("The totals are missing") }
            return usage
        }

        func allKeys() throws(SQLiteError) -> [RecordKey] {
            var result: [RecordKey] = []
            try keys.each { (row) throws(SQLiteError) in
                let key = try row.key(at: 0)
                // A damaged tree may contain cycles. Then its keys are out of order.
                if let last = result.last, last >= key { throw connection.damage("Keys are out of order") }
                result.append(key)
            }
            return result
        }
    }
}
#endif
