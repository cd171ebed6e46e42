#if SQLite
import CSQLite
import Dispatch
import Foundation

/// An open database, used by one queue at a time.
///
/// It is closed on a separate queue after the release of its last reference, because closing the last connection of a
/// database may write many bytes.
final class Connection {
    let path: String
    private let handle: OpaquePointer
    private var statements: [OpaquePointer] = []
    /// The maximum time for which one process waits for another, in milliseconds.
    private static let busyTimeout: Int32 = 5000

    /// The kind of access of a connection.
    enum Access {
        case readWrite
        /// Reads, and writes only the index of the log, which all processes share.
        case readOnly
        /// Reads from a medium whose content never changes.
        case immutable
    }

    /// Opens a database. `location` is a path without links; `path` is the path for messages.
    init(to path: String, at location: String, _ access: Access) throws(SQLiteError) {
        self.path = path
        let name = access == .immutable ? URL(fileURLWithPath: location).absoluteString + "?immutable=1" : location
        var flags = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | (access == .immutable ? SQLITE_OPEN_URI : 0)
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard let handle, code == SQLITE_OK else {
            sqlite3_close_v2(handle)
            throw SQLiteError(code: code, String(cString: sqlite3_errstr(code)), path: path)
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Self.busyTimeout)
    }

    deinit {
        let closing = Closing(handle: handle, statements: statements)
        Self.closingQueue.async { closing.close() }
    }

    /// Waits until all released connections are closed.
    static func waitForClosing() {
        closingQueue.sync {}
    }

    private static let closingQueue = DispatchQueue(label: "Siesta SQLite cache, closing", qos: .utility)

    private struct Closing: @unchecked Sendable {  // sound: nothing else refers to the connection
        let handle: OpaquePointer
        let statements: [OpaquePointer]

        func close() {
            for statement in statements { sqlite3_finalize(statement) }
            sqlite3_close_v2(handle)
        }
    }

    /// Compiles a statement. The statement is valid while the connection exists.
    func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, "Empty statement", path: path) }
        statements.append(statement)
        return Statement(statement, of: self)
    }

    /// Runs statements without results.
    func execute(_ sql: String) throws(SQLiteError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Returns the first column of a statement's first row, as a number; 0 if there is no row.
    func number(_ sql: String) throws(SQLiteError) -> Int {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        let code = sqlite3_step(statement)
        if code == SQLITE_DONE { return 0 }
        guard code == SQLITE_ROW else { throw failure(code) }
        return Int(sqlite3_column_int64(statement, 0))
    }

    /// Returns the first column of all rows of a statement, as texts.
    func texts(_ sql: String) throws(SQLiteError) -> [String] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return texts }
            guard code == SQLITE_ROW else { throw failure(code) }
            texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
    }

    /// Runs `work` in one transaction, which is committed completely or not at all.
    func transaction<Result>(
        begin: Statement, end: Statement, _ work: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        try begin.run()
        do throws(SQLiteError) {
            let result = try work()
            try end.run()
            return result
        } catch {
            // Some failures have already ended the transaction.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// The number of rows that the last statement has added, changed or removed.
    var changeCount: Int { Int(sqlite3_changes(handle)) }

    /// True if the open file is no longer the file at its path.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
    }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, String(cString: sqlite3_errmsg(handle)), path: path)
    }

    /// Returns the error for data that a store cannot have written.
    func damage(_ what: String) -> SQLiteError {
        SQLiteError(code: SQLITE_CORRUPT, what, path: path)
    }
}
#endif
