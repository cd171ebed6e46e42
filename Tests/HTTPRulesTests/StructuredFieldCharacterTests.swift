import TestKit
import Testing

@testable import HTTPRules

/// Every ASCII character at every place of a Structured Field, and every number of digits (RFC 9651 §3 and §4).
@Suite(.timeLimit(.test))
struct StructuredFieldCharacterTests {
    private typealias Bare = StructuredField.BareItem

    private static let letters = "abcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"
    /// The characters of a token after the first (RFC 9110 §5.6.2, RFC 9651 §3.3.4).
    private static let token = "!#$%&'*+-.^_`|~:/" + digits + letters + letters.uppercased()

    /// All characters that a field could contain as bytes of one character.
    private static let characters = (0...0x7F).map { Character(UnicodeScalar(UInt8($0))) } + ["\u{80}", "ü", "\u{FF}"]

    /// Returns the item whose value is `text`, or which contains it as a parameter or a member.
    private func isItem(_ text: String, _ value: Bare?) -> Bool {
        let item = value.map { StructuredField.Item($0) }
        let other = StructuredField.Item(.integer(1))
        return StructuredField.item(text) == item
            && StructuredField.item("a;p=\(text)") == value.map { .init(.token("a"), ["p": $0]) }
            && StructuredField.list("1, \(text) ,1") == item.map { [.item(other), .item($0), .item(other)] }
            && StructuredField.list("(1 \(text) 1)") == item.map { [.innerList(.init([other, $0, other]))] }
            && StructuredField.dictionary("a=\(text),b=1") == item.map { ["a": .item($0), "b": .item(other)] }
    }

    @Test func `Strings contain printable ASCII characters, and escape two of them`() {
        for character in Self.characters {
            let isPrintable = character.utf8.count == 1 && 0x20..<0x7F ~= character.asciiValue ?? 0
            let isPlain = isPrintable && character != "\"" && character != "\\"
            let text = "x\(character)y"
            #expect(isItem("\"\(text)\"", isPlain ? .string(text) : nil), "\(text)")
            let isEscaped = character == "\"" || character == "\\"
            #expect(isItem("\"x\\\(character)y\"", isEscaped ? .string(text) : nil), "\(text)")
            let serialized = StructuredField.text(of: .init(.string(text)))
            #expect(serialized == (isPrintable ? "\"x\(isEscaped ? "\\" : "")\(character)y\"" : nil))
        }
    }

    @Test func `Tokens begin with a letter or a star, and contain colons and slashes`() {
        for character in Self.characters {
            let isFirst = (Self.letters + Self.letters.uppercased() + "*").contains(character)
            let isPart = Self.token.contains(character)
            #expect((StructuredField.item("\(character)b") == .init(.token("\(character)b"))) == isFirst)
            #expect((StructuredField.text(of: .init(.token("\(character)b"))) != nil) == isFirst)
            #expect((StructuredField.text(of: .init(.token("a\(character)"))) != nil) == isPart)
            #expect((StructuredField.item("a\(character)b") == .init(.token("a\(character)b"))) == isPart)
        }
    }

    @Test func `Keys begin with a small letter or a star`() {
        for character in Self.characters {
            let isFirst = (Self.letters + "*").contains(character)
            let isPart = (Self.letters + Self.digits + "*_-.").contains(character)
            for (key, isKey) in [("\(character)", isFirst), ("a\(character)", isPart)] {
                let member = StructuredField.Member.item(.init(.integer(1)))
                #expect((StructuredField.dictionary("\(key)=1") == [key: member]) == isKey, "\(key)")
                #expect((StructuredField.item("a;\(key)=1")?.parameters == [key: .integer(1)]) == isKey)
                #expect(StructuredField.text(of: [key: member]) == (isKey ? "\(key)=1" : nil))
                let item = StructuredField.Item(.token("a"), [key: .integer(1)])
                #expect(StructuredField.text(of: item) == (isKey ? "a;\(key)=1" : nil))
            }
        }
    }

    @Test func `Byte sequences contain digits of Base64 only`() {
        for character in Self.characters where character != "=" {
            let isDigit = (Self.letters + Self.letters.uppercased() + Self.digits + "+/").contains(character)
            #expect((StructuredField.item(":A\(character)AA:") != nil) == isDigit, "\(character)")
        }
        for byte in UInt8.min...UInt8.max {
            let value = Bare.byteSequence([byte, ~byte])
            #expect(StructuredField.text(of: .init(value)).map { isItem($0, value) } == true)
        }
    }

    @Test func `Display strings escape all other characters, in lower case`() {
        for character in Self.characters {
            let isPrintable = character.utf8.count == 1 && 0x20..<0x7F ~= character.asciiValue ?? 0
            let isPlain = isPrintable && character != "\"" && character != "%"
            let text = "x\(character)y"
            #expect(isItem("%\"\(text)\"", isPlain ? .displayString(text) : nil), "\(text)")
            let serialized = StructuredField.text(of: .init(.displayString(text)))
            #expect(serialized.map { isItem($0, .displayString(text)) } == true)
            #expect(serialized?.contains("%\"x%") == !isPlain)
            let isHexadecimal = "0123456789abcdef".contains(character)
            #expect((StructuredField.item("%\"%4\(character)\"") != nil) == isHexadecimal)
            #expect((StructuredField.item("%\"%\(character)1\"") != nil) == "01234567".contains(character))
        }
    }

    @Test(arguments: [
        "%c3", "%c3%", "%c3%2", "%c0%80", "%ed%a0%80", "%f4%90%80%80", "%f8%88%80%80%80", "%80", "%e2%82",
    ])
    func `A display string that is not UTF-8 is invalid`(_ escapes: String) {
        #expect(isItem("%\"\(escapes)\"", nil))
    }

    @Test func `Numbers have up to 15 digits, decimals up to 12 and 3`() {
        for sign in ["", "-"] {
            for whole in 1...20 {
                let text = sign + String(repeating: "9", count: whole)
                #expect(isItem(text, whole <= 15 ? Int(text).map { .integer($0) } : nil), "\(text)")
                #expect(isItem("@" + text, whole <= 15 ? Int(text).map { .date($0) } : nil), "\(text)")
                for fraction in 0...5 {
                    let digits = String(repeating: "8", count: fraction)
                    let padded = digits + String(repeating: "0", count: max(0, 3 - fraction))
                    let isLegal = whole <= 12 && 1...3 ~= fraction
                    let value = isLegal ? Int(text + padded).map { Bare.decimal(thousandths: $0) } : nil
                    #expect(isItem("\(text).\(digits)", value), "\(text).\(digits)")
                    #expect(isItem("@\(text).\(digits)", nil))
                    if let value { #expect(StructuredField.text(of: .init(value)) == "\(text).\(digits)") }
                }
            }
        }
    }

    @Test(arguments: [
        ("a=1,b=2,a=3;x", "a=3;x, b=2"), ("a;x=1;y;x=2", "a;x=2;y"), ("a=(1);x;x=?0", "a=(1);x=?0"),
    ])
    func `Of equal keys, the last value has the place of the first`(_ text: String, _ serialized: String) {
        let dictionary = StructuredField.dictionary(text)
        #expect(dictionary.flatMap { StructuredField.text(of: $0) } == serialized)
    }

    @Test(
        arguments: [
            (" a", true), ("\ta", false), ("a ", true), ("a, \t b", true), ("a\t,b", true), ("a;\tb", false),
            ("a; b", true), ("a ;b", false), ("a;b =1", false), ("a;b= 1", false), ("( a )", true), ("(\ta)", false),
            ("(a\t)", false), ("(a) ;b", false), ("(a b)", true), ("(a  b)", true), ("\na", false), ("a,\nb", false),
        ] as [(String, Bool)])
    func `Tabs stand only around commas, and spaces only where the syntax allows them`(_ text: String, _ isList: Bool) {
        #expect((StructuredField.list(text) != nil) == isList)
        if isList, !text.contains("(") { #expect(StructuredField.dictionary(text) != nil) }
    }

    @Test func `Lists, inner lists, parameters and dictionaries have many members`() {
        let items = (0..<1024).map { "a\($0)" }
        #expect(StructuredField.list(items.joined(separator: ","))?.count == 1024)
        #expect(StructuredField.dictionary(items.joined(separator: ","))?.keys == items)
        let inner = StructuredField.list("(\(items.prefix(256).joined(separator: " ")))")
        guard case .innerList(let list)? = inner?.first else {
            Issue.record("not an inner list")
            return
        }
        #expect(list.items.count == 256)
        #expect(StructuredField.item("x;" + items.prefix(256).joined(separator: ";"))?.parameters.keys.count == 256)
        let key = String(repeating: "k", count: 64)
        #expect(StructuredField.dictionary(key)?.keys == [key])
        let text = String(repeating: "s", count: 1024)
        #expect(isItem("\"\(text)\"", .string(text)))
        #expect(isItem(text, .token(text)))
    }
}
