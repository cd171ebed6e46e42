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
    /// The outbox creates the file with the first change, and a folder `PATH-outbox` beside it when it is opened. The folder
    /// contains a lock and the bodies that are files. Keep and move the file and the folder together.
    ///
    /// Each change is on disk (`journal_mode=WAL`, `synchronous=FULL`) before it is accepted or sent. Only one outbox
    /// at a time can use the database, in all processes: a second one accepts no changes, and its
    /// ``Siesta/Outbox/failure`` names the file.
    ///
    /// A cache cannot use the same database. A cache may be removed at any time, and replaces a damaged database. An
    /// outbox does not change a database that is damaged, or that belongs to a cache, another program or a newer
    /// version of this library. It then accepts no changes, and its ``Siesta/Outbox/failure`` names the file and the
    /// reason.
    ///
    /// The requirements on the owner and the permissions of the file and its folder are those of ``SQLiteRecordStore``.
    /// Without `sealing`, removed changes may stay in unused pages of the file.
    ///
    /// - Parameters:
    ///   - file: The file of the database. Missing parent folders are created.
    ///   - sealing: Encrypts changes and bodies; nil for plain files, which only the user of the process can read.
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
