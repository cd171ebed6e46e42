#if SQLite
public import Foundation
public import SiestaCore
package import SiestaOutboxStorage
public import SiestaWriting
import SiestaCaches

extension Outbox {
    /// Returns an outbox that keeps its changes in a SQLite database.
    ///
    ///     service.outbox = .sqlite(at: folder.appendingPathComponent("changes.db"))
    ///
    /// The outbox creates the file at the first change. When the outbox is opened, it creates a folder `PATH-outbox`
    /// beside the file. The folder contains a lock, and the bodies that are stored as files. Always keep the file and
    /// the folder together, and move them only after ``Siesta/Outbox/close()``. If the process was killed, the newest
    /// changes are in a third file, `PATH-wal`, which must then stay with the other two.
    ///
    /// Each change is on disk (`journal_mode=WAL`, `synchronous=FULL`) before it is accepted or sent. Only one outbox
    /// at a time can use the database, even across processes. A second outbox accepts no changes, and its
    /// ``Siesta/Outbox/failure`` names the file.
    ///
    /// A cache cannot use the same database, because a cache may be removed at any time, and a damaged cache is
    /// replaced with an empty one. An outbox does not change a database that is damaged, or that belongs to a cache,
    /// another program or a newer version of this library. In these cases, the outbox accepts no changes, and its
    /// ``Siesta/Outbox/failure`` names the file and the reason.
    ///
    /// The file and its folder must meet the same requirements for owner and permissions as with ``SQLiteRecordStore``.
    /// Without `sealing`, removed changes may stay in unused pages of the file.
    ///
    /// - Parameters:
    ///   - file: The file of the database. Missing parent folders are created.
    ///   - sealing: The cipher that encrypts changes and bodies. If nil, they are stored unencrypted, in files that
    ///     only the user that runs the process can read.
    public static func sqlite(at file: URL, sealing: (any EntitySealing)? = nil) -> Outbox {
        Outbox(RecordOutboxStore.sqlite(at: file, sealing: sealing))
    }
}

extension RecordOutboxStore {
    /// Returns a store that keeps its entries in a database, and its files in a folder beside it.
    package static func sqlite(at file: URL, sealing: (any EntitySealing)? = nil) -> RecordOutboxStore {
        RecordOutboxStore(
            SQLiteRecordStore(outboxAt: file), folder: URL(fileURLWithPath: file.path + "-outbox"), place: file.path,
            sealing: sealing)
    }
}
#endif
