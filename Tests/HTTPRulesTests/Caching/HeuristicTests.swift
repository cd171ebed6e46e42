import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §4.2.2: heuristic lifetimes", .timeLimit(.test))
struct HeuristicTests {
    private static let date = LifetimeTests.date
    private static let tenMinutesBefore = "Wed, 06 Nov 2024 08:39:37 GMT"

    private func lifetime(
        _ fields: [String: String], _ status: Int = 200, fallback: Double? = nil,
        policy: CachePolicy = CachePolicy(.private)
    ) -> ResponseLifetime {
        policy.lifetime(
            of: fields, status: status, requestTime: LifetimeTests.arrival, responseTime: LifetimeTests.arrival,
            fallback: fallback)
    }

    @Test(
        arguments: [
            (tenMinutesBefore, date, 60), (tenMinutesBefore, nil, 60), (tenMinutesBefore, "soon", 60),
            ("Wed, 06 Nov 2024 08:49:28 GMT", date, 0), (date, date, 0), (LifetimeTests.minuteLater, date, 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", date, 86_400), ("Mon, 28 Oct 2024 08:49:37 GMT", date, 77_760),
            (tenMinutesBefore, "Wed, 06 Nov 2024 08:44:37 GMT", 30), ("Thu, 01 Jan 1970 00:00:00 GMT", date, 86_400),
        ] as [(String, String?, UInt32)])
    func `A tenth of the time since Last-Modified, at most a day`(modified: String, date: String?, seconds: UInt32) {
        var fields = ["last-modified": modified]
        fields["date"] = date
        let result = lifetime(fields, fallback: 3000)
        #expect(result.lifetime == seconds)
        #expect(result.reason == .heuristic)
        #expect(!result.isExplicit)
    }

    @Test(arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
    func `Heuristics apply to the statuses of RFC 9110 §15.1`(status: Int) {
        #expect(lifetime(["last-modified": Self.tenMinutesBefore], status).lifetime == 60)
        #expect(lifetime([:], status, fallback: 30).lifetime == 30)
        #expect(lifetime([:], status, fallback: 30).reason == .fallback)
    }

    @Test(arguments: [201, 202, 302, 303, 307, 400, 401, 403, 418, 500, 502, 503, 504, 599])
    func `For other statuses, heuristics need the directive public`(status: Int) {
        let fields = ["last-modified": Self.tenMinutesBefore, "date": Self.date]
        #expect(lifetime(fields, status, fallback: 30).lifetime == 0)
        #expect(lifetime(fields.merging(["cache-control": "private"]) { $1 }, status, fallback: 30).lifetime == 0)
        #expect(lifetime(fields.merging(["cache-control": "public"]) { $1 }, status).lifetime == 60)
    }

    @Test(arguments: ["max-age=5", "max-age=0", "max-age=x"])
    func `Heuristics do not replace a stated lifetime`(value: String) {
        let fields = ["last-modified": Self.tenMinutesBefore, "cache-control": value]
        #expect(lifetime(fields, fallback: 30).lifetime <= 5)
        #expect(lifetime(fields, fallback: 30).reason == .maxAge)
    }

    @Test(
        arguments: [
            (nil, 0, .none), (30, 30, .fallback), (0, 0, .fallback), (-5, 0, .fallback), (.nan, 0, .fallback),
            (.infinity, 1 << 31, .fallback), (1.9, 1, .fallback),
        ] as [(Double?, UInt32, ResponseLifetime.Reason)])
    func `The fallback counts if there is no valid Last-Modified`(
        fallback: Double?, seconds: UInt32, reason: ResponseLifetime.Reason
    ) {
        for fields in [[:], ["last-modified": "soon"], ["cache-control": "must-revalidate"]] {
            let result = lifetime(fields, fallback: fallback)
            #expect(result.lifetime == seconds)
            #expect(result.reason == reason)
        }
    }

    @Test func `Fraction and limit are parameters`() {
        let policy = CachePolicy(.private, heuristicFraction: 0.5, heuristicLimit: 200)
        #expect(lifetime(["last-modified": Self.tenMinutesBefore], policy: policy).lifetime == 200)
        #expect(lifetime(["last-modified": "Wed, 06 Nov 2024 08:47:37 GMT"], policy: policy).lifetime == 60)
    }
}
