import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §4.3.1 and §4.3.2: conditions", .timeLimit(.test))
struct CacheConditionsTests {
    private static let (early, late) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT")

    @Test(
        arguments: [
            ([:], [:]), (["etag": "W/\"a\""], ["if-none-match": "W/\"a\""]), (["etag": ""], [:]),
            (["last-modified": early], ["if-modified-since": early]), (["last-modified": "soon"], [:]),
            (["etag": "x", "last-modified": early], ["if-none-match": "x", "if-modified-since": early]),
            (["date": early], [:]),
        ] as [([String: String], [String: String])])
    func `A request asks with all validators (§4.3.1)`(stored: [String: String], conditions: [String: String]) {
        #expect(CacheConditions.revalidating(stored) == conditions)
    }

    @Test(
        arguments: [
            ("\"a\"", "\"a\"", true), ("W/\"a\"", "\"a\"", true), ("\"a\"", "W/\"a\"", true), ("\"b\"", "\"a\"", false),
            ("*", "\"a\"", true), ("*", nil, true), ("\"b\", \"a\"", "\"a\"", true), ("\"b\",W/\"a\",", "\"a\"", true),
            ("\"b, \\\"a\"", "\"a\"", false), ("\"a,b\"", "\"a,b\"", true), ("\"a\\\"", "\"a\\\"", true),
            ("a", "a", true),
            ("a", "\"a\"", false), ("\"a\"", "a", false), ("\"a", "\"a\"", false), ("\"a\" x", "\"a\"", false),
            ("", "\"a\"", false), ("\"a\"", nil, false), ("w/\"a\"", "\"a\"", false), ("W/a", "\"a\"", false),
            ("\"A\"", "\"a\"", false), ("\"\"", "\"\"", true), ("W", "W", true),
        ] as [(String, String?, Bool)])
    func `If-None-Match is compared weakly with the ETag (§4.3.2)`(list: String, tag: String?, isNotModified: Bool) {
        var stored = ["last-modified": Self.early]
        stored["etag"] = tag
        let request = ["if-none-match": list, "if-modified-since": Self.late]
        #expect(CacheConditions.isNotModified(request: request, stored: stored, status: 200) == isNotModified)
    }

    @Test(
        arguments: [
            (early, ["last-modified": early], true), (late, ["last-modified": early], true),
            (early, ["last-modified": late], false), (late, ["date": early], true), (early, ["date": late], false),
            (late, ["last-modified": early, "date": "Tue, 08 Nov 1994 08:49:37 GMT"], true), (late, [:], false),
            ("soon", ["last-modified": early], false), (late, ["last-modified": "soon"], false),
        ] as [(String, [String: String], Bool)])
    func `If-Modified-Since is compared with Last-Modified, else with Date (§4.3.2)`(
        since: String, stored: [String: String], isNotModified: Bool
    ) {
        let request = ["if-modified-since": since]
        #expect(CacheConditions.isNotModified(request: request, stored: stored, status: 200) == isNotModified)
    }

    @Test(arguments: [201, 204, 301, 404, 410, 500])
    func `Conditions have a meaning only for success`(status: Int) {
        let request = ["if-none-match": "\"a\""]
        #expect(!CacheConditions.isNotModified(request: request, stored: ["etag": "\"a\""], status: status))
        #expect(!CacheConditions.isNotModified(request: [:], stored: ["etag": "\"a\""], status: 200))
    }
}
