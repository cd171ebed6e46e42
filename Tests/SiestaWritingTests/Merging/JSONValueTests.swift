import Foundation
import SiestaCore
import TestKit
import Testing

@testable import SiestaJSON
@testable import SiestaWriting

@Suite(.timeLimit(.test))
struct JSONValueTests {
    @Test(arguments: [
        ("1", "1"), ("1.0", "1"), ("1e0", "1"), ("10e-1", "1"), ("-0", "0"), ("-0.0e5", "0"),
        ("0e999999999999999", "0"),
        ("100", "100"), ("1e2", "100"), ("0.1", "0.1"), ("1e-7", "0.0000001"), ("1e-8", "1e-8"), ("-12.50", "-12.5"),
        ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("18446744073709551615", "18446744073709551615"), ("1e400", "1e400"), ("1.25E+400", "1.25e400"),
        ("123456789012345678901234567890123456789012345", "1.23456789012345678901234567890123456789012345e44"),
        ("0.12345678901234567890123456789012345678901234", "0.12345678901234567890123456789012345678901234"),
        ("12e1000000000", "1.2e1000000001"),
    ])
    func `A number has one spelling, with all its digits`(source: String, spelling: String) throws {
        let value = try JSONValue(parsing: Data(source.utf8))
        #expect(value.description == spelling)
        #expect(try JSONValue(parsing: value.data) == value)
    }

    @Test(arguments: ["12.5", #""abc""#, #""\\\"\u0001""#, #"{"a\"b": 1}"#, "[]", "{}"])
    func `The length counts escapes`(text: String) throws {
        let value = try JSONValue(parsing: Data(text.utf8))
        // A comma is counted for each element.
        #expect((value.data.count...value.data.count + 1).contains(value.length))
    }

    @Test func `Numbers are equal if their values are`() throws {
        let numbers = try JSONValue(parsing: Data("[1, 1.0, 1e0, 0.1e1, 10E-1]".utf8))
        #expect(Set(try #require(numbers.elements)).count == 1)
        #expect(JSONValue.Number(1.0) == JSONValue.Number(Int64(1)))
        #expect(JSONValue.Number(UInt64(1)) == JSONValue.Number(Int64(1)))
        #expect(JSONValue.Number(.infinity) == nil)
        #expect(JSONValue.Number(.nan) == nil)
        let difference = try JSONValue(parsing: Data("[9007199254740992, 9007199254740993]".utf8)).elements
        #expect(Set(difference ?? []).count == 2)
    }

    @Test func `A number converts to the types of Swift`() throws {
        let large = try #require(JSONValue.Number(text: "18446744073709551615"))
        #expect(large.uint64 == .max)
        #expect(large.int64 == nil)
        #expect(large.double == 18446744073709551615.0)
        #expect(JSONValue.Number(Int64(-1)).uint64 == nil)
        #expect(JSONValue.Number(text: "1e400")?.double == .infinity)
        #expect(JSONValue.Number(text: "0.5")?.int64 == nil)
    }

    @Test(arguments: [
        "01", "-", "+1", "1.", ".5", "1e", "1e+", "--1", "1.2.3", "1e5000000000", "0x10", "NaN", "1 2",
        "", " ", "[", "[1", "[1,", "[1,]", "[,1]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{1:1}",
        "]", "nul", "nulll", "truE", "tru", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\t\"", "'a'", "[1}", "// a", "\u{a0}1",
    ])
    func `A text that is not JSON throws`(text: String) {
        #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: Data(text.utf8)) }
    }

    @Test func `An error names its reason and its place`() {
        func error(_ text: String) -> JSONValue.SyntaxError? {
            #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: Data(text.utf8)) }
        }
        #expect(error("[1, x]") == .init(reason: .unexpectedByte, offset: 4))
        #expect(error("[1, 02]") == .init(reason: .invalidNumber, offset: 4))
        #expect(error("[1") == .init(reason: .unexpectedEnd, offset: 2))
        #expect(error("\"\u{1}\"") == .init(reason: .invalidString, offset: 1))
    }

    @Test(arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
    func `Invalid UTF-8 throws`(bytes: [UInt8]) {
        #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: Data(bytes)) }
    }

    @Test(arguments: [
        (#""\u0041\ud83d\ude00\n\/\\\"é""#, "A😀\n/\\\"é"), (#""\b\f\r\t\u0000""#, "\u{8}\u{C}\r\t\0"), (#""""#, ""),
    ])
    func `A string is unescaped`(source: String, text: String) throws {
        let value = try JSONValue(parsing: Data(source.utf8))
        #expect(value == .string(text))
        #expect(try JSONDecoder().decode(String.self, from: value.data) == text)
        #expect(try JSONValue(parsing: value.data) == value)
    }

    @Test func `White space and a byte order mark are ignored`() throws {
        let value = try JSONValue(parsing: Data("\u{FEFF} {\r\n\t\"a\" : [ ] , \"b\":{ } } ".utf8))
        #expect(value == ["a": [], "b": [:]])
    }

    @Test func `The last member of a name counts`() throws {
        #expect(try JSONValue(parsing: Data(#"{"a":1,"a":2}"#.utf8)) == ["a": 2])
    }

    @Test func `Members are written in the order of their names`() {
        let value: JSONValue = ["b": [1, true, .null], "a": ["d": "x\u{1F}", "c": .number(.init(text: "2.5")!)]]
        #expect(value.description == #"{"a":{"c":2.5,"d":"x\u001f"},"b":[1,true,null]}"#)
    }

    @Test func `Values of the maximum depth are read, and deeper ones throw`() throws {
        func nested(_ depth: Int) -> Data {
            Data(
                (String(repeating: "[{\"a\":", count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)).utf8
            )
        }
        #expect(try JSONValue(parsing: nested(JSONValue.maximumDepth)).depth == JSONValue.maximumDepth)
        let error = #expect(throws: JSONValue.SyntaxError.self) {
            try JSONValue(parsing: nested(JSONValue.maximumDepth + 2))
        }
        #expect(error?.reason == .tooDeep)
        #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: nested(100_000)) }
        #expect(throws: JSONValue.SyntaxError.self) {
            try JSONValue(parsing: Data(String(repeating: "[", count: 100_000).utf8))
        }
    }

    @Test func `A member is read and set`() {
        var value: JSONValue = ["a": 1]
        value["b"] = 2
        value["a"] = nil
        #expect(value == ["b": 2])
        #expect(value["a"] == nil)
        #expect(JSONValue.bool(true).bool == true)
        #expect(value["b"]?.number == .init(Int64(2)))
        #expect(value.bool == nil)
        var number: JSONValue = 1
        number["a"] = 1
        #expect(number == 1)
    }
}
