import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §4.2.3: ages", .timeLimit(.test))
struct AgeTests {
    private func initialAge(_ fields: [String: String], delay: Double = 0, fraction: Double = 0) -> Double {
        let arrival = LifetimeTests.arrival + fraction
        return CachePolicy(.private).lifetime(
            of: fields, status: 200, requestTime: arrival - delay, responseTime: arrival, fallback: nil
        ).initialAge
    }

    @Test(
        arguments: [
            ([:], 0, 0), (["age": "10"], 0, 10), (["age": "10"], 5, 15), ([:], 5, 5),
            (["date": LifetimeTests.date], 0, 0), (["date": "Wed, 06 Nov 2024 08:49:07 GMT"], 0, 30),
            (["date": "Wed, 06 Nov 2024 08:49:07 GMT", "age": "10"], 5, 30),
            (["date": "Wed, 06 Nov 2024 08:49:07 GMT", "age": "30"], 5, 35),
            (["date": LifetimeTests.minuteLater], 0, 0), (["date": LifetimeTests.minuteLater, "age": "10"], 0, 10),
            (["date": "Fri, 06 Nov 2099 08:49:37 GMT"], 5, 5), (["date": "soon"], 5, 5),
            (["age": "-1"], 5, 5), (["age": "x"], 5, 5), (["age": "99999999999"], 5, 2_147_483_653),
            (["age": "7, 9"], 0, 7),
        ] as [([String: String], Double, Double)])
    func `The initial age is the larger of that by Date and that by Age`(
        fields: [String: String], delay: Double, age: Double
    ) {
        #expect(initialAge(fields, delay: delay) == age)
    }

    @Test func `A clock that is set back during a request counts as no delay`() {
        #expect(initialAge(["age": "10"], delay: -1000) == 10)
    }

    @Test func `A fraction of a second is not an age by Date`() {
        #expect(initialAge(["date": LifetimeTests.date], fraction: 0.9) == 0)
        #expect(initialAge(["date": "Wed, 06 Nov 2024 08:49:36 GMT"], fraction: 0.9) == 1)
    }

    @Test func `By the wall clock, a response from the future has an infinite age`() {
        let response = ResponseLifetime(status: 200, lifetime: 60, initialAge: 10)
        #expect(response.age(arrivedAt: 1000, now: 1005) == 15)
        #expect(response.age(arrivedAt: 1000, now: 1000) == 10)
        #expect(response.age(arrivedAt: 1000, now: 999) == .infinity)
        #expect(response.age(arrivedAt: 1000, now: .nan) == .infinity)
        #expect(response.age(arrivedAt: .nan, now: 1000) == .infinity)
    }

    @Test func `The initial freshness is what the age leaves of the lifetime`() {
        #expect(ResponseLifetime(status: 200, lifetime: 60, initialAge: 10).initialFreshness == 50)
        #expect(ResponseLifetime(status: 200, lifetime: 60, initialAge: 70).initialFreshness == 0)
    }
}
