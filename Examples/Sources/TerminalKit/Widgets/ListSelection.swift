/// Which row of a list is selected, and which rows are in view.
///
/// A pure value that knows numbers only. Whatever happens, the selected row exists, it is in view, and the view shows
/// no empty room below the list while there are rows above it.
public struct ListSelection: Hashable, Sendable {
    /// The number of rows in the list.
    public private(set) var count: Int
    /// The number of rows in view.
    public private(set) var height: Int
    /// The first row in view.
    public private(set) var top: Int
    private var position: Int

    /// Makes a selection of the first row.
    public init(count: Int = 0, height: Int = 1) {
        self.count = max(count, 0)
        self.height = max(height, 1)
        top = 0
        position = 0
    }

    /// The selected row, or nil in an empty list.
    public var selected: Int? {
        count == 0 ? nil : position
    }

    /// The rows in view.
    public var visible: Range<Int> {
        top..<min(top + height, count)
    }

    /// Takes over a new length of the list, or a new height of the view; the selection stays as near as it can.
    public mutating func update(count: Int, height: Int) {
        self.count = max(count, 0)
        self.height = max(height, 1)
        select(position)
    }

    /// Selects a row, or the nearest there is; scrolls no further than needed.
    public mutating func select(_ row: Int) {
        position = min(max(row, 0), max(count - 1, 0))
        let reached = min(max(top, position - height + 1), position)
        top = min(reached, max(count - height, 0))
    }

    /// Moves the selection down, or up if `rows` is negative; stops at the ends.
    public mutating func move(by rows: Int) {
        let (row, overflow) = position.addingReportingOverflow(rows)
        select(overflow ? (rows > 0 ? .max : .min) : row)
    }

    /// Moves up by one view.
    public mutating func pageUp() {
        move(by: -height)
    }

    /// Moves down by one view.
    public mutating func pageDown() {
        move(by: height)
    }

    /// Selects the first row.
    public mutating func home() {
        select(0)
    }

    /// Selects the last row.
    public mutating func end() {
        select(count - 1)
    }

    /// Does what a key means in a list; false if it means nothing here.
    @discardableResult
    public mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .pageUp: pageUp()
        case .pageDown: pageDown()
        case .home: home()
        case .end: end()
        default: return false
        }
        return true
    }
}
