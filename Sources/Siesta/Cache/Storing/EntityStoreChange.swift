public import Foundation

/// One change that ``EntityStore/apply(_:)`` makes.
public enum EntityStoreChange: Sendable {
    /// Puts a record in the place of what is there, if anything. Counts as a use.
    case write(EntityStoreKey, Data)
    /// Removes a record, if it is there.
    case remove(EntityStoreKey)
    /// Removes all records of a partition.
    case removePartition(UInt128)
    /// Removes all records of all partitions.
    case removeAll
}
