import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct MediaTypeTests {
    @Test(arguments: [
        ("text/plain", "text/plain"),
        ("text/plain; charset=utf-8", "text/plain"),
        ("  Text/Plain\t;x", "text/plain"),
        (";charset=utf-8", ""),
        ("", ""),
        (" \t ", ""),
    ])
    func `The essence is what stands before the parameters`(contentType: String, essence: String) {
        #expect(MediaType.essence(of: contentType) == essence)
    }

    @Test(arguments: [
        ("a/b; name=value", "value"),
        ("a/b;name=value", "value"),
        ("a/b ; NAME = value ", "value"),
        ("a/b; name=\"quoted value\"", "quoted value"),
        ("a/b; name=\"semi;colon\"; other=1", "semi;colon"),
        (#"a/b; name="say \"hi\"""#, #"say "hi""#),
        (#"a/b; name="back\\slash""#, #"back\slash"#),
        (#"a/b; other="\\"; name=value"#, "value"),
        ("a/b; name=first; name=second", "first"),
        ("a/b; name=", ""),
        ("a/b; name=a=b", "a=b"),
        ("a/b; name=\"unclosed", "\"unclosed"),
        ("a/b; name=\"", "\""),
    ])
    func `A parameter is read without its quotes`(contentType: String, value: String) {
        #expect(MediaType.parameter("name", of: contentType) == value)
    }

    @Test(arguments: ["a/b", "a/b;", "a/b; name", "name=value", "a/b; other=\"; name=value\"", "", ";;;"])
    func `A parameter that is not there is nil`(contentType: String) {
        #expect(MediaType.parameter("name", of: contentType) == nil)
    }

    @Test func `Absurdly many parameters are read in time proportional to their number`() {
        let contentType = "a/b" + String(repeating: ";", count: 100_000) + "name=value"
        #expect(MediaType.parameter("name", of: contentType) == "value")
    }
}
