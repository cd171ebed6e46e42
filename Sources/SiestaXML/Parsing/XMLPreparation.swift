import Foundation
import Siesta

/// The check of a document before Foundation's parser reads it.
///
/// That parser cannot be told to refuse document type definitions, and takes quadratic time for an element with many
/// attributes. Therefore this pass removes the XML declaration and a harmless document type, refuses an internal subset,
/// and counts the attributes of each tag. It reads each byte once, and keeps line ends, so that line numbers stay true.
///
/// The pass finds tags, comments and sections in the same way as the parser. It does not report other errors: the parser
/// stops at the first one. A NUL is refused, because the parser would guess another encoding from it.
struct XMLPreparation {
    typealias Failure = RequestError.Cause.InvalidXML

    private var bytes: [UInt8]
    private let limits: XMLLimits
    private var position = 0
    private var hasElement = false
    private var hasDocumentType = false

    /// Checks a document in UTF-8, and overwrites with spaces what the parser must not see.
    static func prepare(_ bytes: inout [UInt8], limits: XMLLimits) throws(Failure) {
        var preparation = XMLPreparation(bytes: exchange(&bytes, with: []), limits: limits)
        try preparation.run()
        bytes = preparation.bytes
    }

    private init(bytes: [UInt8], limits: XMLLimits) {
        (self.bytes, self.limits) = (bytes, limits)
    }

    private mutating func run() throws(Failure) {
        let illegal = next(0, from: 0)
        guard illegal == bytes.count else { throw fail(.illegalCharacter, at: illegal) }
        if isNext("<?xml"), bytes.count > 5, bytes[5].isXMLSpace { removeToken(endingWith: "?>") }
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
            skip(through: "?>")
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

    private mutating func removeToken(endingWith end: StaticString) {
        let start = position
        skip(through: end)
        blank(start..<position)
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

    /// Moves behind the next occurrence of `text`, or to the end.
    private mutating func skip(through text: StaticString) {
        let (last, count) = (text.withUTF8Buffer { $0[$0.count - 1] }, text.utf8CodeUnitCount)
        let start = position
        while position < bytes.count {
            let end = next(last, from: position) + 1
            position = max(start, min(end, bytes.count) - count)
            if isNext(text) { return position += count }
            position = min(end, bytes.count)
        }
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
    fileprivate var isXMLSpace: Bool { self == 0x20 || (0x9...0xA).contains(self) || self == 0xD }
}
