import Foundation

/// Cuts bytes that come in pieces into lines. Pure.
struct LineSplitter: Sendable {
    /// How many bytes a line may have.
    let limit: Int

    private var piece: Data.SubSequence = Data()[...]
    /// What came of the present line before ``piece``.
    private var start = Data()

    /// What there is.
    enum Step: Equatable {
        case line(String)
        case tooLong
        /// No whole line: add a piece.
        case more
    }

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a piece, once ``next()`` has asked for more.
    mutating func add(_ next: Data) {
        piece = next[...]
    }

    /// The next line.
    mutating func next() -> Step {
        guard let end = piece.firstIndex(of: UInt8(ascii: "\n")) else {
            start += piece
            piece = Data()[...]
            let mayEnd = start.last == UInt8(ascii: "\r")  // which belongs to the end of the line then
            return start.count - (mayEnd ? 1 : 0) > limit ? .tooLong : .more
        }
        let rest = piece[..<end]
        piece = piece[(end + 1)...]
        var line = start.isEmpty ? rest : start + rest
        start = Data()
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line.count > limit ? .tooLong : .line(String(decoding: line, as: UTF8.self))
    }

    /// What is left at the end, as a line without an end; nil if there is nothing.
    mutating func last() -> String? {
        defer { start = Data() }
        return start.isEmpty ? nil : String(decoding: start, as: UTF8.self)
    }
}
