#if SQLite
import CSQLite
import Foundation

/// How a store's database is made.
///
/// Keys, sizes and times of use are in a table of their own, so that noting a use does not write the record again, and
/// looking for the least recently used does not read records. The running totals are a row, so that all processes agree
/// on them.
enum Layout {
    /// Raise it when the tables change; older ones are begun anew, newer ones left alone.
    static let version = 1
    /// "Sies", which tells the file from databases of other programs.
    private static let applicationID = 0x5369_6573

    /// Larger pages make rewriting records of 1 KB slower, smaller ones writing and reading records of 64 KB.
    private static let pageSize = 8192
    /// After so much was written, the log goes into the file; an app that was killed has to read that much at its next
    /// start.
    private static let logLimit = 8 << 20

    private static let tables = [
        "CREATE TABLE entry (key BLOB PRIMARY KEY NOT NULL, id INTEGER NOT NULL, bytes INTEGER NOT NULL,"
            + " lastUse INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE TABLE record (id INTEGER PRIMARY KEY, content BLOB NOT NULL)",
        "CREATE TABLE total (entries INTEGER NOT NULL, bytes INTEGER NOT NULL, uses INTEGER NOT NULL)",
    ]

    /// What is at a path.
    enum Finding {
        case current, empty
    }

    /// Settings of every connection: distrust of what is in the file, memory, and what it takes to be on an Apple
    /// device's disk.
    private static let settings = """
        PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -4000;
        PRAGMA mmap_size = 0; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
        """

    /// Prepares a connection for reading.
    static func prepareForReading(_ connection: Connection) throws(SQLiteError) -> Finding {
        try connection.execute(settings + "PRAGMA query_only = ON")
        return try findingAtOnce(connection)
    }

    /// Prepares a connection for writing, and makes the tables if the file is empty.
    static func prepareForWriting(_ connection: Connection, isDurable: Bool) throws(SQLiteError) {
        try connection.execute(
            settings + """
                PRAGMA page_size = \(pageSize); PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
                PRAGMA secure_delete = FAST; PRAGMA wal_autocheckpoint = \(logLimit / pageSize);
                PRAGMA journal_size_limit = \(logLimit);
                """)
        // Before anything is written to what may be another program's.
        let isEmpty = try findingAtOnce(connection) == .empty
        try useLog(connection)
        if isEmpty { try makeTables(connection) }
    }

    /// Two that do this at once to a new file get in each other's way without waiting, so they try again.
    private static func useLog(_ connection: Connection) throws(SQLiteError) {
        for attempt in 0... {
            do throws(SQLiteError) {
                return try connection.execute("PRAGMA journal_mode = WAL")
            } catch {
                guard error.isBusy, attempt < 200 else { throw error }
                sqlite3_sleep(10)
            }
        }
    }

    private static func makeTables(_ connection: Connection) throws(SQLiteError) {
        let (begin, end) = (try connection.prepare("BEGIN IMMEDIATE"), try connection.prepare("COMMIT"))
        try connection.transaction(begin: begin, end: end) { () throws(SQLiteError) in
            guard try finding(connection) == .empty else { return }  // Another process was faster.
            for table in tables { try connection.execute(table) }
            try connection.execute(
                """
                INSERT INTO total VALUES (0, 0, 0);
                PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)
                """)
        }
    }

    /// Looks in one transaction, so that what another process is just making is seen whole or not at all.
    private static func findingAtOnce(_ connection: Connection) throws(SQLiteError) -> Finding {
        try connection.execute("BEGIN")
        do throws(SQLiteError) {
            let result = try finding(connection)
            try connection.execute("COMMIT")
            return result
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Looks whether the database is one that this version can use.
    ///
    /// - Throws: what it is otherwise.
    private static func finding(_ connection: Connection) throws(SQLiteError) -> Finding {
        let found = try connection.texts("SELECT coalesce(sql, '') FROM sqlite_master ORDER BY name")
        let (id, version) = (
            try connection.number("PRAGMA application_id"), try connection.number("PRAGMA user_version")
        )
        if found.isEmpty, id == 0, version == 0 { return .empty }
        guard id == applicationID || found == tables else {
            throw SQLiteError(code: SQLITE_ERROR, "Is a database of another program", path: connection.path)
        }
        guard version <= Self.version else {
            let message = "Has layout \(version), which is newer than \(Self.version)"
            throw SQLiteError(code: SQLITE_SCHEMA, message, path: connection.path)
        }
        guard version == Self.version, found == tables else { throw connection.damage("Tables are missing") }
        return .current
    }
}
#endif
