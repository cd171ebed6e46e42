#if SQLite
import CSQLite
import Foundation
import SiestaCore

/// The error of an operation of a ``SQLiteRecordStore``.
package struct SQLiteError: LocalizedError, CustomStringConvertible, Equatable, Sendable {
    /// The extended result code of SQLite.
    package let code: Int32
    /// The description of the failure, from SQLite or from the store.
    package let message: String
    /// The path of the database's file.
    package let path: String

    init(code: Int32, _ message: String, path: String) {
        (self.code, self.message, self.path) = (code, message, path)
    }

    /// A description that names the file and the reason.
    package var errorDescription: String? { description }

    /// The same text as ``errorDescription``.
    package var description: String { PreparedText.line("\(path): \(message) (\(code))") }

    /// The primary result code, without the extension.
    var primaryCode: Int32 { code & 0xFF }

    /// True if the file has a form that no store has written.
    var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// True if the disk is full or has failed, or if a record is too large. A smaller change may still succeed.
    var isLackOfRoom: Bool { [SQLITE_FULL, SQLITE_IOERR, SQLITE_TOOBIG, SQLITE_NOMEM].contains(primaryCode) }

    /// True if another connection has kept the database locked for too long.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
}
#endif
