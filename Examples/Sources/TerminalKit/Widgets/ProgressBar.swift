/// How far something is, drawn in eighths of a column.
public struct ProgressBar: Hashable, Sendable {
    /// The part that is done, from 0 to 1.
    public let fraction: Double

    /// Makes a bar; numbers out of range are brought into it, and one that is no number counts as 0.
    public init(fraction: Double) {
        self.fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    }

    /// The bar in exactly `columns` columns: full blocks, one partial block, spaces.
    ///
    /// It is full only when all is done, and empty only when nothing is.
    public func text(columns: Int) -> String {
        guard columns > 0 else { return "" }
        let eighths = eighths(of: columns * 8)
        let partial = eighths % 8 == 0 ? "" : String(Self.blocks[eighths % 8 - 1])
        let blank = columns - eighths / 8 - partial.count
        return String(repeating: "█", count: eighths / 8) + partial + String(repeating: " ", count: blank)
    }

    private static let blocks: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    private func eighths(of all: Int) -> Int {
        if fraction == 0 || fraction == 1 { return fraction == 0 ? 0 : all }
        return min(max(Int(fraction * Double(all)), 1), all - 1)
    }
}
