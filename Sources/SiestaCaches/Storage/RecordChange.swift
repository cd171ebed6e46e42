public import Foundation

/// A change to the records of a store; see ``RecordStore/apply(_:)``.
public enum RecordChange: Sendable {
    /// Writes a record, which replaces the stored record, if any. The record is then the most recently used one, and is
    /// evicted last.
    case write(RecordKey, Data)
    /// If the stored record still equals `from`, replaces it with `to`, or removes it if `to` is nil. If another
    /// process has changed the record since it was read, the record of that process stays. If the store writes a new
    /// record, this record is then the most recently used one.
    case update(RecordKey, from: Data, to: Data?)
    /// Removes a record, if it exists.
    case remove(RecordKey)
    /// Removes all records of a partition.
    case removePartition(UInt128)
    /// Removes all records of all partitions.
    case removeAll
}
