import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §4.2.4 and §5.2.1: verdicts", .timeLimit(.test))
struct VerdictTests {
    typealias Case = (response: String, age: Double, request: String, verdict: CacheVerdict)

    private static func verdict(
        _ response: String, _ age: Double, _ request: String, in kind: CachePolicy.Kind = .private, hasTag: Bool = true
    ) -> CacheVerdict {
        let fields = hasTag ? ["cache-control": response, "etag": "\"a\""] : ["cache-control": response]
        let policy = CachePolicy(kind)
        let stored = policy.lifetime(of: fields, status: 200, requestTime: 0, responseTime: 0, fallback: nil)
        return policy.verdict(stored, age: age, request: RequestDirectives(CacheControl(request)))
    }

    private func check(_ test: Case) {
        let description = "\(test)"
        #expect(Self.verdict(test.response, test.age, test.request) == test.verdict, "\(description)")
        if test.verdict == .revalidate {
            #expect(Self.verdict(test.response, test.age, test.request, hasTag: false) == .fetch, "\(description)")
            #expect(Self.verdict(test.response, test.age, test.request + ", only-if-cached") == .gatewayTimeout)
        } else {
            #expect(Self.verdict(test.response, test.age, test.request + ", only-if-cached") == test.verdict)
        }
    }

    @Test(
        arguments: [
            ("max-age=60", 0, "", .fresh), ("max-age=60", 59.9, "", .fresh), ("max-age=60", 60, "", .revalidate),
            ("max-age=60", 1e12, "", .revalidate), ("max-age=60", .infinity, "", .revalidate),
            ("max-age=0", 0, "", .revalidate), ("", 0, "", .revalidate), ("max-age=60", .nan, "", .revalidate),
            ("no-cache, max-age=60", 0, "", .revalidate), ("no-store, max-age=60", 0, "", .revalidate),
            ("must-revalidate, max-age=60", 59, "", .fresh), ("must-revalidate, max-age=60", 60, "", .revalidate),
        ] as [Case])
    func `A response is fresh while its age is less than its lifetime (§4.2)`(test: Case) { check(test) }

    @Test(
        arguments: [
            ("max-age=60", 0, "no-cache", .revalidate), ("max-age=60", 70, "no-cache, max-stale", .revalidate),
            ("max-age=60, immutable", 0, "no-cache", .revalidate), ("max-age=60", 0, "no-store", .fresh),
            ("max-age=60, stale-while-revalidate=60", 70, "no-cache", .revalidate),
        ] as [Case])
    func `A request with no-cache asks the server (§5.2.1.4)`(test: Case) { check(test) }

    @Test(
        arguments: [
            ("max-age=60", 10, "max-age=10", .fresh), ("max-age=60", 10.1, "max-age=10", .revalidate),
            ("max-age=60", 0, "max-age=0", .fresh), ("max-age=60", 0.1, "max-age=0", .revalidate),
            ("max-age=60", 10, "max-age=x", .revalidate), ("max-age=60", 70, "max-age=100", .revalidate),
            ("max-age=60", 70, "max-age=100, max-stale", .stale(.maxStale)),
            ("max-age=60", 70, "max-age=65, max-stale", .revalidate),
            ("max-age=60, stale-while-revalidate=60", 70, "max-age=100", .revalidate),
        ] as [Case])
    func `A request with max-age limits the age (§5.2.1.1)`(test: Case) { check(test) }

    @Test(
        arguments: [
            ("max-age=60", 70, "max-stale", .stale(.maxStale)), ("max-age=60", 1e12, "max-stale", .stale(.maxStale)),
            ("max-age=60", 70, "max-stale=10", .stale(.maxStale)), ("max-age=60", 70.1, "max-stale=10", .revalidate),
            ("max-age=60", 60, "max-stale=0", .stale(.maxStale)), ("max-age=60", 70, "max-stale=x", .revalidate),
            ("max-age=60", 10, "max-stale=10", .fresh), ("", 5, "max-stale=10", .stale(.maxStale)),
            ("max-age=60, must-revalidate", 70, "max-stale", .revalidate),
            ("max-age=60, no-cache", 10, "max-stale", .revalidate),
            ("max-age=60, no-store", 10, "max-stale", .revalidate),
            ("max-age=60, proxy-revalidate", 70, "max-stale", .stale(.maxStale)),
            ("max-age=60, s-maxage=60", 70, "max-stale", .stale(.maxStale)),
            ("max-age=60", 70, "max-stale, min-fresh=1", .revalidate),
            ("max-age=60", .nan, "max-stale", .revalidate),
        ] as [Case])
    func `A request with max-stale accepts stale data that nothing forbids (§5.2.1.2)`(test: Case) { check(test) }

    @Test(
        arguments: [
            ("max-age=60", 50, "min-fresh=10", .fresh), ("max-age=60", 50.1, "min-fresh=10", .revalidate),
            ("max-age=60", 60, "min-fresh=0", .revalidate), ("max-age=60", 0, "min-fresh=x", .revalidate),
            ("max-age=60", 0, "min-fresh=61", .revalidate), ("max-age=60, immutable", 55, "min-fresh=10", .revalidate),
            ("max-age=60, stale-while-revalidate=60", 70, "min-fresh=1", .revalidate),
        ] as [Case])
    func `A request with min-fresh needs that time left (§5.2.1.3)`(test: Case) { check(test) }

    @Test(
        arguments: [
            ("max-age=60, stale-while-revalidate=30", 59, "", .fresh),
            ("max-age=60, stale-while-revalidate=30", 60, "", .stale(.staleWhileRevalidate)),
            ("max-age=60, stale-while-revalidate=30", 90, "", .stale(.staleWhileRevalidate)),
            ("max-age=60, stale-while-revalidate=30", 90.1, "", .revalidate),
            ("max-age=60, stale-while-revalidate=0", 60, "", .revalidate),
            ("max-age=60, stale-while-revalidate=30, must-revalidate", 70, "", .revalidate),
            ("max-age=60, stale-while-revalidate=30, no-cache", 0, "", .revalidate),
            ("max-age=60, stale-while-revalidate=30", 95, "max-stale=40", .stale(.maxStale)),
            ("max-age=60, stale-if-error=30", 70, "", .revalidate),
            ("max-age=60", 70, "stale-if-error=30", .revalidate),
        ] as [Case])
    func `A response with stale-while-revalidate is used for that time (RFC 5861 §3)`(test: Case) { check(test) }

    @Test(
        arguments: [
            ("max-age=60, immutable", 10, "max-age=0", .fresh), ("max-age=60, immutable", 60, "", .revalidate),
            ("max-age=60, immutable", 60, "max-age=0", .revalidate), ("immutable", 0, "", .revalidate),
            ("max-age=60", 10, "max-age=0", .revalidate),
        ] as [Case])
    func `A fresh immutable response is not revalidated because of max-age (RFC 8246 §2)`(test: Case) { check(test) }

    @Test(arguments: ["proxy-revalidate, max-age=60", "s-maxage=60", "s-maxage=60, stale-while-revalidate=60"])
    func `A shared cache obeys proxy-revalidate and s-maxage (§5.2.2.8, §5.2.2.10)`(value: String) {
        #expect(Self.verdict(value, 59, "", in: .shared) == .fresh)
        #expect(Self.verdict(value, 70, "", in: .shared) == .revalidate)
        #expect(Self.verdict(value, 70, "max-stale", in: .shared) == .revalidate)
    }
}
