import TestKit
import Testing

@testable import HTTPRules

/// Structured Fields (RFC 9651). The examples have the forms of those in the RFC.
@Suite(.timeLimit(.test))
struct StructuredFieldTests {
    private typealias Bare = StructuredField.BareItem

    @Test(
        arguments: [
            ("42", .integer(42)), ("-0", .integer(0)), ("00", .integer(0)),
            ("999999999999999", .integer(999_999_999_999_999)),
            ("-999999999999999", .integer(-999_999_999_999_999)), ("4.5", .decimal(thousandths: 4500)),
            ("-0.5", .decimal(thousandths: -500)), ("1.0", .decimal(thousandths: 1000)),
            ("0.001", .decimal(thousandths: 1)),
            ("999999999999.999", .decimal(thousandths: 999_999_999_999_999)),
            ("\"hello world\"", .string("hello world")),
            (#""a \"b\" \\c""#, .string(#"a "b" \c"#)), ("\"\"", .string("")), ("foo123/456", .token("foo123/456")),
            ("*a:b!#$%&'*+-.^_`|~", .token("*a:b!#$%&'*+-.^_`|~")), ("A", .token("A")), ("?1", .boolean(true)),
            ("?0", .boolean(false)), (":aGk=:", .byteSequence([0x68, 0x69])), ("::", .byteSequence([])),
            (":AQID:", .byteSequence([1, 2, 3])), ("@1659578233", .date(1_659_578_233)), ("@-1", .date(-1)),
            (
                #"%"This is intended for display to %c3%bcsers.""#,
                .displayString("This is intended for display to üsers.")
            ),
            (#"%"%22%25 %e2%82%ac""#, .displayString("\"% €")), (#"%"""#, .displayString("")),
        ] as [(String, StructuredField.BareItem)])
    func `Items of all types are parsed, and serialized to an equal value`(
        _ text: String, _ value: StructuredField.BareItem
    ) throws {
        for spaced in [text, "  \(text) "] { #expect(StructuredField.item(spaced) == .init(value)) }
        let serialized = try #require(StructuredField.text(of: .init(value)))
        #expect(StructuredField.item(serialized) == .init(value))
        if !["-0", "00"].contains(text) { #expect(serialized == text) }
    }

    @Test(arguments: [
        "", " ", "1,2", "1 2", "\t1", "1\t", "1000000000000000", "-", "--1", "+1", "1.", ".5", "1.2345",
        "1234567890123.0",
        "1e5", "- 1", "\"a", "\"a\\b\"", "\"ü\"", "\"\u{7F}\"", "'a'", "?", "?2", "?true", ":aGk=", ":a:", ":a=b=:",
        ":aGk==:",
        ":aG k:", ":====:", "@", "@1.5", "@x", "%", "%\"", "%\"a", "%\"%C3%BC\"", "%\"%c3\"", "%\"%ff\"", "%\"%zz\"",
        "%\"ü\"", "%a", "(1)", "a;", "a;A", "a;1", "a;b=", "a;b=(1)", "a; \tb", "a ;b", "é", "a,", "{}", "[1]", "_a",
        "/a",
    ])
    func `A text that is not an item is invalid`(_ text: String) {
        #expect(StructuredField.item(text) == nil)
    }

    @Test func `Byte sequences may lack padding and have other bits at the end`() {
        #expect(StructuredField.item(":aGk:") == .init(.byteSequence([0x68, 0x69])))
        #expect(StructuredField.item(":aGl=:") == .init(.byteSequence([0x68, 0x69])))
        for count in 0...9 {
            let bytes = (0..<count).map { UInt8(251 - $0 * 17) }
            let text = StructuredField.text(of: .init(.byteSequence(bytes)))
            #expect(text.flatMap { StructuredField.item($0) } == .init(.byteSequence(bytes)))
        }
    }

    @Test(
        arguments: [
            ("", []), ("  ", []), ("sugar, tea, rum", ["sugar", "tea", "rum"]), ("a ,\tb,c", ["a", "b", "c"]),
            ("\"x\";a;b=?0;a=2", ["\"x\";a=2;b=?0"]), ("a; b= 1", nil),
            (
                "abc;a=1;b=2; c_3, (a \"b\");d",
                ["abc;a=1;b=2;c_3", "(a \"b\");d"]
            ),
            (
                "(\"foo\" \"bar\"), (\"baz\"), (\"bat\" \"one\"), ()",
                ["(\"foo\" \"bar\")", "(\"baz\")", "(\"bat\" \"one\")", "()"]
            ), ("( a;x  b )", ["(a;x b)"]),
            ("(a,b)", nil), ("(a", nil), ("((a))", nil), ("(a\tb)", nil), ("(a\"b\")", nil), ("a,", nil), (",a", nil),
            ("a,,b", nil),
            ("a b", nil), ("a,\t", nil), ("a\t", ["a"]), ("a;q=1.0, b;q=0.5", ["a;q=1.0", "b;q=0.5"]),
        ] as [(String, [String]?)])
    func `Lists have items and inner lists with parameters`(_ text: String, _ members: [String]?) {
        let list = StructuredField.list(text)
        #expect(list?.map { StructuredField.text(of: [$0]) } == members)
        if let list, !list.isEmpty {
            let serialized = StructuredField.text(of: list)
            #expect(serialized == members?.joined(separator: ", "))
            #expect(serialized.flatMap { StructuredField.list($0) } == list)
        }
    }

    @Test(
        arguments: [
            ("", ""), ("en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:", "en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:"),
            ("a=?0, b, c; foo=bar", "a=?0, b, c;foo=bar"),
            ("rating=1.5, feelings=(joy sadness)", "rating=1.5, feelings=(joy sadness)"),
            ("a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid", "a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid"),
            ("a=?1;x, b=?1", "a;x, b"), ("a=1, b=2, a=3", "a=3, b=2"), ("*a.b-c_1=1", "*a.b-c_1=1"), ("A=1", nil),
            ("1=1", nil),
            ("a =1", nil), ("a= 1", nil), ("a=", nil), ("a=1,", nil), ("a=1 b=2", nil), ("=1", nil), ("\"a\"=1", nil),
        ] as [(String, String?)])
    func `Dictionaries have members in order, and the last of equal keys counts`(_ text: String, _ serialized: String?)
    {
        let dictionary = StructuredField.dictionary(text)
        #expect(dictionary.map { StructuredField.text(of: $0) ?? "" } == serialized)
    }

    @Test(
        arguments: [
            .integer(1_000_000_000_000_000), .integer(.min), .decimal(thousandths: 1_000_000_000_000_000), .date(.max),
            .string("ü"), .string("\n"), .string("\u{7F}"), .token(""), .token("1a"), .token("a b"), .token("ü"),
        ] as [StructuredField.BareItem])
    func `A value that is not allowed is not serialized`(_ value: StructuredField.BareItem) {
        #expect(StructuredField.text(of: .init(value)) == nil)
        #expect(StructuredField.text(of: .init(.token("a"), ["b": value])) == nil)
        #expect(StructuredField.text(of: [.item(.init(.token("a"))), .innerList(.init([.init(value)]))]) == nil)
        #expect(StructuredField.text(of: ["a": .item(.init(value))] as StructuredField.Dictionary) == nil)
    }

    @Test(arguments: ["", "A", "1a", "_a", "-a", "ü", "a b"])
    func `A key that is not allowed is not serialized`(_ key: String) {
        #expect(StructuredField.text(of: .init(.token("a"), [key: .boolean(true)])) == nil)
        #expect(StructuredField.text(of: [key: .item(.init(.integer(1)))] as StructuredField.Dictionary) == nil)
    }

    @Test(
        arguments: [
            (1.0005, 1000), (1.0015, 1002), (-1.5, -1500), (0.0004, 0), (999_999_999_999.999, 999_999_999_999_999),
            (1e12, nil), (.nan, nil), (.infinity, nil),
        ] as [(Double, Int?)])
    func `Decimals are rounded to the even digit`(_ number: Double, _ thousandths: Int?) {
        #expect(StructuredField.BareItem.decimal(number) == thousandths.map { .decimal(thousandths: $0) })
    }

    @Test func `Keys keep their order when values change`() {
        var parameters: StructuredField.Parameters = ["b": .integer(1), "a": .integer(2)]
        parameters["b"] = .integer(3)
        #expect(parameters.keys == ["b", "a"])
        parameters["b"] = nil
        parameters["c"] = nil
        #expect(parameters.keys == ["a"])
        #expect(StructuredField.BareItem.decimal(thousandths: 1500).number == 1.5)
        #expect(
            [Bare.string("a").text, Bare.token("b").text, Bare.displayString("c").text, Bare.date(1).text] == [
                "a", "b", "c", nil,
            ])
    }

    @Test func `The minimum sizes of the standard are supported, and larger fields are invalid`() {
        let list = (0..<1024).map { "k\($0)=\"\(String(repeating: "x", count: 100))\"" }.joined(separator: ", ")
        #expect(StructuredField.dictionary(list)?.keys.count == 1024)
        let bytes = [UInt8](repeating: 7, count: 16_384)
        let text = StructuredField.text(of: .init(.byteSequence(bytes))) ?? ""
        #expect(StructuredField.item(text) == .init(.byteSequence(bytes)))
        #expect(StructuredField.list(String(repeating: "a,", count: 1 << 17) + "a") == nil)
        #expect(StructuredField.item("abcd", limit: 3) == nil)
    }
}
