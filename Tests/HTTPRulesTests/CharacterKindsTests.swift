import HTTPRules
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct CharacterKindsTests {
    private func all(_ isOfKind: (UInt8) -> Bool) -> String {
        String(decoding: (0...UInt8.max).filter(isOfKind), as: UTF8.self)
    }

    @Test func `Digits and letters are those of ASCII`() {
        #expect(all(\.isASCIIDigit) == "0123456789")
        #expect(
            all(\.isASCIIAlphanumeric) == "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    }

    @Test func `Tokens have letters, digits and fifteen signs`() {
        #expect(
            all(\.isTokenCharacter)
                == "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~")
    }

    @Test func `Values of fields have everything but control characters, and the tab`() {
        let refused = (0...UInt8.max).filter { !$0.isFieldCharacter }
        #expect(refused == Array(0x00...0x08) + Array(0x0A...0x1F) + [0x7F])
    }
}
