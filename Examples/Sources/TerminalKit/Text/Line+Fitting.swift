extension Line {
    /// Where a line stands in the room it is given.
    public enum Alignment: Hashable, Sendable {
        /// At the left.
        case left
        /// In the middle; half a column goes to the right.
        case center
        /// At the right.
        case right
    }

    /// The line in exactly `columns` columns: padded with plain spaces, or cut with an ellipsis at its end.
    ///
    /// The ellipsis has the style of the text it stands for. Where a wide character does not fit any more there is
    /// a space. No columns, or fewer, give an empty line.
    public func fitted(to columns: Int, alignment: Alignment = .left) -> Line {
        guard columns > 0 else { return Line() }
        guard self.columns <= columns else { return shortened(to: columns) }
        let room = columns - self.columns
        let left =
            switch alignment {
            case .left: 0
            case .center: room / 2
            case .right: room
            }
        return Line([.blank(left)] + spans + [.blank(room - left)])
    }

    /// The line with another one over it, from a column on; the line is padded where it is too short to reach.
    ///
    /// What would lie to the left of column 0 is not shown. A wide character of which only half is covered becomes a
    /// space.
    public func overlaid(with line: Line, atColumn column: Int) -> Line {
        let over = column < 0 ? line.dropFirst(columns: -column) : line
        let column = max(column, 0)
        let left = prefix(columns: column)
        return left + Line([.blank(column - left.columns)]) + over + dropFirst(columns: column + over.columns)
    }

    /// The beginning, in `columns` columns or one fewer if a wide character stands across the end; all if it is
    /// shorter.
    func prefix(columns: Int) -> Line {
        divided(atColumn: columns).head
    }

    /// The rest after `columns` columns, exactly; half a wide character becomes a space.
    func dropFirst(columns: Int) -> Line {
        divided(atColumn: columns).tail
    }

    private func shortened(to columns: Int) -> Line {
        let (head, tail) = divided(atColumn: columns - 1)
        let ellipsis = Line("…", style: tail.spans.first?.style ?? .plain)
        return head + ellipsis + Line([.blank(columns - head.columns - 1)])
    }

    private func divided(atColumn column: Int) -> (head: Line, tail: Line) {
        guard column > 0 else { return (Line(), self) }
        var start = 0
        for (index, span) in spans.enumerated() {
            if start + span.columns > column {
                let (head, tail) = span.split(atColumn: column - start)
                return (Line(spans[..<index] + [head]), Line([tail] + spans[(index + 1)...]))
            }
            start += span.columns
        }
        return (self, Line())
    }
}
