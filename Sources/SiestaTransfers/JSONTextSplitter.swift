import Foundation
import SiestaCore

/// Divides bytes that arrive in pieces into JSON texts. Pure. It does not parse the texts.
struct JSONTextSplitter: Sendable {
    /// A text, or the reason why it is invalid before it is parsed.
    struct Text: Equatable {
        /// The number of the line, or of the text in a text sequence, beginning with 1; 0 before the first separator.
        let number: Int
        let content: Result<Data, Defect>
    }

    enum Defect: Error {
        case tooLong
        case truncated
        case missingSeparator
    }

    private let isSequence: Bool
    /// The maximum length of a text, in bytes.
    let limit: Int

    private var current = Data()
    private var number: Int
    private var isAtStart = true
    /// True while the rest of a text that is too long is dropped.
    private var isDropping = false

    init(_ format: JSONStreamFormat, limit: Int) {
        isSequence = format == .textSequence
        self.limit = limit
        number = isSequence ? 0 : 1
    }

    /// Adds a piece. Returns the texts that are complete now.
    mutating func add(_ piece: Data) -> [Text] {
        var texts: [Text] = []
        var rest = piece[...]
        while let end = rest.firstIndex(of: isSequence ? 0x1E : UInt8(ascii: "\n")) {
            append(rest[..<end], to: &texts)
            if let text = take() { texts.append(text) }
            rest = rest[(end + 1)...]
        }
        append(rest, to: &texts)
        return texts
    }

    /// Returns the last text at the end of the response; nil if there is none.
    mutating func finish() -> Text? { take() }

    /// A text that is too long is returned at once, and the rest of it is dropped.
    private mutating func append(_ bytes: Data.SubSequence, to texts: inout [Text]) {
        guard !isDropping else { return }
        guard bytes.count <= limit - current.count else {
            texts.append(Text(number: number, content: .failure(.tooLong)))
            (current, isDropping) = (Data(), true)
            return
        }
        current += bytes
    }

    /// Ends the current text, and counts it. A byte order mark at the beginning of the response is ignored (RFC 8259
    /// §8.1).
    private mutating func take() -> Text? {
        var text = exchange(&current, with: Data())
        if exchange(&isAtStart, with: false), text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        let wasDropped = exchange(&isDropping, with: false)
        guard let first = text.first(where: { !$0.isJSONSpace }), !wasDropped else {
            // Several separators in a row have no texts between them (RFC 7464 §2.1), but empty lines are lines.
            if !isSequence || wasDropped || number == 0 { number += 1 }
            return nil
        }
        defer { number += 1 }
        return Text(number: number, content: isSequence ? checked(text, first) : .success(text))
    }

    /// The end of an object, an array or a string is visible. Other values must have white space after them.
    private func checked(_ text: Data, _ first: UInt8) -> Result<Data, Defect> {
        guard number > 0 else { return .failure(.missingSeparator) }
        let isDelimited = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\"")
        return isDelimited || text.last?.isJSONSpace == true ? .success(text) : .failure(.truncated)
    }
}

extension UInt8 {
    /// True for the white space of JSON (RFC 8259 §2).
    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
