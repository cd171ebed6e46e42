public import Foundation

/// One change that ``RecordStore/apply(_:)`` makes.
public enum RecordChange: Sendable {
    /// Writes a record. Replaces the stored record, if any. The record then counts as just used, and is evicted last.
    case write(RecordKey, Data)
    /// Replaces the record if it still equals `from`; removes it if `to` is nil. If another process has changed the
    /// record since it was read, the record of that process stays. If the store replaces the record, the new record
    /// counts as just used.
    case update(RecordKey, from: Data, to: Data?)
    /// Removes a record, if it exists.
    case remove(RecordKey)
    /// Removes all records of a partition.
    case removePartition(UInt128)
    /// Removes all records of all partitions.
    case removeAll
}
