import TerminalKit

/// The least of a terminal that the kit's output needs: cells, a cursor, styles, and the modes that are on.
///
/// Records a failure for anything it does not know, and for text beyond the last column.
struct VirtualScreen: Equatable {
    struct Cell: Equatable {
        var text = " "
        var style = "0"
    }

    private(set) var cells: [[Cell]]
    private(set) var modes: Set<String> = []
    private(set) var failures: [String] = []
    private(set) var rowsWritten: Set<Int> = []
    private let width: @Sendable (Character) -> Int
    private var row = 0
    private var column = 0
    private var style = "0"

    init(size: TerminalSize, width: @escaping @Sendable (Character) -> Int = { $0.terminalColumns }) {
        cells = Array(repeating: Array(repeating: Cell(), count: size.columns), count: size.rows)
        self.width = width
    }

    static func == (left: VirtualScreen, right: VirtualScreen) -> Bool {
        left.cells == right.cells
    }

    /// The rows as text; the second half of a wide character is no text.
    var text: [String] {
        cells.map { $0.map(\.text).joined() }
    }

    /// Does what the bytes say.
    mutating func apply(_ bytes: [UInt8]) {
        rowsWritten = []
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while let character = rest.popFirst() {
            if character == "\u{1B}" { sequence(&rest) } else { put(character) }
        }
    }

    private mutating func put(_ character: Character) {
        let columns = width(character)
        guard cells.indices.contains(row), column + columns <= cells[row].count else {
            failures.append("\(character) does not fit at row \(row), column \(column)")
            return
        }
        rowsWritten.insert(row)
        if columns == 0 { return }
        cells[row][column] = Cell(text: String(character), style: style)
        for second in 1..<max(columns, 1) { cells[row][column + second] = Cell(text: "", style: style) }
        column += columns
    }

    private mutating func sequence(_ rest: inout Substring) {
        guard rest.popFirst() == "[", let end = rest.firstIndex(where: \.isLetter) else {
            failures.append("an escape that is no control sequence")
            return
        }
        let parameters = String(rest[..<end])
        let final = rest[end]
        rest = rest[rest.index(after: end)...]
        perform(final, parameters)
    }

    private mutating func perform(_ final: Character, _ parameters: String) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch (final, parameters) {
        case ("H", _) where numbers.count == 2: (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case ("G", _) where numbers.count == 1: column = numbers[0] - 1
        case ("K", ""):
            for index in column..<cells[row].count { cells[row][index] = Cell() }
            rowsWritten.insert(row)
        case ("J", "2"): cells = cells.map { $0.map { _ in Cell() } }
        case ("m", _): style = parameters
        case ("h", _): modes.insert(parameters)
        case ("l", _): modes.remove(parameters)
        default: failures.append("unknown: CSI \(parameters)\(final)")
        }
    }
}
