import SiestaCore

/// The document type declaration (XML 1.0 §2.8). Pure.
///
/// Only declarations without an internal subset are accepted. They have no effect, because the external subset is never
/// loaded.
enum XMLDocumentType {
    typealias Reason = RequestError.Cause.InvalidXML.Reason

    /// Returns the end of the declaration at the beginning of `bytes`. Throws if it is malformed or has an internal
    /// subset.
    static func end(_ bytes: ArraySlice<UInt8>) throws(Reason) -> Int {
        var cursor = XMLCursor(bytes)
        let isLegal = cursor.skip("<!DOCTYPE") && cursor.skipSpaces() && takeName(&cursor) && takeIdentifier(&cursor)
        cursor.skipSpaces()
        if cursor.next == UInt8(ascii: "[") { throw .documentTypeDeclaration }
        guard !cursor.isAtEnd else { throw .incomplete }
        guard isLegal, cursor.skip(">") else { throw .syntax(code: 61) }  // XML_ERR_DOCTYPE_NOT_FINISHED
        return cursor.index
    }

    /// Takes the identifier of an external subset, if there is one. Returns false if it is malformed.
    private static func takeIdentifier(_ cursor: inout XMLCursor) -> Bool {
        guard cursor.skipSpaces() else { return true }
        if cursor.skip("PUBLIC") {
            guard cursor.skipSpaces(), let name = cursor.takeQuoted(), name.allSatisfy(isInPublicName) else {
                return false
            }
        } else if !cursor.skip("SYSTEM") {
            return true
        }
        guard cursor.skipSpaces(), let address = cursor.takeQuoted() else { return false }
        return String(decoding: address, as: UTF8.self).unicodeScalars.allSatisfy(isCharacter)
    }

    /// Takes a name (XML 1.0 §2.3). Returns false if there is none.
    private static func takeName(_ cursor: inout XMLCursor) -> Bool {
        let bytes = cursor.take { !$0.isXMLSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "[") }
        let name = String(decoding: bytes, as: UTF8.self).unicodeScalars
        guard let first = name.first, isNameStart(first) else { return false }
        return name.allSatisfy { isNameStart($0) || isNamePart($0) }
    }

    private static func isCharacter(_ character: Unicode.Scalar) -> Bool {
        switch character.value {
        case 0x9, 0xA, 0xD: true
        case let value: value >= 0x20 && value != 0xFFFE && value != 0xFFFF
        }
    }

    private static func isInPublicName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: " \r\n-'()+,./:=?;!*#@$_%".utf8.contains(byte)
        }
    }

    private static func isNameStart(_ character: Unicode.Scalar) -> Bool {
        switch character.value {
        case 0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
            0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF,
            0xFDF0...0xFFFD, 0x1_0000...0xE_FFFF:
            true
        default: false
        }
    }

    private static func isNamePart(_ character: Unicode.Scalar) -> Bool {
        switch character.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: false
        }
    }
}
