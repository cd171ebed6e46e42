#if SQLite
import CSQLite
import Foundation
import SiestaCaches

/// A compiled statement, and its current row.
struct Statement {
    private let handle: OpaquePointer
    private let connection: Connection

    init(_ handle: OpaquePointer, of connection: Connection) {
        (self.handle, self.connection) = (handle, connection)
    }

    /// Runs a statement that returns no rows.
    func run(_ numbers: Int...) throws(SQLiteError) {
        defer { sqlite3_reset(handle) }
        for (index, number) in numbers.enumerated() { try bind(number, at: index) }
        try finish()
    }

    /// Runs a statement that returns no rows, with a key as its first parameter.
    func run(_ key: RecordKey, _ numbers: Int...) throws(SQLiteError) {
        try withKey(key) { () throws(SQLiteError) in
            for (index, number) in numbers.enumerated() { try bind(number, at: index + 1) }
            try finish()
        }
    }

    /// Runs a statement that returns no rows, with a number and bytes as its parameters.
    func run(_ number: Int, _ bytes: Data) throws(SQLiteError) {
        defer { sqlite3_reset(handle) }
        try bind(number, at: 0)
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(SQLiteError) in
                try bind(bytes, at: 1)
                try finish()
            }
        }.get()
    }

    /// Calls `use` with the first row for a key, and returns its result; nil if there is no row.
    func first<Result>(
        _ key: RecordKey, _ use: (Statement) throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result? {
        try withKey(key) { () throws(SQLiteError) in try step() ? use(self) : nil }
    }

    /// Calls `use` with each row.
    func each(_ use: (Statement) throws(SQLiteError) -> Void) throws(SQLiteError) {
        defer { sqlite3_reset(handle) }
        while try step() { try use(self) }
    }

    // MARK: The row

    /// Returns a number of a column. All numbers of the store are counts, sizes or counters.
    ///
    /// - Throws: the error for a damaged database, if a store cannot have written the number.
    func number(at column: Int32) throws(SQLiteError) -> Int {
        let number = sqlite3_column_int64(handle, column)
        guard 0..<1 << 53 ~= number, sqlite3_column_type(handle, column) == SQLITE_INTEGER else {
            throw connection.damage("A number is out of range")
        }
        return Int(number)
    }

    func bytes(at column: Int32) -> Data {
        guard let start = sqlite3_column_blob(handle, column) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    func key(at column: Int32) throws(SQLiteError) -> RecordKey {
        guard let start = sqlite3_column_blob(handle, column), sqlite3_column_bytes(handle, column) == 32 else {
            throw connection.damage("A key has an invalid form")
        }
        return RecordKey(
            partition: UInt128(bigEndian: start.loadUnaligned(as: UInt128.self)),
            name: UInt128(bigEndian: start.loadUnaligned(fromByteOffset: 16, as: UInt128.self)))
    }

    // MARK: Parameters

    /// Binds a key while `use` runs. The key is bound as 32 bytes that have the same order as keys.
    private func withKey<Result>(
        _ key: RecordKey, _ use: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        defer { sqlite3_reset(handle) }
        let bytes = (key.partition.bigEndian, key.name.bigEndian)
        return try withUnsafeBytes(of: bytes) { (bytes) throws(SQLiteError) in
            try bind(bytes, at: 0)
            return try use()
        }
    }

    private func bind(_ number: Int, at index: Int) throws(SQLiteError) {
        try connection.check(sqlite3_bind_int64(handle, Int32(index + 1), Int64(number)))
    }

    /// Binds bytes. They must stay at their address until the statement is reset.
    private func bind(_ bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try connection.check(sqlite3_bind_zeroblob(handle, Int32(index + 1), 0))
        }
        try connection.check(sqlite3_bind_blob64(handle, Int32(index + 1), start, UInt64(bytes.count), nil))
    }

    private func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw connection.failure(code) }
        return false
    }

    private func finish() throws(SQLiteError) {
        while try step() {}
    }
}
#endif
