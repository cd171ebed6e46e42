/// The rows and columns of a terminal; both are from 1 to 65 535, which is what the kernel can say.
public struct TerminalSize: Hashable, Sendable {
    /// The number of rows.
    public let rows: Int
    /// The number of columns.
    public let columns: Int

    /// Makes a size; numbers out of range are brought into it.
    public init(rows: Int, columns: Int) {
        self.rows = min(max(rows, 1), Int(UInt16.max))
        self.columns = min(max(columns, 1), Int(UInt16.max))
    }

    /// 24 rows of 80 columns: what is assumed of a terminal that does not tell its size.
    public static let standard = TerminalSize(rows: 24, columns: 80)
}
