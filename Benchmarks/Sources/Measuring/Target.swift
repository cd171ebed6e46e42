/// What a path may cost at most: a name and the conditions that have to hold.
public struct Target: Sendable {
    /// The path in words.
    public let path: String
    /// All of them have to hold.
    public let conditions: [Condition]

    /// Creates a target.
    public init(_ path: String, _ conditions: [Condition]) {
        self.path = path
        self.conditions = conditions
    }

    /// One thing that measurements either satisfy or not.
    public struct Condition: Sendable {
        /// What is asked for, in words.
        public let requirement: String
        private let judge: @Sendable ([String: RowResult]) -> Verdict?

        /// What the measurements say; nil if a row that it needs was not measured.
        public func verdict(_ measurements: [String: RowResult]) -> Verdict? { judge(measurements) }
    }

    /// What was found, and whether it is good enough.
    public struct Verdict: Sendable, Equatable {
        /// What the path's row costs.
        public let measured: String
        /// What the row that it is compared with costs; empty if there is none.
        public let reference: String
        /// How the two compare; empty without a reference.
        public let comparison: String
        /// Whether the condition holds.
        public let isMet: Bool

        /// Creates a verdict.
        public init(measured: String, reference: String = "", comparison: String = "", isMet: Bool) {
            (self.measured, self.reference, self.comparison, self.isMet) = (measured, reference, comparison, isMet)
        }

        /// Met or missed, and by what comparison.
        public var text: String { (isMet ? "met" : "MISSED") + (comparison.isEmpty ? "" : ", \(comparison)") }
    }
}

extension Target.Condition {
    /// The row takes at most so many times what its reference takes, by the ratio of samples taken in turn.
    public static func ratio(_ row: String, atMost limit: Double, _ of: String) -> Self {
        Self(requirement: "\(format(limit)) × \(of)") { rows in
            guard let row = rows[row], let ratio = row.ratio else { return nil }
            return verdict(row, row.referenceValue, ratio: ratio, limit)
        }
    }

    /// The row costs at most so many times another row.
    public static func ratio(_ row: String, to other: String, atMost limit: Double, _ of: String) -> Self {
        Self(requirement: "\(format(limit)) × \(of)") { rows in
            guard let row = rows[row], let other = rows[other], other.value > 0 else { return nil }
            return verdict(row, other.value, ratio: row.value / other.value, limit)
        }
    }

    private static func verdict(
        _ row: RowResult, _ reference: Double?, ratio: Double, _ limit: Double
    ) -> Target.Verdict {
        Target.Verdict(
            measured: Figures.value(row.value, row.unit),
            reference: reference.map { Figures.value($0, row.unit) } ?? "", comparison: Figures.ratio(ratio),
            isMet: ratio <= limit)
    }

    /// The row's value, less that of another row, is at most `limit`; if that one is its reference, by samples taken in
    /// turn.
    public static func value(_ row: String, beyond floor: String? = nil, atMost limit: Double, _ what: String) -> Self {
        Self(requirement: what) { rows in
            guard let row = rows[row] else { return nil }
            guard let floor else { return verdict(row.value, limit) { Figures.value($0, row.unit) } }
            guard let reference = row.reference == floor ? row.referenceValue : rows[floor]?.value else { return nil }
            return verdict(row.value, beyond: reference, limit) { Figures.value($0, row.unit) }
        }
    }

    /// The row's allocations, less those of another row, are at most `limit`; a tenth is allowed for tables that grow.
    public static func allocations(
        _ row: String, beyond floor: String? = nil, atMost limit: Double, _ what: String
    ) -> Self {
        Self(requirement: what) { rows in
            func text(_ count: Double) -> String { Figures.allocations(count) + " allocations" }
            guard let measured = rows[row]?.allocations else { return nil }
            guard let floor else { return verdict(measured, limit + 0.1, text) }
            guard let reference = rows[floor]?.allocations else { return nil }
            return verdict(measured, beyond: reference, limit + 0.1, text)
        }
    }

    private static func verdict(
        _ measured: Double, beyond reference: Double? = nil, _ limit: Double, _ text: (Double) -> String
    ) -> Target.Verdict {
        let difference = measured - (reference ?? 0)
        return Target.Verdict(
            measured: text(measured), reference: reference.map(text) ?? "",
            comparison: reference == nil ? "" : text(difference), isMet: difference <= limit)
    }

    /// Holds if the row was measured at all, since the row itself ends the program where this does not hold.
    public static func measured(_ row: String, _ what: String) -> Self {
        Self(requirement: what) { rows in rows[row].map { _ in Target.Verdict(measured: what, isMet: true) } }
    }

    private static func format(_ limit: Double) -> String {
        if limit < 1 { return "1/" + format(1 / limit) }
        return limit == limit.rounded() ? String(Int(limit)) : String(limit)
    }
}
