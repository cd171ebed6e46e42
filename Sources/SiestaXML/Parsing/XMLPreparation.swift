import Foundation
import HTTPRules
import SiestaCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The check of a document before Foundation's parser reads it.
///
/// - The parser cannot be told to refuse document type definitions. The pass removes a harmless document type, and
///   refuses an internal subset; see ``XMLDocumentType``.
/// - The parser of Linux crashes at an instruction without data, such as `<?x?>`. The pass adds a space.
/// - The parser takes quadratic time for an element with many attributes. The pass counts the attributes of each tag.
/// - A dictionary takes quadratic time for a name with many combining marks in a row. The pass refuses such names.
/// - The parser passes the attributes as a dictionary, in which names that are equal as strings are one name, although
///   their bytes differ. The pass refuses such names.
/// - The parser guesses another encoding from a NUL. The pass refuses this character.
/// - The parser of Linux does not replace a CR in a CDATA section. The pass replaces all line ends by LF (XML 1.0 §2.11).
///
/// The pass finds tags, comments and sections in the same way as the parser. It does not report other errors: the parser
/// stops at the first one. Line numbers stay true.
struct XMLPreparation {
    typealias Failure = RequestError.Cause.InvalidXML

    private var bytes: [UInt8]
    private let limits: XMLLimits
    private var position = 0
    private var hasElement = false
    private var hasDocumentType = false
    /// The ends of the instructions without data, where a space is added.
    private var ends: [Int] = []

    /// Checks a document in UTF-8, and changes what the parser must not see.
    static func prepare(_ bytes: inout [UInt8], limits: XMLLimits) throws(Failure) {
        normalizeLineEnds(&bytes)
        var preparation = XMLPreparation(bytes: exchange(&bytes, with: []), limits: limits)
        try preparation.run()
        bytes = preparation.result
    }

    private init(bytes: [UInt8], limits: XMLLimits) {
        (self.bytes, self.limits) = (bytes, limits)
    }

    private static func normalizeLineEnds(_ bytes: inout [UInt8]) {
        let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        guard var end = bytes.firstIndex(of: cr) else { return }
        var isAfterCR = false
        for index in end..<bytes.count {
            let byte = bytes[index]
            if byte != lf || !isAfterCR {
                bytes[end] = byte == cr ? lf : byte
                end += 1
            }
            isAfterCR = byte == cr
        }
        bytes.removeLast(bytes.count - end)
    }

    private mutating func run() throws(Failure) {
        let illegal = next(0, from: 0)
        guard illegal == bytes.count else { throw fail(.illegalCharacter, at: illegal) }
        if XMLDeclaration.begins(bytes) { try takeDeclaration() }
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
        var names: [UInt8] = []  // From the first byte that is not ASCII.
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            let byte = bytes[position]
            if byte == UInt8(ascii: "=") { count += 1 }
            if byte >= 0x80 || !names.isEmpty { names.append(byte) }
            guard count <= limits.maximumAttributeCount else {
                throw fail(.tooManyAttributes(limit: limits.maximumAttributeCount), at: start)
            }
            skipQuotedOrOne()
        }
        guard StreamSafety.allows(utf8: names) else { throw fail(.tooManyMarks, at: start) }
        guard names.isEmpty || Self.hasDistinctAttributes(bytes[start..<position]) else {
            throw fail(.duplicateAttribute, at: start)
        }
        position += 1
    }

    /// Returns true if the names of the attributes in a tag differ as strings.
    private static func hasDistinctAttributes(_ tag: ArraySlice<UInt8>) -> Bool {
        var names: Set<String> = []
        var cursor = XMLCursor(tag)
        _ = cursor.take { !$0.isXMLSpace }
        cursor.skipSpaces()
        while !cursor.isAtEnd {
            let name = cursor.take { !$0.isXMLSpace && $0 != UInt8(ascii: "=") }
            cursor.skipSpaces()
            guard cursor.skip("=") else { return true }
            cursor.skipSpaces()
            guard cursor.takeQuoted() != nil else { return true }
            guard names.insert(String(decoding: name, as: UTF8.self)).inserted else { return false }
            cursor.skipSpaces()
        }
        return true
    }

    /// Removes the document type. It can stand only once, before the root element.
    private mutating func takeDocumentType() throws(Failure) {
        let start = position
        guard isNext("<!DOCTYPE"), !hasElement, !hasDocumentType else { throw fail(.syntax(code: 1), at: start) }
        hasDocumentType = true
        do {
            position = try XMLDocumentType.end(bytes[start...])
        } catch {
            throw fail(error, at: start)
        }
        blank(start..<position)
    }

    /// Moves over a quoted text, or over one byte.
    private mutating func skipQuotedOrOne() {
        let byte = bytes[position]
        position += 1
        guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { return }
        position = min(next(byte, from: position) + 1, bytes.count)
    }

    /// Removes the declaration, because the parser would believe its encoding.
    private mutating func takeDeclaration() throws(Failure) {
        guard let declaration = XMLDeclaration(bytes) else { throw fail(.syntax(code: 57), at: 0) }
        position = declaration.size
        blank(0..<position)
    }

    /// Adds data to an instruction that has none. Changes a name such as `xml-x`, for which the parser reports the same
    /// error as for a second declaration.
    private mutating func takeInstruction() throws(Failure) {
        let start = position
        position += 2
        guard skip(through: "?>") else { throw fail(.incomplete, at: start) }
        let name = bytes[(start + 2)..<(position - 2)].prefix { !$0.isXMLSpace }
        if name.endIndex == position - 2 { ends.append(name.endIndex) }
        if name.count > 3, name.prefix(3).elementsEqual("xml".utf8, by: { $0 | 0x20 == $1 }) {
            bytes[start + 2] = UInt8(ascii: "_")
        }
    }

    /// The document that the parser reads.
    private var result: [UInt8] {
        guard !ends.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + ends.count)
        var start = 0
        for end in ends {
            result += bytes[start..<end]
            result.append(UInt8(ascii: " "))
            start = end
        }
        return result + bytes[start...]
    }

    private mutating func blank(_ range: Range<Int>) {
        for index in range where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
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
