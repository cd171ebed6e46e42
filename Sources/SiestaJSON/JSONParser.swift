import HTTPRules

/// A parser of JSON texts (RFC 8259) that keeps numbers exactly. Foundation's parsers convert each number to `Double`
/// or `Decimal`, and do not tell which digits they drop.
///
/// It reads each byte a constant number of times. Its recursion is bounded by the depth.
struct JSONParser {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var depth = 0

    init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// Reads the whole text as one value.
    mutating func document() throws -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try value()
        guard next() == nil else { throw failure(.unexpectedByte) }
        return value
    }

    private mutating func value() throws -> JSONValue {
        switch next() {
        case UInt8(ascii: "{"): return .object(try nested { try $0.members() })
        case UInt8(ascii: "["): return .array(try nested { try $0.elements() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where Self.isPartOfNumber(byte): return .number(try number())
        default: throw unexpected()
        }
    }

    /// Reads an array or an object, whose first byte is not yet consumed.
    private mutating func nested<Parts>(_ read: (inout JSONParser) throws -> Parts) throws -> Parts {
        guard depth < maximumDepth else { throw failure(.tooDeep) }
        depth += 1
        position += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    private mutating func elements() throws -> [JSONValue] {
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return elements }
        repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw unexpected() }
        return elements
    }

    private mutating func members() throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            guard next() == UInt8(ascii: "\"") else { throw unexpected() }
            let start = position
            let name = try string()
            guard StreamSafety.allows(name) else {
                throw JSONValue.SyntaxError(reason: .tooManyMarks, offset: start)
            }
            guard take(UInt8(ascii: ":")) else { throw unexpected() }
            members[name] = try value()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw unexpected() }
        return members
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard peek() == word.utf8Start[offset] else { throw unexpected() }
            position += 1
        }
        return value
    }

    private mutating func number() throws -> JSONValue.Number {
        let start = position
        while let byte = peek(), Self.isPartOfNumber(byte) { position += 1 }
        guard let number = JSONValue.Number(spelling: bytes[start..<position]) else {
            throw JSONValue.SyntaxError(reason: .invalidNumber, offset: start)
        }
        return number
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

extension JSONParser {
    /// Reads a string, whose quotation mark is not yet consumed.
    private mutating func string() throws -> String {
        position += 1
        var run = position
        var text: [UInt8] = []
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return try validated(text.isEmpty ? bytes[run..<position] : text[...] + bytes[run..<position])
            case UInt8(ascii: "\\"):
                text += bytes[run..<position]
                text += try escaped().utf8
                run = position
            case ..<0x20: throw failure(.invalidString)
            default: position += 1
            }
        }
        throw failure(.unexpectedEnd)
    }

    private func validated(_ text: ArraySlice<UInt8>) throws -> String {
        guard let text = String(validating: text, as: UTF8.self) else { throw failure(.invalidString) }
        return text
    }

    /// Reads an escape sequence, of which nothing is consumed.
    private mutating func escaped() throws -> String {
        position += 1
        guard let kind = peek() else { throw failure(.unexpectedEnd) }
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(UnicodeScalar(kind))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return String(try scalar())
        default: throw failure(.invalidString)
        }
    }

    /// Reads the digits after `\u`, and the second half of a surrogate pair.
    private mutating func scalar() throws -> UnicodeScalar {
        let first = try codeUnit()
        if let scalar = UnicodeScalar(first) { return scalar }
        guard first < 0xDC00, peek() == UInt8(ascii: "\\") else { throw failure(.invalidString) }
        position += 1
        guard peek() == UInt8(ascii: "u") else { throw failure(.invalidString) }
        position += 1
        let second = try codeUnit()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure(.invalidString) }
        return scalar
    }

    private mutating func codeUnit() throws -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek() else { throw failure(.unexpectedEnd) }
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { throw failure(.invalidString) }
            unit = unit << 4 + UInt32(digit)
            position += 1
        }
        return unit
    }
}

extension JSONParser {
    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips white space and returns the next byte without consuming it.
    private mutating func next() -> UInt8? {
        while let byte = peek() {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    private func unexpected() -> JSONValue.SyntaxError { failure(peek() == nil ? .unexpectedEnd : .unexpectedByte) }

    private func failure(_ reason: JSONValue.SyntaxError.Reason) -> JSONValue.SyntaxError {
        JSONValue.SyntaxError(reason: reason, offset: position)
    }
}
