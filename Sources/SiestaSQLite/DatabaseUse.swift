#if SQLite
/// The purpose of a database. A database of one purpose is never used for the other.
enum DatabaseUse: Sendable {
    /// The records can be loaded again from a server. A damaged database is replaced by an empty one.
    case cache
    /// The records exist nowhere else. A damaged database is an error, and the file stays as it is.
    case outbox

    /// The mark in the file that distinguishes it from databases of other programs: "Sies" or "SieO".
    var applicationID: Int {
        switch self {
        case .cache: 0x5369_6573
        case .outbox: 0x5369_654F
        }
    }

    /// The statements that create the tables, in the order of the tables' names.
    var tables: [String] {
        switch self {
        case .cache: Self.records
        case .outbox: [Self.records[0], Self.outboxMark] + Self.records[1...]
        }
    }

    /// The size, in bytes, at which SQLite copies the log to the file. After a process was killed, the next process must
    /// read a log of up to this size when it opens the database. An outbox writes the same records again and again, and
    /// waits for the disk at each change in any case.
    var logLimit: Int { self == .cache ? 8 << 20 : 1 << 20 }

    /// The description of a database in error messages.
    var description: String {
        switch self {
        case .cache: "a cache"
        case .outbox: "an outbox"
        }
    }

    /// The other purpose.
    var other: DatabaseUse { self == .cache ? .outbox : .cache }

    private static let records = [
        "CREATE TABLE entry (key BLOB PRIMARY KEY NOT NULL, id INTEGER NOT NULL, bytes INTEGER NOT NULL,"
            + " lastUse INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE TABLE record (id INTEGER PRIMARY KEY, content BLOB NOT NULL)",
        "CREATE TABLE total (entries INTEGER NOT NULL, bytes INTEGER NOT NULL, uses INTEGER NOT NULL)",
    ]

    /// An empty table. Because of it, damage to the application ID does not turn an outbox into a cache.
    private static let outboxMark = "CREATE TABLE outbox (unused INTEGER)"
}
#endif
