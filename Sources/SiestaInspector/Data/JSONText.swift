/// Writes JSON (RFC 8259) into one buffer. Pure. The caller keeps the order of the calls.
///
/// The inspector writes the rows of thousands of resources. A tree of values would take several times as long.
struct JSONText: Sendable {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Writes an object. `body` writes its members.
    mutating func object(_ body: (inout JSONText) -> Void) { enclosed(0x7B, 0x7D, body) }

    /// Writes an array. `body` writes its elements.
    mutating func array(_ body: (inout JSONText) -> Void) { enclosed(0x5B, 0x5D, body) }

    /// Writes the name of a member. Its value follows.
    mutating func name(_ name: StaticString) {
        comma()
        bytes.append(0x22)
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(0x22)
        bytes.append(0x3A)
        needsComma = false
    }

    mutating func value(_ text: String) {
        comma()
        bytes.append(0x22)
        for byte in text.utf8 { append(escaped: byte) }
        bytes.append(0x22)
    }

    mutating func value(_ number: Int) { raw(String(number).utf8) }

    /// Writes a number with at most three decimal places; null if it is not finite.
    mutating func value(_ number: Double) {
        guard number.isFinite, abs(number) < 0x1p52 else { return raw("null".utf8) }
        let rounded = (number * 1000).rounded() / 1000
        raw((Double(Int(rounded)) == rounded ? String(Int(rounded)) : String(rounded)).utf8)
    }

    mutating func value(_ flag: Bool) { raw((flag ? "true" : "false").utf8) }

    /// Writes bytes that are JSON already.
    mutating func raw(_ json: some Collection<UInt8>) {
        comma()
        bytes.append(contentsOf: json)
    }

    /// Writes a member with a text, unless it is nil.
    mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        value(text)
    }

    /// Writes a member with an integer, unless it is nil.
    mutating func member(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    /// Writes a member with a number, unless it is nil.
    mutating func member(_ name: StaticString, _ number: Double?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    /// Writes a member with a Boolean value if it is true.
    mutating func member(_ name: StaticString, ifTrue flag: Bool) {
        guard flag else { return }
        self.name(name)
        value(true)
    }

    /// Writes a member with an array, unless it is empty.
    mutating func member<Element>(
        _ name: StaticString, _ elements: some Collection<Element>, _ write: (Element, inout JSONText) -> Void
    ) {
        guard !elements.isEmpty else { return }
        self.name(name)
        array { text in for element in elements { write(element, &text) } }
    }

    private mutating func enclosed(_ open: UInt8, _ close: UInt8, _ body: (inout JSONText) -> Void) {
        comma()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
        case 0..<0x20:
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
        default: bytes.append(byte)
        }
    }
}
