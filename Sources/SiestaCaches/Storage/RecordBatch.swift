/// The changes for one call of a store, in order. Pure.
struct RecordBatch {
    private(set) var changes: [RecordChange]
    private var bytes = 0

    /// Creates a batch that begins with the removals of whole partitions.
    init(removals pending: PendingOperations) {
        changes = pending.removesAll ? [.removeAll] : []
        changes += pending.removedPartitions.map { .removePartition($0) }
    }

    /// True if the records are so large that the store must get them before more records are made. Without a limit, all
    /// pending entities would be in memory twice.
    var isFull: Bool { bytes > Self.byteLimit }

    mutating func append(_ change: RecordChange) {
        changes.append(change)
        switch change {
        case .write(_, let record): bytes += record.count
        case .update(_, _, let record): bytes += record?.count ?? 0
        case .remove, .removePartition, .removeAll: break
        }
    }

    /// Returns the changes, and empties the batch.
    mutating func take() -> [RecordChange] {
        bytes = 0
        return exchange(&changes, with: [])
    }

    /// The maximum size of the records, in bytes, after which a batch is full.
    static let byteLimit = 16 << 20
}
