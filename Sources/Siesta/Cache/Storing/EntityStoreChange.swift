public import Foundation

/// One change that ``EntityStore/apply(_:)`` makes.
public enum EntityStoreChange: Sendable {
    /// Puts a record in the place of what is there, if anything. Counts as a use.
    case write(EntityStoreKey, Data)
    /// Puts a record in the place of another, or removes that if `to` is nil, as long as `from` is what is there: another
    /// process may have written since it was read, and what that wrote stays. Counts as a use if it is made.
    case update(EntityStoreKey, from: Data, to: Data?)
    /// Removes a record, if it is there.
    case remove(EntityStoreKey)
    /// Removes all records of a partition.
    case removePartition(UInt128)
    /// Removes all records of all partitions.
    case removeAll
}
