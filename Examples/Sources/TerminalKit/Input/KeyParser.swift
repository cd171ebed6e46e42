/// Turns the bytes a terminal sends into keys.
///
/// A pure value: the same bytes give the same keys however they are split into reads. What is not whole yet (half a
/// UTF-8 character, half an escape sequence, a paste without its end) is kept until the rest arrives or ``flush()``
/// gives up on it. Garbage is dropped, and never takes a valid key that follows with it. What is kept is bounded, see
/// ``longestPaste``.
public struct KeyParser: Sendable {
    /// What a parser needs more bytes for.
    public enum Waiting: Hashable, Sendable {
        /// Nothing: every byte was turned into a key, or dropped.
        case nothing
        /// The rest of a key; an Escape that nothing follows soon is the Escape key.
        case sequence
        /// The end of a paste.
        case paste
    }

    /// The bytes that one ``Key/paste(_:)`` holds at most: 65 536. A longer paste gives several.
    public static let longestPaste = 65_536

    /// An unfinished control sequence loses its middle beyond this; no terminal sends one half as long.
    private static let longestSequence = 64

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var pending: [UInt8] = []
    private var isPasting = false

    /// Makes a parser that waits for nothing.
    public init() {}

    /// What the parser would need more bytes for; decides how long to wait before calling ``flush()``.
    public var waiting: Waiting {
        if isPasting { return .paste }
        return pending.isEmpty ? .nothing : .sequence
    }

    /// Takes bytes as they were read, and returns the keys that are complete with them, in order.
    ///
    /// Linear in the number of bytes.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending.append(contentsOf: bytes)
        return drain()
    }

    /// Gives up waiting, and returns what the kept bytes mean on their own.
    ///
    /// A lone ESC is the Escape key, ESC with a bracket is Alt and that bracket, an unfinished paste is the text so
    /// far. Other unfinished input is dropped. Afterwards the parser waits for nothing.
    public mutating func flush() -> [Key] {
        defer { self = KeyParser() }
        if isPasting { return Self.paste(pending[...]) }
        return Decoder.unfinished(pending[...]).map { [$0] } ?? []
    }

    private mutating func drain() -> [Key] {
        var keys: [Key] = []
        var rest = pending[...]
        while !rest.isEmpty, advance(&rest, &keys) {}
        pending = Array(rest)
        return keys
    }

    /// Takes one key, or one piece of a paste; false if more bytes are needed.
    private mutating func advance(_ rest: inout ArraySlice<UInt8>, _ keys: inout [Key]) -> Bool {
        if isPasting { return advancePaste(&rest, &keys) }
        switch Decoder.next(in: rest) {
        case .incomplete:
            rest = rest.prefix(Self.longestSequence)
            return false
        case .dropped(let length):
            rest = rest.dropFirst(length)
        case .key(let key, let length):
            keys.append(key)
            rest = rest.dropFirst(length)
        case .pasteStart(let length):
            isPasting = true
            rest = rest.dropFirst(length)
        }
        return true
    }

    private mutating func advancePaste(_ rest: inout ArraySlice<UInt8>, _ keys: inout [Key]) -> Bool {
        if let end = rest.prefix(Self.longestPaste + Self.pasteEnd.count).firstRange(of: Self.pasteEnd) {
            isPasting = false
            keys += Self.paste(rest[..<end.lowerBound])
            rest = rest[end.upperBound...]
            return true
        }
        guard rest.count >= Self.longestPaste + Self.pasteEnd.count else { return false }
        let cut = Self.characterBoundary(in: rest, before: rest.startIndex + Self.longestPaste)
        keys += Self.paste(rest[..<cut])
        rest = rest[cut...]
        return true
    }

    /// The last place up to `index` where a UTF-8 character may begin; `index` itself if the bytes are not UTF-8.
    private static func characterBoundary(in bytes: ArraySlice<UInt8>, before index: Int) -> Int {
        (index - 3...index).last { !UTF8.isContinuation(bytes[$0]) } ?? index
    }

    private static func paste(_ bytes: ArraySlice<UInt8>) -> [Key] {
        guard !bytes.isEmpty else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) {
            $0 == "\r\n" || $0 == "\r" || $0 == "\n"
        }
        return [.paste(lines.joined(separator: "\n"))]
    }
}
