import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §4.1: Vary", .timeLimit(.test))
struct VaryFieldTests {
    @Test(
        arguments: [
            (nil, []), ("", []), (" , ,", []), ("accept", ["accept"]), ("Accept", ["accept"]),
            ("Foo, bar ,BAZ", ["bar", "baz", "foo"]), ("a,A,a", ["a"]), (",a,,b,", ["a", "b"]),
            ("*", nil), ("a, *", nil), ("*, a", nil), ("* ", nil), ("a b", nil), ("\"a\"", nil), ("a;b", nil),
            ("a, b c", nil), ("ü", nil), ("a,\u{0}", nil), ("**", ["**"]),
        ] as [(String?, [String]?)])
    func `The names are read, and other text selects nothing`(value: String?, names: [String]?) {
        #expect(VaryField(value).isAny == (names == nil))
        #expect(VaryField(value).names == names ?? [])
    }

    @Test func `Too many and too long names select nothing`() {
        let names = (0..<VaryField.nameLimit).map { "n\($0)" }
        #expect(VaryField(names.joined(separator: ",")).names.count == VaryField.nameLimit)
        #expect(VaryField(names.joined(separator: ",") + ", N0").names.count == VaryField.nameLimit)
        #expect(VaryField(names.joined(separator: ",") + ",more").isAny)
        let longest = String(repeating: "x", count: VaryField.nameLengthLimit)
        #expect(VaryField(longest).names == [longest])
        #expect(VaryField(longest + "x").isAny)
    }

    @Test(
        arguments: [
            ("a", ["a": "1"], ["a": "1"], true), ("a", ["a": "1"], ["a": "2"], false), ("a", [:], [:], true),
            ("a", ["a": "1"], [:], false), ("a", [:], ["a": "1"], false), ("a", ["a": ""], [:], false),
            ("A", ["a": "1", "b": "2"], ["a": "1", "b": "3"], true), ("a, b", ["a": "1"], ["a": "1"], true),
            ("a, b", ["a": "1", "b": "2"], ["a": "1", "b": "3"], false), ("*", [:], [:], false),
            ("", ["a": "1"], [:], true),
            ("a", ["a": "1, 2"], ["a": "1,2"], true), ("a", ["a": " 1 ,\t2 "], ["a": "1,2"], true),
            ("a", ["a": "1, 2"], ["a": "2, 1"], false), ("a", ["a": "x y"], ["a": "xy"], false),
            ("a", ["a": "X"], ["a": "x"], false), ("a", ["a": "\"1, 2\""], ["a": "\"1,2\""], false),
            ("a", ["a": "1,,2,"], ["a": "1, 2"], true), ("a", ["a": "1; q=1"], ["a": "1;q=1"], false),
            ("a", ["a": "\"\\\", 2\""], ["a": "\"\\\",2\""], false), ("a", ["a": "\", "], ["a": "\","], false),
            ("accept-language", ["accept-language": "en, DE;q=0.5"], ["accept-language": "EN,de ; q=0.5"], true),
            ("accept-language", ["accept-language": "en, de"], ["accept-language": "de, en"], false),
            ("accept", ["accept": "text/x; a=\"B\""], ["accept": "text/x;a=\"b\""], false),
        ] as [(String, [String: String], [String: String], Bool)])
    func `Requests match if their selecting fields have the same meaning`(
        vary: String, stored: [String: String], new: [String: String], isMatch: Bool
    ) {
        let field = VaryField(vary)
        #expect(field.matches(stored: stored, new: new) == isMatch)
        #expect(field.matches(stored: new, new: stored) == isMatch)
        #expect(field.matches(stored: field.selectingFields(of: stored), new: new) == isMatch)
    }

    @Test func `A message with repeated fields matches one with a list`() {
        var fields = HeaderBytes()
        fields.append("Foo".utf8, "1".utf8)
        fields.append("foo".utf8, "2".utf8)
        #expect(VaryField("foo").matches(stored: fields, new: ["foo": "1,2"]))
    }

    @Test(arguments: [" a , b ", "a,,b", "\"x", "\"\\", "a;b ; c", ",", "", "\t", "\"a\" , \"b\"", "A, B"])
    func `Normalised text does not change`(value: String) {
        for name in ["accept", "foo"] {
            let normalized = VaryField.normalized(value, of: name)
            #expect(VaryField.normalized(normalized, of: name) == normalized)
        }
    }
}
