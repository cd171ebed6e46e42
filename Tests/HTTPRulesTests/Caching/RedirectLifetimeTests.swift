import HTTPRules
import TestKit
import Testing

@Suite("Redirects limit the lifetime", .timeLimit(.test))
struct RedirectLifetimeTests {
    private func lifetime(_ status: Int, _ control: String) -> ResponseLifetime {
        LifetimeTests.lifetime(["cache-control": control], status: status)
    }

    @Test(
        arguments: [
            (302, "max-age=30", 0, 30), (302, "max-age=30", 10, 20), (302, "max-age=90", 10, 60),
            (302, "max-age=90", 50, 40),
            (302, "", 0, 0), (307, "", 0, 0), (303, "", 0, 0), (302, "max-age=0", 0, 0), (302, "no-store", 0, 0),
            (301, "", 0, 60), (308, "", 1e9, 60), (301, "max-age=30", 0, 30), (301, "no-store", 0, 0),
            (308, "no-cache", 0, 0), (301, "max-age=30", 40, 0), (302, "max-age=30", -10, 30),
        ] as [(Int, String, Double, UInt32)])
    func `A response is fresh only while the redirect is`(
        status: Int, control: String, delay: Double, seconds: UInt32
    ) {
        let result = lifetime(200, "max-age=60").limited(byRedirect: lifetime(status, control), delay: delay)
        #expect(result.lifetime == seconds)
        #expect(result.reason == (seconds < 60 ? .redirect : .maxAge))
    }

    @Test func `The age of the response does not count for the redirect`() {
        var response = lifetime(200, "max-age=60")
        response.initialAge = 40
        let result = response.limited(byRedirect: lifetime(302, "max-age=10"), delay: 0)
        #expect(result.lifetime == 50)
        #expect(response.limited(byRedirect: lifetime(302, "max-age=30"), delay: 0).lifetime == 60)
    }

    @Test func `Permissions need both, and prohibitions one`() {
        let all = "max-age=60, immutable, stale-while-revalidate=30"
        let (response, redirect) = (lifetime(200, all), lifetime(302, all + ", must-revalidate"))
        let plain = lifetime(302, "max-age=60")
        #expect(response.limited(byRedirect: redirect, delay: 0).forbidsStale)
        #expect(response.limited(byRedirect: redirect, delay: 0).isImmutable)
        #expect(response.limited(byRedirect: redirect, delay: 0).staleWhileRevalidate == 30)
        #expect(!response.limited(byRedirect: plain, delay: 0).forbidsStale)
        #expect(!response.limited(byRedirect: plain, delay: 0).isImmutable)
        #expect(response.limited(byRedirect: plain, delay: 0).staleWhileRevalidate == 0)
        #expect(response.limited(byRedirect: plain, delay: 0).isStorable)
        #expect(!response.limited(byRedirect: lifetime(302, "no-store"), delay: 0).isStorable)
        #expect(response.limited(byRedirect: lifetime(302, "no-store"), delay: 0).forbidsStale)
        #expect(response.limited(byRedirect: lifetime(302, ""), delay: 0).isStorable)
        #expect(!response.limited(byRedirect: lifetime(302, ""), delay: 0).forbidsStale)
        #expect(!response.limited(byRedirect: lifetime(302, "no-store, no-cache"), delay: 0).isStorable)
    }
}
