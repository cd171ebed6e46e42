import HTTPRules
import TestKit
import Testing

/// Dates of these tests are on 6 November 2024. 752_575_777 is the time 08:49:37.
@Suite("RFC 9111 §4.2: lifetimes", .timeLimit(.test))
struct LifetimeTests {
    typealias Case = (fields: [String: String], lifetime: UInt32, reason: ResponseLifetime.Reason)

    static let arrival = 752_575_777.0
    static let date = "Wed, 06 Nov 2024 08:49:37 GMT"
    static let minuteLater = "Wed, 06 Nov 2024 08:50:37 GMT"

    static func lifetime(
        _ fields: [String: String], in kind: CachePolicy.Kind = .private, status: Int = 200, fallback: Double? = nil
    ) -> ResponseLifetime {
        CachePolicy(kind).lifetime(
            of: fields, status: status, requestTime: arrival, responseTime: arrival, fallback: fallback)
    }

    private func check(_ kind: CachePolicy.Kind, _ test: Case) {
        let result = Self.lifetime(test.fields, in: kind)
        #expect(result.lifetime == test.lifetime, "\(test.fields)")
        #expect(result.reason == test.reason, "\(test.fields)")
    }

    @Test(
        arguments: [
            (["cache-control": "max-age=60"], 60, .maxAge),
            (["cache-control": "max-age=60, s-maxage=90"], 60, .maxAge),
            (["cache-control": "s-maxage=90"], 0, .none),
            (["cache-control": "max-age=60", "expires": "0"], 60, .maxAge),
            (["cache-control": "max-age=0", "expires": minuteLater, "date": date], 0, .maxAge),
            (["cache-control": "max-age=x", "expires": minuteLater, "date": date], 0, .maxAge),
            (["cache-control": "s-maxage=0", "expires": minuteLater, "date": date], 60, .expires),
            (["cache-control": "max-age=9999999999"], 2_147_483_648, .maxAge),
            (["expires": minuteLater, "date": date], 60, .expires),
            (["expires": minuteLater], 60, .expires),
            (["expires": minuteLater, "date": "soon"], 60, .expires),
            (["expires": minuteLater, "date": "Wed, 06 Nov 2024 08:50:07 GMT"], 30, .expires),
            (["expires": minuteLater, "date": "Wed, 06 Nov 2024 08:49:07 GMT"], 90, .expires),
            (["pragma": "no-cache", "cache-control": "max-age=60"], 60, .maxAge),
            ([:], 0, .none),
        ] as [Case])
    func `In a private cache, max-age comes before Expires (§4.2.1)`(test: Case) {
        check(.private, test)
    }

    @Test(
        arguments: [
            (["cache-control": "max-age=60, s-maxage=90"], 90, .sharedMaxAge),
            (["cache-control": "max-age=60, s-maxage=0"], 0, .sharedMaxAge),
            (["cache-control": "max-age=60, s-maxage=x"], 0, .sharedMaxAge),
            (["cache-control": "s-maxage=90", "expires": "0"], 90, .sharedMaxAge),
            (["cache-control": "max-age=60", "expires": "0"], 60, .maxAge),
            (["expires": minuteLater, "date": date], 60, .expires),
        ] as [Case])
    func `In a shared cache, s-maxage comes first (§4.2.1)`(test: Case) {
        check(.shared, test)
    }

    @Test(
        arguments: [
            "0", "-1", "", "soon", "Wed, 06 Nov 2024 08:50:37 UTC", "\(minuteLater), \(minuteLater)",
            "Wed, 06 Nov 2024 08:49:37 GMT", "Wed, 06 Nov 2024 08:49:36 GMT", "Thu, 01 Jan 1970 00:00:00 GMT",
            "Wed, 6 Nov 2024 08:50:37 GMT", "Wednesday, 06 Nov 2024 08:50:37 GMT",
        ])
    func `An Expires that is invalid, repeated or not after Date is in the past (§5.3)`(value: String) {
        let fields = ["expires": value, "date": Self.date, "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
        check(.private, (fields, 0, .expires))
        #expect(Self.lifetime(fields, fallback: 30).lifetime == 0)
    }

    @Test(
        arguments: [
            (["cache-control": "no-cache, max-age=60"], .noCache),
            (["cache-control": "max-age=60, no-cache=\"\""], .noCache),
            (["cache-control": "no-store, max-age=60"], .noStore),
            (["cache-control": "max-age=60", "vary": "*"], .varyAny),
            (["cache-control": "max-age=60", "vary": "accept, *"], .varyAny),
        ] as [([String: String], ResponseLifetime.Reason)])
    func `Some responses are never fresh and never used stale`(
        fields: [String: String], reason: ResponseLifetime.Reason
    ) {
        let extended = fields.merging(["cache-control": fields["cache-control", default: ""] + ", stale-if-error=9"]) {
            $1
        }
        let result = Self.lifetime(extended, fallback: 30)
        #expect(result.lifetime == 0)
        #expect(result.reason == reason)
        #expect(result.forbidsStale)
        #expect(!result.statesStaleIfError)
        #expect(result.isStorable == (reason != .noStore))
    }

    @Test func `A qualified no-cache leaves the lifetime (§5.2.2.4)`() {
        let result = Self.lifetime(["cache-control": "no-cache=\"set-cookie\", max-age=60"])
        #expect(result.lifetime == 60)
        #expect(!result.forbidsStale)
    }

    @Test func `A private response is never fresh in a shared cache`() {
        check(.shared, (["cache-control": "private, max-age=60"], 0, .noStore))
        check(.shared, (["cache-control": "private=\"a\", max-age=60"], 60, .maxAge))
        check(.private, (["cache-control": "private, max-age=60"], 60, .maxAge))
    }

    @Test(arguments: [206, 304, 100, 429, 511])
    func `A status that must not be stored is never fresh`(status: Int) {
        let result = Self.lifetime(["cache-control": "max-age=60"], status: status)
        #expect(result.lifetime == 0)
        #expect(result.reason == .noStore)
    }

    @Test(arguments: [201, 302, 307, 403, 500, 503])
    func `A status without permission to store is stale, but nothing forbids its use`(status: Int) {
        let result = Self.lifetime(["cache-control": "stale-while-revalidate=9"], status: status, fallback: 30)
        #expect(result == ResponseLifetime(status: Int16(status)))
    }

    @Test(arguments: [200, 201, 302, 307, 403, 404, 410, 500, 503, 599])
    func `An explicit lifetime counts for every status`(status: Int) {
        let result = Self.lifetime(["cache-control": "max-age=60"], status: status)
        #expect(result.lifetime == 60)
        #expect(result.status == Int16(status))
        #expect(result.isExplicit)
    }

    @Test(
        arguments: [
            ("", false, nil, 0, 0), ("must-revalidate", true, nil, 0, 0), ("proxy-revalidate", false, nil, 0, 0),
            ("s-maxage=5", false, nil, 0, 0), ("stale-while-revalidate=30", false, nil, 30, 0),
            ("stale-if-error=40", false, 40, 0, 40), ("stale-if-error=0", false, 0, 0, 0),
            ("stale-if-error=x, stale-while-revalidate=x", false, nil, 0, 0),
            ("must-revalidate, stale-while-revalidate=30, stale-if-error=40", true, 40, 30, 40),
        ] as [(String, Bool, UInt32?, UInt32, UInt32)])
    func `Permissions and prohibitions of stale use are recorded (§4.2.4, RFC 5861)`(
        value: String, forbidsStale: Bool, stated: UInt32?, revalidate: UInt32, error: UInt32
    ) {
        let result = Self.lifetime(["cache-control": "max-age=60, " + value])
        #expect(result.forbidsStale == forbidsStale)
        #expect(result.statesStaleIfError == (stated != nil))
        #expect(result.staleWhileRevalidate == revalidate)
        #expect(result.staleIfError == error)
        let isForbiddenInShared = forbidsStale || value.hasPrefix("s-maxage") || value.hasPrefix("proxy-revalidate")
        #expect(
            Self.lifetime(["cache-control": "max-age=60, " + value], in: .shared).forbidsStale == isForbiddenInShared)
    }

    @Test(
        arguments: [
            (["etag": "\"a\""], true), (["etag": ""], false), (["last-modified": date], true),
            (["last-modified": "soon"], false),
            ([:], false),
        ] as [([String: String], Bool)])
    func `Validators are recorded (§4.3.1)`(fields: [String: String], hasValidator: Bool) {
        #expect(Self.lifetime(fields).hasValidator == hasValidator)
        #expect(!Self.lifetime(fields).isImmutable)
        #expect(Self.lifetime(fields.merging(["cache-control": "immutable, max-age=5"]) { $1 }).isImmutable)
    }

    @Test(
        arguments: [
            ([("Cache-Control", "max-age=60"), ("cache-control", "max-age=30, public")], 30, 0),
            ([("Cache-Control", "max-age=60"), ("CACHE-CONTROL", "no-store")], 0, 0),
            ([("Expires", minuteLater), ("Date", date), ("Expires", minuteLater)], 0, 0),
            ([("Cache-Control", "max-age=60"), ("Age", "5"), ("age", "9")], 60, 5),
            ([("Expires", minuteLater), ("Date", date), ("Date", date)], 60, 0),
            ([("Cache-Control", "max-age=60"), ("Vary", "a"), ("Vary", "*")], 0, 0),
        ] as [([(String, String)], UInt32, Double)])
    func `The lines of a repeated field are one list`(lines: [(String, String)], seconds: UInt32, age: Double) {
        var fields = HeaderBytes()
        for (name, value) in lines { fields.append(name.utf8, value.utf8) }
        let result = CachePolicy(.private).lifetime(
            of: fields, status: 200, requestTime: Self.arrival, responseTime: Self.arrival, fallback: nil)
        #expect(result.lifetime == seconds)
        #expect(result.initialAge == age)
    }

    @Test func `A lifetime has a fixed size`() {
        #expect(MemoryLayout<ResponseLifetime>.stride <= 32)
    }
}
