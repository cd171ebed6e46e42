#if SQLite
import CSQLite
public import Foundation
import Siesta

/// Why a ``SQLiteEntityStore`` could not do what was asked.
public struct SQLiteError: LocalizedError, CustomStringConvertible, Hashable, Sendable {
    /// The extended result code of SQLite.
    public let code: Int32
    /// What happened, in SQLite's words or the store's.
    public let message: String
    /// The file of the database.
    public let path: String

    init(code: Int32, _ message: String, path: String) {
        (self.code, self.message, self.path) = (code, message, path)
    }

    /// Names the file and the reason.
    public var errorDescription: String? { description }

    /// The same as ``errorDescription``.
    public var description: String { PreparedText.line("\(path): \(message) (\(code))") }

    /// The result code without what extends it.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether the file is not what a store has written.
    var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Whether a disk or a record is at its limits, or the disk does not work, which a smaller change may not notice.
    var isLackOfRoom: Bool { [SQLITE_FULL, SQLITE_IOERR, SQLITE_TOOBIG, SQLITE_NOMEM].contains(primaryCode) }

    /// Whether somebody else was at it for too long.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
}
#endif
