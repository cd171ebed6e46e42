#if SQLite
import CSQLite
import Foundation

/// The layout of a store's database.
///
/// Keys, sizes and times of use have their own table. Therefore a new time of use does not rewrite the record, and the
/// search for the least recently used records does not read records. The totals are stored in a row, so that all
/// processes use the same totals.
enum Schema {
    /// The version of the layout. Increase it when the tables change. A database with an older version is damaged; a
    /// database with a newer version is not used.
    static let version = 1
    /// The size of a page, in bytes. Larger pages make rewriting records of 1 KB slower; smaller pages make writing and
    /// reading records of 64 KB slower.
    private static let pageSize = 8192
    /// The content of the database at a path.
    enum Finding {
        case current, empty
    }

    /// The settings of every connection: no trust in the file's content, limits for memory, and full synchronization on
    /// Apple devices.
    private static let settings = """
        PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -4000;
        PRAGMA mmap_size = 0; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
        """

    static func prepareForReading(_ connection: Connection, _ use: DatabaseUse) throws(SQLiteError) -> Finding {
        try connection.execute(settings + "PRAGMA query_only = ON")
        return try findingAtOnce(connection, use)
    }

    /// Prepares a connection for writing, and creates the tables if the file is empty.
    static func prepareForWriting(
        _ connection: Connection, _ use: DatabaseUse, isDurable: Bool
    ) throws(SQLiteError) {
        try connection.execute(
            settings + """
                PRAGMA page_size = \(pageSize); PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
                PRAGMA secure_delete = FAST; PRAGMA wal_autocheckpoint = \(use.logLimit / pageSize);
                PRAGMA journal_size_limit = \(use.logLimit);
                """)
        // This check comes before the first write, because the file may belong to another program.
        let isEmpty = try findingAtOnce(connection, use) == .empty
        try useLog(connection)
        if isEmpty { try makeTables(connection, use) }
    }

    /// Switches to the write-ahead log. If two connections do this to a new file at the same time, they get errors
    /// without waiting. Therefore they try again.
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

    private static func makeTables(_ connection: Connection, _ use: DatabaseUse) throws(SQLiteError) {
        let (begin, end) = (try connection.prepare("BEGIN IMMEDIATE"), try connection.prepare("COMMIT"))
        try connection.transaction(begin: begin, end: end) { () throws(SQLiteError) in
            // Another process may have created the tables first.
            guard try finding(connection, use) == .empty else { return }
            for table in use.tables { try connection.execute(table) }
            try connection.execute(
                """
                INSERT INTO total VALUES (0, 0, 0);
                PRAGMA application_id = \(use.applicationID); PRAGMA user_version = \(version)
                """)
        }
    }

    /// Examines the database in one transaction. If another process is creating tables, this function sees all tables
    /// or none.
    private static func findingAtOnce(
        _ connection: Connection, _ use: DatabaseUse
    ) throws(SQLiteError) -> Finding {
        try connection.execute("BEGIN")
        do throws(SQLiteError) {
            let result = try finding(connection, use)
            try connection.execute("COMMIT")
            return result
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Checks whether this version can use the database.
    ///
    /// - Throws: the reason, if it cannot use the database.
    private static func finding(_ connection: Connection, _ use: DatabaseUse) throws(SQLiteError) -> Finding {
        let found = try connection.texts("SELECT coalesce(sql, '') FROM sqlite_master ORDER BY name")
        let (id, version) = (
            try connection.number("PRAGMA application_id"), try connection.number("PRAGMA user_version")
        )
        if found.isEmpty, id == 0, version == 0 { return .empty }
        if id == use.other.applicationID || found == use.other.tables {
            let message =
                "The file is the database of \(use.other.description); use a file of its own for \(use.description)"
            throw SQLiteError(code: SQLITE_ERROR, message, path: connection.path)
        }
        guard id == use.applicationID || found == use.tables else {
            throw SQLiteError(code: SQLITE_ERROR, "The file is a database of another program", path: connection.path)
        }
        guard version <= Self.version else {
            let message = "Has schema version \(version); this version of the library knows \(Self.version) at most"
            throw SQLiteError(code: SQLITE_SCHEMA, message, path: connection.path)
        }
        guard version == Self.version, found == use.tables else { throw connection.damage("Tables are missing") }
        return .current
    }
}
#endif
