import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A precondition tells whether the client is up to date", .timeLimit(.test))
struct PreconditionTests {
    private static let modified = Moment(seconds: 784_111_777)
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

    @Test(
        "by tag first, compared weakly, and by date otherwise",
        arguments: [
            ([:], false),
            (["If-None-Match": "\"a\""], true),
            (["if-none-match": "W/\"a\""], true),
            (["If-None-Match": "\"x\", W/\"y\" ,\"a\""], true),
            (["If-None-Match": "\"x,y\",\"a\""], true),
            (["If-None-Match": "*"], true),
            (["If-None-Match": "\"b\""], false),
            (["If-None-Match": "\"A\""], false),
            (["If-None-Match": "a"], false),
            (["If-None-Match": ""], false),
            (["If-None-Match": "\"a"], false),
            (["If-Modified-Since": same], true),
            (["If-Modified-Since": later], true),
            (["If-Modified-Since": earlier], false),
            (["If-Modified-Since": "whenever"], false),
            (["If-None-Match": "\"b\"", "If-Modified-Since": later], false),
            (["If-None-Match": "\"a\"", "If-Modified-Since": earlier], true),
        ] as [([String: String], Bool)])
    func table(headers: [String: String], isSatisfied: Bool) {
        let fields = headers.map { HTTPHeaders.Field(name: $0.key, value: $0.value) }
        let precondition = Precondition(HTTPHeaders(fields))
        #expect(precondition.isSatisfied(by: EntityTag("a"), modified: Self.modified) == isSatisfied)
    }

    @Test("but never by date if there is none")
    func withoutDate() {
        let precondition = Precondition(["If-Modified-Since": Self.later])
        #expect(!precondition.isSatisfied(by: EntityTag("a"), modified: nil))
    }

    @Test("from several header lines at once")
    func severalLines() {
        let precondition = Precondition(["If-None-Match": "\"x\"", "If-None-Match": "\"a\""])
        #expect(precondition == .tags([EntityTag("x"), EntityTag("a")]))
    }
}
