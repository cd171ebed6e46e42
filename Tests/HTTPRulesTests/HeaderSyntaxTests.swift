import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct HeaderSyntaxTests {
    @Test func `No control character but a tab may stand in a value, wherever it stands`() {
        for code in (0x00 as UInt8)...0x7F {
            let character = Character(Unicode.Scalar(code))
            let isAllowed = code == 0x09 || 0x20...0x7E ~= code
            for value in ["\(character)", "a\(character)", "\(character)b", "a\(character)b"] {
                #expect(HeaderSyntax.isValue(value) == isAllowed, "\(code)")
            }
        }
        #expect(!HeaderSyntax.isValue("a\r\nEvil: 1"))
        #expect(HeaderSyntax.isValue(""))
    }

    @Test(arguments: ["ä", "a→b", "\u{80}", "日本", "👩‍👩‍👧", "e\u{301}"])
    func `Characters beyond ASCII may stand in a value`(_ value: String) {
        #expect(HeaderSyntax.isValue(value))
        #expect(!HeaderSyntax.isValue(value + "\r"))
        #expect(!HeaderSyntax.isValue("\n" + value))
        #expect(!HeaderSyntax.isName(value))
    }

    @Test func `A name has letters, digits and the marks of a token, and nothing else`() {
        let marks = "!#$%&'*+-.^_`|~"
        for code in (0x00 as UInt8)...0x7F {
            let character = Character(Unicode.Scalar(code))
            let isAllowed = character.isASCII && (character.isLetter || character.isNumber) || marks.contains(character)
            #expect(HeaderSyntax.isName("\(character)") == isAllowed, "\(code)")
            #expect(HeaderSyntax.isName("X\(character)Y") == isAllowed, "\(code)")
        }
        #expect(!HeaderSyntax.isName(""))
    }
}
