import Foundation
import RegexBuilder
import Siesta

/// The check of a document before Foundation's parser reads it.
///
/// - The parser cannot be told to refuse document type definitions. The pass removes a harmless document type, and
///   refuses an internal subset.
/// - The parser of Linux crashes at an instruction without data, such as `<?x?>`. The pass removes all instructions.
/// - The parser takes quadratic time for an element with many attributes. The pass counts the attributes of each tag.
/// - The parser guesses another encoding from a NUL. The pass refuses this character.
///
/// The pass reads each byte once, and finds tags, comments and sections in the same way as the parser. It does not
/// report other errors: the parser stops at the first one. Line numbers stay true, except after an instruction with
/// line ends inside the root element.
struct XMLPreparation {
    typealias Failure = RequestError.Cause.InvalidXML

    private var bytes: [UInt8]
    private let limits: XMLLimits
    private var position = 0
    private var hasElement = false
    private var hasDocumentType = false
    /// The instructions after the first tag. Spaces in their place would become text.
    private var removed: [Range<Int>] = []

    /// Checks a document in UTF-8, and overwrites with spaces what the parser must not see.
    static func prepare(_ bytes: inout [UInt8], limits: XMLLimits) throws(Failure) {
        var preparation = XMLPreparation(bytes: exchange(&bytes, with: []), limits: limits)
        try preparation.run()
        bytes = preparation.remaining
    }

    private init(bytes: [UInt8], limits: XMLLimits) {
        (self.bytes, self.limits) = (bytes, limits)
    }

    private mutating func run() throws(Failure) {
        let illegal = next(0, from: 0)
        guard illegal == bytes.count else { throw fail(.illegalCharacter, at: illegal) }
        if isNext("<?xml"), bytes.count > 5, bytes[5].isXMLSpace { try takeDeclaration() }
        while position < bytes.count {
            let start = position
            try takeToken()
            guard position - start <= XMLLimits.maximumTokenSize else {
                throw fail(.tokenTooLong(limit: XMLLimits.maximumTokenSize), at: start)
            }
        }
    }

    /// Moves over one token: a text, a tag, a comment, a section or an instruction.
    private mutating func takeToken() throws(Failure) {
        guard bytes[position] == UInt8(ascii: "<") else {
            return position = next(UInt8(ascii: "<"), from: position)
        }
        if isNext("<!--") {
            position += 4
            skip(through: "-->")
        } else if isNext("<![CDATA[") {
            skip(through: "]]>")
        } else if isNext("<!") {
            try takeDocumentType()
        } else if isNext("<?") {
            try takeInstruction()
        } else if isNext("</") {
            skip(through: ">")
        } else {
            try takeStartTag()
        }
    }

    private mutating func takeStartTag() throws(Failure) {
        let start = position
        hasElement = true
        var count = 0
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            if bytes[position] == UInt8(ascii: "=") { count += 1 }
            guard count <= limits.maximumAttributeCount else {
                throw fail(.tooManyAttributes(limit: limits.maximumAttributeCount), at: start)
            }
            skipQuotedOrOne()
        }
        position += 1
    }

    /// Removes a document type that has no internal subset. It can stand only once, before the root element.
    private mutating func takeDocumentType() throws(Failure) {
        let start = position
        guard isNext("<!DOCTYPE"), !hasElement, !hasDocumentType else { throw fail(.syntax(code: 1), at: start) }
        hasDocumentType = true
        position += 2
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            if bytes[position] == UInt8(ascii: "[") { throw fail(.documentTypeDeclaration, at: start) }
            skipQuotedOrOne()
        }
        position += 1
        guard position <= bytes.count else { throw fail(.incomplete, at: start) }
        blank(start..<position)
    }

    /// Moves over a quoted text, or over one byte.
    private mutating func skipQuotedOrOne() {
        let byte = bytes[position]
        position += 1
        guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { return }
        position = min(next(byte, from: position) + 1, bytes.count)
    }

    private mutating func takeDeclaration() throws(Failure) {
        guard skip(through: "?>") else { throw fail(.incomplete, at: 0) }
        let text = String(decoding: bytes[5..<(min(position, 1024) - 2)], as: UTF8.self)
        guard position <= 1024, text.wholeMatch(of: Self.declaration) != nil else {
            throw fail(.syntax(code: 57), at: 0)
        }
        blank(0..<position)
    }

    /// The declaration after its name (XML 1.0 §2.8). All versions 1.x are read in the same way.
    private static var declaration: Regex<Substring> {
        let version = /\s+version\s*=\s*(?:"1\.[0-9]+"|'1\.[0-9]+')/
        let encoding = /\s+encoding\s*=\s*(?:"[A-Za-z][A-Za-z0-9._\-]*"|'[A-Za-z][A-Za-z0-9._\-]*')/
        let standalone = /\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)')/
        return Regex {
            version
            Optionally { encoding }
            Optionally { standalone }
            /\s*/
        }
    }

    /// Removes an instruction. Its name must be a name, and must not be `xml` (XML 1.0 §2.6).
    private mutating func takeInstruction() throws(Failure) {
        let start = position
        position += 2
        guard skip(through: "?>") else { throw fail(.incomplete, at: start) }
        let content = bytes[(start + 2)..<(position - 2)]
        let name = content.prefix { !$0.isXMLSpace }
        guard let first = name.first, first.isXMLNameStart, name.allSatisfy({ $0.isXMLNameStart || $0.isXMLNamePart }),
            String(decoding: name, as: UTF8.self).lowercased() != "xml"
        else { throw fail(.syntax(code: 46), at: start) }
        guard content.allSatisfy({ $0 >= 0x20 || $0.isXMLSpace }) else { throw fail(.illegalCharacter, at: start) }
        if hasElement { removed.append(start..<position) } else { blank(start..<position) }
    }

    /// The document without the removed instructions.
    private var remaining: [UInt8] {
        guard !removed.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var end = 0
        for range in removed {
            result += bytes[end..<range.lowerBound]
            end = range.upperBound
        }
        return result + bytes[end...]
    }

    private mutating func blank(_ range: Range<Int>) {
        for index in range where bytes[index] != UInt8(ascii: "\n") && bytes[index] != UInt8(ascii: "\r") {
            bytes[index] = UInt8(ascii: " ")
        }
    }

    private func isNext(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        return text.withUTF8Buffer { buffer in (0..<count).allSatisfy { bytes[position + $0] == buffer[$0] } }
    }

    /// Moves behind the next occurrence of `text`, or to the end. Returns false if there is none.
    @discardableResult
    private mutating func skip(through text: StaticString) -> Bool {
        let (last, count) = (text.withUTF8Buffer { $0[$0.count - 1] }, text.utf8CodeUnitCount)
        let start = position
        while position < bytes.count {
            let end = next(last, from: position) + 1
            position = max(start, min(end, bytes.count) - count)
            if isNext(text) {
                position += count
                return true
            }
            position = min(end, bytes.count)
        }
        return false
    }

    /// Returns the index of the next such byte, or the index of the end. `memchr` is many times faster than a loop.
    private func next(_ byte: UInt8, from start: Int) -> Int {
        bytes.withUnsafeBytes { buffer in
            guard start < buffer.count, let base = buffer.baseAddress,
                let found = memchr(base + start, Int32(byte), buffer.count - start)
            else { return buffer.count }
            return base.distance(to: UnsafeRawPointer(found))
        }
    }

    private func fail(_ reason: Failure.Reason, at index: Int) -> Failure {
        Failure(reason, line: 1 + bytes[..<index].count { $0 == UInt8(ascii: "\n") })
    }
}

extension UInt8 {
    fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x9 || self == 0xA || self == 0xD }

    /// True if a name may begin with the byte. Bytes of characters outside ASCII are not examined.
    fileprivate var isXMLNameStart: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
        default: self == UInt8(ascii: "_") || self == UInt8(ascii: ":")
        }
    }

    fileprivate var isXMLNamePart: Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}
