import Foundation

/// Numbers as people read them.
public enum Figures {
    /// Nanoseconds with the unit that suits their size.
    public static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1000: String(format: "%.1f ns", nanoseconds)
        case ..<1e6: String(format: "%.2f µs", nanoseconds / 1e3)
        default: String(format: "%.2f ms", nanoseconds / 1e6)
        }
    }

    /// A measured value with its unit.
    public static func value(_ value: Double, _ unit: RowResult.Unit) -> String {
        unit == .bytes ? bytes(value) : time(value)
    }

    /// Whole bytes.
    public static func bytes(_ value: Double) -> String { String(format: "%.0f B", abs(value) < 0.5 ? 0 : value) }

    /// How many times something else.
    public static func ratio(_ value: Double) -> String { String(format: "%.2f ×", value) }

    /// A number of allocations.
    public static func allocations(_ value: Double) -> String { String(format: "%.2f", abs(value) < 0.005 ? 0 : value) }

    /// A whole number, its thousands apart.
    public static func whole(_ value: Double) -> String {
        let digits = String(Int(value.rounded()))
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in
            digits.dropLast(digits.count - end).suffix(3)
        }
        return groups.reversed().joined(separator: " ")
    }
}
