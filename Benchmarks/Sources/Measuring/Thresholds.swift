/// What counted rows may cost; kept in a file and compared with new counts.
public struct Thresholds: Codable, Sendable {
    /// What one operation costs.
    public struct Costs: Codable, Sendable, Equatable {
        /// Executed instructions, of all threads.
        public var instructions: Double
        /// Heap allocations.
        public var allocations: Double
        /// The instructions of the row's reference in the same run; nil if there is none.
        public var reference: Double?

        /// Creates costs.
        public init(instructions: Double, allocations: Double, reference: Double? = nil) {
            (self.instructions, self.allocations, self.reference) = (instructions, allocations, reference)
        }
    }

    /// The costs by the row's name.
    public private(set) var rows: [String: Costs]

    /// Creates thresholds.
    public init(rows: [String: Costs]) {
        self.rows = rows
    }

    /// Makes these counts the thresholds of their rows.
    public mutating func update(_ counts: [String: Costs]) {
        rows.merge(counts) { $1 }
    }

    /// How new counts compare with the thresholds.
    public struct Comparison: Sendable, Equatable {
        /// What costs too much, or has no threshold.
        public var failures: [String] = []
        /// Rows whose thresholds are much too high by now.
        public var improvements: [String] = []

        /// Creates a comparison without findings.
        public init() {}
    }

    /// Compares counts with the thresholds.
    ///
    /// Tolerates 3 % and 50 instructions more, and 3 % more allocations, but at least half of one, the share of a table
    /// that grows. Threads wake each other at different times in each run, most of all on a busy machine.
    ///
    /// What the reference of a row costs more than it did is added to the threshold: Foundation's decoders, for example,
    /// differ by several percent from machine to machine.
    public func compare(_ counts: [String: Costs]) -> Comparison {
        var comparison = Comparison()
        for (name, new) in counts.sorted(by: { $0.key < $1.key }) {
            guard let old = rows[name] else {
                comparison.failures.append("\(name): there is no threshold yet")
                continue
            }
            let threshold = old.instructions + max(0, (new.reference ?? 0) - (old.reference ?? new.reference ?? 0))
            if new.instructions > threshold * 1.03 + 50 {
                comparison.failures.append(Self.text(name, new.instructions, threshold, "instructions"))
            }
            if new.allocations > old.allocations + max(0.5, old.allocations * 0.03) {
                comparison.failures.append(Self.text(name, new.allocations, old.allocations, "allocations"))
            }
            if new.instructions < old.instructions * 0.9 - 50 || new.allocations < old.allocations * 0.998 - 0.5 {
                comparison.improvements.append(name)
            }
        }
        return comparison
    }

    private static func text(_ name: String, _ new: Double, _ old: Double, _ what: String) -> String {
        "\(name): \(text(new)) \(what), the threshold is \(text(old))"
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() ? Figures.whole(value) : Figures.allocations(value)
    }
}
