import HTTPRules
import TestKit
import Testing

@Suite("RFC 5861 §4 and RFC 9111 §4.2.4: stale data after an error", .timeLimit(.test))
struct ErrorVerdictTests {
    typealias Case = (response: String, age: Double, request: String, status: CacheVerdict?, unreachable: CacheVerdict?)

    private func verdict(
        _ response: String, _ age: Double, _ request: String, _ failure: CachePolicy.Failure,
        _ kind: CachePolicy.Kind = .private
    ) -> CacheVerdict? {
        let policy = CachePolicy(kind)
        let stored = policy.lifetime(
            of: ["cache-control": response], status: 200, requestTime: 0, responseTime: 0, fallback: nil)
        return policy.verdict(stored, age: age, request: RequestDirectives(CacheControl(request)), after: failure)
    }

    @Test(
        arguments: [
            ("max-age=60", 10, "", .fresh, .fresh), ("max-age=60", 70, "", nil, .stale(.unreachable)),
            ("", 1e9, "", nil, .stale(.unreachable)),
            ("max-age=60, stale-if-error=30", 70, "", .stale(.staleIfError), .stale(.staleIfError)),
            ("max-age=60, stale-if-error=30", 90, "", .stale(.staleIfError), .stale(.staleIfError)),
            ("max-age=60, stale-if-error=30", 90.1, "", nil, nil), ("max-age=60, stale-if-error=0", 61, "", nil, nil),
            ("max-age=60, stale-if-error=x", 70, "", nil, .stale(.unreachable)),
            ("max-age=60", 70, "stale-if-error=10", .stale(.staleIfError), .stale(.staleIfError)),
            ("max-age=60", 71, "stale-if-error=10", nil, nil),
            ("max-age=60, stale-if-error=5", 70, "stale-if-error=10", .stale(.staleIfError), .stale(.staleIfError)),
            ("max-age=60, stale-if-error=30", 80, "stale-if-error=10", .stale(.staleIfError), .stale(.staleIfError)),
            ("max-age=60", 70, "max-stale=10", .stale(.maxStale), .stale(.maxStale)),
            ("max-age=60", 71, "max-stale=10", nil, .stale(.unreachable)),
            ("max-age=60, must-revalidate", 70, "", nil, nil), ("max-age=60, must-revalidate", 10, "", .fresh, .fresh),
            ("max-age=60, must-revalidate, stale-if-error=30", 70, "", nil, nil),
            ("max-age=60, must-revalidate", 70, "stale-if-error=30", nil, nil),
            ("max-age=60, no-cache", 10, "", nil, nil), ("max-age=60, no-store", 10, "", nil, nil),
            ("max-age=60, no-cache, stale-if-error=30", 10, "", nil, nil),
            ("max-age=60", 10, "no-cache", nil, nil), ("max-age=60, stale-if-error=30", 70, "no-cache", nil, nil),
            ("max-age=60", 10, "max-age=5", nil, nil), ("max-age=60", 70, "max-age=100", nil, nil),
            ("max-age=60, stale-if-error=30", 70, "max-age=65", nil, nil),
            ("max-age=60", 70, "min-fresh=1", nil, nil),
            (
                "max-age=60, stale-while-revalidate=30", 70, "", .stale(.staleWhileRevalidate),
                .stale(.staleWhileRevalidate)
            ),
            ("max-age=60", .infinity, "", nil, .stale(.unreachable)),
            ("max-age=60, stale-if-error=30", .infinity, "", nil, nil),
        ] as [Case])
    func `Stale data is used only if it is permitted or the server is unreachable`(test: Case) {
        let description = "\(test)"
        for status in [500, 502, 503, 504] {
            #expect(verdict(test.response, test.age, test.request, .status(status)) == test.status, "\(description)")
        }
        #expect(verdict(test.response, test.age, test.request, .unreachable) == test.unreachable, "\(description)")
    }

    @Test(arguments: [200, 304, 400, 404, 410, 429, 501, 505, 599])
    func `Other statuses are responses, not failures`(status: Int) {
        #expect(verdict("max-age=60, stale-if-error=30", 70, "", .status(status)) == nil)
        #expect(verdict("max-age=60", 10, "", .status(status)) == nil)
    }

    @Test(arguments: ["max-age=60, proxy-revalidate", "s-maxage=60", "max-age=60, s-maxage=60, stale-if-error=30"])
    func `Prohibitions for shared caches do not bind private ones`(value: String) {
        #expect(verdict(value, 70, "", .unreachable, .shared) == nil)
        #expect(verdict(value, 70, "", .unreachable, .private) != nil)
    }
}
