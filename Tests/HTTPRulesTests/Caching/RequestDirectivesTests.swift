import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §5.2.1 and §5.4: directives of requests", .timeLimit(.test))
struct RequestDirectivesTests {
    @Test func `All directives are read`() {
        let value = "no-cache, no-store, only-if-cached, max-age=1, max-stale=2, min-fresh=3, stale-if-error=4"
        var expected = RequestDirectives()
        (expected.noCache, expected.noStore, expected.onlyIfCached) = (true, true, true)
        (expected.maxAge, expected.maxStale, expected.minFresh, expected.staleIfError) = (1, 2, 3, 4)
        #expect(RequestDirectives(["cache-control": value]) == expected)
        #expect(RequestDirectives([:]) == RequestDirectives())
    }

    @Test(
        arguments: [
            (nil, "no-cache", true), (nil, "No-Cache", true), (nil, "x, no-cache", true), (nil, "x", false),
            (nil, "x=\"no-cache\"", false), (nil, nil, false), ("", "no-cache", false),
            ("max-age=5", "no-cache", false),
            ("no-cache", nil, true), ("no-cache=\"a\"", nil, true),
        ] as [(String?, String?, Bool)])
    func `Pragma counts only without Cache-Control`(control: String?, pragma: String?, isNoCache: Bool) {
        var fields: [String: String] = [:]
        fields["cache-control"] = control
        fields["pragma"] = pragma
        #expect(RequestDirectives(fields).noCache == isNoCache)
    }

    @Test func `Pragma has no other directives`() {
        #expect(RequestDirectives(["pragma": "no-store, max-age=0, only-if-cached"]) == RequestDirectives())
    }

    @Test(
        arguments: [
            ("max-age=5", "max-age=6", "max-age=5"), ("max-stale", "max-stale=6", "max-stale=6"),
            ("min-fresh=5", "min-fresh=6", "min-fresh=6"), ("stale-if-error=5", "stale-if-error=6", "stale-if-error=5"),
            ("no-cache", "", "no-cache"), ("no-store", "only-if-cached", "no-store, only-if-cached"),
            ("max-age=5", "max-stale=6, min-fresh=1", "max-age=5, max-stale=6, min-fresh=1"), ("", "", ""),
        ])
    func `Merged directives are those of both, the more restrictive first`(left: String, right: String, both: String) {
        let (left, right) = (RequestDirectives(CacheControl(left)), RequestDirectives(CacheControl(right)))
        #expect(left.merging(right) == RequestDirectives(CacheControl(both)))
        #expect(right.merging(left) == RequestDirectives(CacheControl(both)))
    }
}
