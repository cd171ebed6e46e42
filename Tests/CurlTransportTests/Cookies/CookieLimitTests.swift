#if os(Linux)
import TestKit
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.test))
struct CookieLimitTests {
    private func lines(_ domain: String, _ count: Int) -> [String] {
        (0..<count).map { "\(domain)\tFALSE\t/\tFALSE\t0\tname\($0)\tvalue" }
    }

    @Test func `Up to the limit, all cookies stay`() {
        let all = lines("a.test", 5) + lines(".b.test", 5)
        #expect(CookieLimit.kept(of: all, total: 10) == all)
        #expect(CookieLimit.kept(of: [], total: 0).isEmpty)
    }

    @Test func `The oldest cookies of the greatest domains are removed`() {
        let (login, flood) = (lines("#HttpOnly_login.test", 2), lines(".flood.test", 50))
        let all = Array(flood[..<20]) + login + Array(flood[20...])
        #expect(CookieLimit.kept(of: all, total: 10) == login + flood.suffix(8))
    }

    @Test func `Domains share the limit`() {
        let kept = CookieLimit.kept(of: lines("a.test", 9) + lines("b.test", 9) + lines("c.test", 1), total: 10)
        #expect(kept.map { $0.prefix(1) }.joined() == "aaaabbbbbc")
    }

    @Test func `Of more domains than cookies, the last ones stay`() {
        let all = (0..<9).flatMap { lines("\($0).test", 1) }
        #expect(CookieLimit.kept(of: all, total: 3) == all.suffix(3))
    }
}
#endif
