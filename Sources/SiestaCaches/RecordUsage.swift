/// The number and the size of the records in a ``RecordStore``.
public struct RecordUsage: Equatable, Sendable {
    /// The number of records.
    public var entries: Int
    /// The sum of the records' sizes, in bytes.
    public var bytes: Int

    /// Creates a value from its parts.
    public init(entries: Int = 0, bytes: Int = 0) {
        self.entries = entries
        self.bytes = bytes
    }
}
