extension Frame {
    /// The bytes that turn what a terminal shows from one frame into this one.
    ///
    /// Only the rows that differ are written. Without a previous frame, or with one of another size, the screen is
    /// cleared and all rows are written. Equal frames give no bytes. The whole is one synchronized update (private mode
    /// 2026): terminals that know it show no half-drawn state, the others ignore the mode.
    ///
    /// After text that terminals may measure in another way than ``Swift/Character/terminalColumns``, the next piece is
    /// placed by its column. Nothing is written after the last column, so that no terminal scrolls.
    public func update(from previous: Frame?, colors: ColorMode = .sixteen) -> [UInt8] {
        let known = previous?.size == size ? previous : nil
        var output = known == nil ? "\u{1B}[0m\u{1B}[2J" : ""
        for (row, line) in lines.enumerated() where line != known?.lines[row] ?? Line() {
            output += "\u{1B}[\(row + 1);1H\u{1B}[0m\u{1B}[K"
            line.write(to: &output, colors: colors)
        }
        return output.isEmpty ? [] : Array("\u{1B}[?2026h\(output)\u{1B}[?2026l".utf8)
    }
}

extension Line {
    /// Writes from column 1, with the plain style on before and after.
    fileprivate func write(to output: inout String, colors: ColorMode) {
        var style = Style.plain
        var column = 1
        var isColumnSure = true
        for span in spans {
            if !isColumnSure { output += "\u{1B}[\(column)G" }
            if span.style != style { output += span.style.selection(in: colors) }
            output += span.text
            style = span.style
            column += span.columns
            isColumnSure = span.text.utf8.count == span.columns
        }
        if style != .plain { output += "\u{1B}[0m" }
    }
}
