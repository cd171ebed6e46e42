public import Foundation
public import SiestaCore
import SiestaCaches
public import SiestaWriting

extension Outbox {
    /// Creates an outbox that keeps its changes in a folder.
    ///
    ///     service.outbox = Outbox(at: folder)
    ///
    /// If the folder does not exist, the outbox creates it. Only one outbox at a time can use the folder, even across
    /// processes. A second outbox accepts no changes, and its ``Outbox/failure`` names the folder. Each change is on
    /// disk (fsync) before it is sent.
    ///
    /// - Parameters:
    ///   - folder: The folder for the changes. It must contain no other files.
    ///   - sealing: The cipher that encrypts changes and bodies. The default is nil: the outbox stores plain files that
    ///     no other user of the system can read.
    public convenience init(at folder: URL, sealing: (any EntitySealing)? = nil) {
        self.init(RecordOutboxStore.files(at: folder, sealing: sealing))
    }

    /// Creates an outbox that keeps its changes in memory, for tests. The changes are lost when the process ends.
    public static func inMemory() -> Outbox { Outbox(RecordOutboxStore.inMemory()) }
}
