import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §5.1: Age", .timeLimit(.test))
struct AgeFieldTests {
    @Test(
        arguments: [
            ("0", 0), ("7200", 7200), ("007", 7), (" 7\t", 7), ("2147483648", 1 << 31), ("2147483649", 1 << 31),
            ("99999999999999999999999999", 1 << 31), ("7200, 0", 7200), ("0, 7200", 0), ("0,x", 0), ("5,", 5),
            ("5 , x", 5), (nil, nil), ("", nil), (" ", nil), ("-1", nil), ("-7200", nil), ("+1", nil), ("7200.0", nil),
            ("abc", nil), ("a7200", nil), ("7200a", nil), ("7200;x=1", nil), ("7200 1", nil), ("\"7200\"", nil),
            (", 5", nil), ("x, 5", nil), ("-1, 5", nil), ("1e3", nil), ("٥", nil), ("1\u{0}", nil),
        ] as [(String?, UInt32?)])
    func `The first member counts, and other text is ignored`(value: String?, seconds: UInt32?) {
        #expect(AgeField.seconds(value) == seconds)
    }
}
