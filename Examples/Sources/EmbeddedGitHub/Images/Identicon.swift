/// A symmetric pattern in the colour of a name, which is the same on every run.
struct Identicon: Sendable {
    /// The sizes that exist, in pixels of an edge.
    static let sizes = 1...512

    /// The size without a request for another one, in pixels.
    static let standardSize = 256

    /// The number of cells of an edge, with an empty cell at each end.
    private static let cells = 7

    private let palette: [PNG.Color]
    private let pattern: [UInt8]

    init(of name: String) {
        var dice = Dice("avatar of \(name)")
        let bright = (0..<3).map { _ in UInt8(dice.number(40...210)) }
        let dark = bright.map { $0 / 2 }
        palette = [
            PNG.Color(red: 240, green: 240, blue: 240), PNG.Color(red: bright[0], green: bright[1], blue: bright[2]),
            PNG.Color(red: dark[0], green: dark[1], blue: dark[2]),
        ]
        pattern = (0..<Self.cells * Self.cells).map { _ in UInt8(dice.pick([0, 1, 1, 2])) }
    }

    /// The image with the given edge.
    func image(size: Int) -> PNG {
        let cells = (0..<size).map { $0 * Self.cells / size }
        let pixels = cells.flatMap { row in cells.map { color(row, $0) } }
        return PNG(palette: palette, width: size, height: size, pixels: pixels)
    }

    /// The place in the palette of a cell; the right half mirrors the left one.
    private func color(_ row: Int, _ column: Int) -> UInt8 {
        let last = Self.cells - 1
        guard row > 0, row < last, column > 0, column < last else { return 0 }
        return pattern[row * Self.cells + min(column, last - column)]
    }
}
