import SiestaCore
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct ContentTypePatternTests {
    @Test(arguments: [
        ("application/json", "application/json"),
        ("application/json", "application/json; charset=utf-8"),
        ("application/json", " APPLICATION/Json ;x"),
        ("Application/JSON", "application/json"),
        ("*/json", "application/json"),
        ("*/json", "x/json"),
        ("*/*+json", "application/vnd.api+json"),
        ("*/*+json", "application/problem+json;charset=utf-8"),
        ("text/*", "text/plain"),
        ("text/*", "text/x-y.z"),
        ("*/*", "image/png"),
        ("image/*", "IMAGE/PNG"),
        ("a*c*e/x", "abcde/x"),
        ("a*b/x", "abbb/x"),
        ("*b*b/x", "abbbbb/x"),
    ])
    func `A pattern matches`(pattern: String, contentType: String) {
        #expect(ContentTypePattern(pattern).matches(contentType))
    }

    @Test(arguments: [
        ("application/json", "application/jsonp"),
        ("application/json", "xapplication/json"),
        ("application/json", "application/json+x"),
        ("*/json", "json"),
        ("*/json", "/json"),
        ("*/json", "a/b/json"),
        ("*/json", "application/x+json"),
        ("*/*+json", "application/json"),
        ("*/*+json", "application/+json"),
        ("*/*+json", "application/a+b+json"),
        ("*/*+json", "application/a+jsonx"),
        ("text/*", "text/"),
        ("text/*", "text"),
        ("text/*", "text/a/b"),
        ("text/*", "text/a+b"),
        ("text/*", "textual/plain"),
        ("text/*", "application/text/plain"),
        ("*", "a/b"),
        ("*", ""),
        ("a*c/x", "ac/x"),
        ("text/plain", ""),
    ])
    func `A pattern does not match`(pattern: String, contentType: String) {
        #expect(!ContentTypePattern(pattern).matches(contentType))
    }

    @Test func `An empty pattern matches nothing but an empty type`() {
        #expect(ContentTypePattern("").matches(""))
        #expect(!ContentTypePattern("").matches("a/b"))
    }

    @Test(arguments: ["*/json", "*/*+json", "text/*", "*a*a*a*a*b/x"])
    func `An absurdly long content type neither crashes nor takes long`(pattern: String) {
        let long = String(repeating: "a", count: 200_000)
        #expect(!ContentTypePattern(pattern).matches(long))
        #expect(!ContentTypePattern(pattern).matches(long + "/" + long))
    }

    @Test func `An absurdly long content type can match`() {
        let long = String(repeating: "a", count: 200_000)
        #expect(ContentTypePattern("*/*+json").matches(long + "/" + long + "+json"))
    }
}
