import Foundation
import SiestaCore

/// Splits bytes that arrive in pieces into lines. Pure.
struct LineSplitter: Sendable {
    /// The maximum length of a line, in bytes.
    let limit: Int

    private var piece: Data.SubSequence = Data()[...]
    /// The bytes of the current line that were received before ``piece``.
    private var start = Data()
    private var isFirst = true

    /// The result of a search for the next line.
    enum Step: Equatable {
        case line(String)
        case tooLong
        /// No complete line is left; the caller must add a piece.
        case more
    }

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a piece. Call this method only after ``next()`` has returned `more`.
    mutating func add(_ next: Data) {
        piece = next[...]
    }

    /// Returns the next line without its line end.
    mutating func next() -> Step {
        guard let end = piece.firstIndex(of: UInt8(ascii: "\n")) else {
            start += piece
            piece = Data()[...]
            let mayEnd = start.last == UInt8(ascii: "\r")  // This CR may belong to the end of the line.
            return start.count - (mayEnd ? 1 : 0) > limit ? .tooLong : .more
        }
        let rest = piece[..<end]
        piece = piece[(end + 1)...]
        var line = start.isEmpty ? rest : start + rest
        start = Data()
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line.count > limit ? .tooLong : .line(text(line))
    }

    /// Returns a line as text. A byte order mark at the start of the response is not part of the first line.
    private mutating func text(_ line: Data.SubSequence) -> String {
        defer { isFirst = false }
        let isMarked = isFirst && line.starts(with: [0xEF, 0xBB, 0xBF])
        return String(decoding: isMarked ? line.dropFirst(3) : line, as: UTF8.self)
    }

    /// Returns the remaining bytes at the end of the response as a line; nil if no bytes remain.
    mutating func last() -> String? {
        defer { start = Data() }
        return start.isEmpty ? nil : text(start[...])
    }
}
