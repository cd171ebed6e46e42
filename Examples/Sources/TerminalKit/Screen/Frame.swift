/// All that a terminal shows at one moment.
///
/// A pure value: as many lines as there are rows, none longer than a row. What to write for it is in
/// ``update(from:colors:)``.
public struct Frame: Hashable, Sendable {
    /// The size of the screen the frame is made for.
    public let size: TerminalSize

    /// The lines from top to bottom, exactly as many as there are rows. A line may be shorter than the row.
    public private(set) var lines: [Line]

    /// Makes a frame of the given lines, from the top. Missing ones are empty, lines too many are left out, and lines
    /// too long are cut with an ellipsis.
    public init(size: TerminalSize, lines: some Sequence<Line> = []) {
        self.size = size
        self.lines = lines.prefix(size.rows).map { $0.cut(to: size.columns) }
        self.lines += Array(repeating: Line(), count: size.rows - self.lines.count)
    }

    /// The line of a row, counted from 0 at the top. A line that is set is cut to the width.
    ///
    /// Rows outside the screen read as empty, and setting one does nothing: a layout for a larger screen needs no
    /// checks.
    public subscript(row: Int) -> Line {
        get { lines.indices.contains(row) ? lines[row] : Line() }
        set {
            guard lines.indices.contains(row) else { return }
            lines[row] = newValue.cut(to: size.columns)
        }
    }

    /// Puts a line over what is there, from a column on. What would lie outside the screen is not shown, without an
    /// ellipsis.
    public mutating func place(_ line: Line, row: Int, column: Int) {
        guard lines.indices.contains(row), column < size.columns else { return }
        lines[row] = lines[row].overlaid(with: line, atColumn: column).prefix(columns: size.columns)
    }

    /// The frame on a screen of another size: cut, or with empty room at the bottom and the right.
    public func resized(to size: TerminalSize) -> Frame {
        size == self.size ? self : Frame(size: size, lines: lines)
    }
}

extension Line {
    fileprivate func cut(to columns: Int) -> Line {
        self.columns > columns ? fitted(to: columns) : self
    }
}
