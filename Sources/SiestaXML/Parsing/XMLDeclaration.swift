/// The declaration at the beginning of a document (XML 1.0 §2.8). Pure.
struct XMLDeclaration {
    /// The declared encoding; nil if the declaration names none.
    private(set) var encoding: String?
    /// The number of bytes.
    private(set) var size = 0

    /// The maximum size of a declaration, in bytes.
    static let limit = 1024

    /// Returns true if a document begins with a declaration, which may be malformed.
    static func begins(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: "<?xml".utf8) && bytes.dropFirst(5).first?.isXMLSpace == true
    }

    /// Parses the declaration of a document. Accepts all versions 1.x. Returns nil if the declaration is malformed.
    init?(_ document: some Collection<UInt8>) {
        var cursor = XMLCursor(Array(document.prefix(Self.limit))[...])
        guard cursor.skip("<?xml"), let version = Self.takeValue("version", &cursor), version.starts(with: "1.".utf8),
            version.count > 2, version.dropFirst(2).allSatisfy(Self.isDigit)
        else { return nil }
        if let name = Self.takeValue("encoding", &cursor) {
            guard let first = name.first, Self.isLetter(first), name.allSatisfy(Self.isInEncoding) else { return nil }
            encoding = String(decoding: name, as: UTF8.self)
        }
        if let standalone = Self.takeValue("standalone", &cursor) {
            guard standalone.elementsEqual("yes".utf8) || standalone.elementsEqual("no".utf8) else { return nil }
        }
        cursor.skipSpaces()
        guard cursor.skip("?>") else { return nil }
        size = cursor.index
    }

    /// Takes white space, a name and a value. Takes nothing if another name comes next.
    private static func takeValue(_ name: StaticString, _ cursor: inout XMLCursor) -> ArraySlice<UInt8>? {
        var next = cursor
        guard next.skipSpaces(), next.skip(name) else { return nil }
        next.skipSpaces()
        guard next.skip("=") else { return nil }
        next.skipSpaces()
        guard let value = next.takeQuoted() else { return nil }
        cursor = next
        return value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

    private static func isInEncoding(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "._-".utf8.contains(byte)
    }
}
