/// The number and the total size of the records in a ``RecordStore``.
public struct RecordUsage: Equatable, Sendable {
    /// The number of records.
    public var entries: Int
    /// The total size of the records, in bytes.
    public var bytes: Int

    /// Creates a usage from the number and the total size of the records.
    public init(entries: Int = 0, bytes: Int = 0) {
        self.entries = entries
        self.bytes = bytes
    }
}
