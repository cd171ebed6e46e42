public import Foundation

/// One change that ``EntityStore/apply(_:)`` makes.
public enum EntityStoreChange: Sendable {
    /// Writes a record, replacing the stored one if there is any. Counts as a use.
    case write(EntityStoreKey, Data)
    /// Replaces the record if it still equals `from`; removes it if `to` is nil. If another process has changed the
    /// record since it was read, the other process's record stays. Counts as a use if the change is made.
    case update(EntityStoreKey, from: Data, to: Data?)
    /// Removes a record if there is one.
    case remove(EntityStoreKey)
    /// Removes all records of a partition.
    case removePartition(UInt128)
    /// Removes all records of all partitions.
    case removeAll
}
