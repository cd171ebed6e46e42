/// What came of measuring one row.
public struct RowResult: Codable, Sendable {
    /// What a row's value is a number of.
    public enum Unit: String, Codable, Sendable {
        /// Time for one operation.
        case nanoseconds
        /// Heap that one object takes.
        case bytes
    }

    /// A name whose part before the slash is the family.
    public let name: String
    /// What `value` counts.
    public let unit: Unit
    /// The median of the samples.
    public let value: Double
    /// Half the distance of the quartiles of the samples.
    public let spread: Double
    /// Heap allocations for one operation; nil where they say nothing.
    public var allocations: Double?
    /// How many times the cost of the reference row: the lower quartiles of samples taken in turn.
    public var ratio: Double?
    /// The row that `ratio` refers to.
    public var reference: String?
    /// The median of that row's samples taken in turn with these.
    public var referenceValue: Double?

    /// Creates a measurement of a row from its samples.
    public init(name: String, unit: Unit, samples: Samples, allocations: Double? = nil) {
        self.name = name
        self.unit = unit
        value = samples.median
        spread = samples.spread
        self.allocations = allocations
    }
}
