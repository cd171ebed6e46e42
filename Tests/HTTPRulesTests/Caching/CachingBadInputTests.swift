import HTTPRules
import TestKit
import Testing

/// Large fields, as a hostile server may send them. The time limit fails if a rule takes quadratic time.
@Suite("RFC 9111: bad input", .timeLimit(.test))
struct CachingBadInputTests {
    @Test(
        arguments: [
            "a=1, ", "a, ", ",", "\"", "\"\\", "\\\"", "a=\"\\\",", "a=\"", "no-cache=\"x,", "a=\"b\",", " ", "\t,",
            "W/\"a", "max-age=9", "9", "Sun, ", "W/", "x \"", "é", "\u{0}",
        ])
    func `Large fields take linear time and bounded memory`(part: String) {
        let value = String(repeating: part, count: 100_000 / part.utf8.count)
        #expect(CacheControl(value + ", no-store").noStore || part.contains("\"") || part == "\\")
        #expect(CacheControl("no-cache=\"" + value).noCacheFields.count <= CacheControl.nameLimit)
        #expect(VaryField(value).names.count <= VaryField.nameLimit)
        #expect(!ClearSiteData(value).clearsCache)
        #expect(AgeField.seconds(value) == (part == "9" ? 1 << 31 : nil))
        #expect(CacheDate.seconds(value, now: 0) == nil)
        #expect(VaryField.normalized(value, of: "accept").utf8.count <= value.utf8.count)
        let fields = [
            "cache-control": value, "vary": value, "age": value, "expires": value, "date": value, "connection": value,
        ]
        #expect(LifetimeTests.lifetime(fields, fallback: 30).lifetime == 0)
        #expect(StoredFields.storable(fields)["vary"] == value)
    }

    @Test func `Directives of 1 MB are read to the end`() {
        let value = String(repeating: "x=\"a, b\", ", count: 100_000) + "max-age=60"
        #expect(CacheControl(value).maxAge == 60)
        #expect(CacheControl(value + ", x=\"").maxAge == 60)
        #expect(CacheControl("x=\"" + value).maxAge == 0)  // The quotes no longer pair, and the last one is open.
    }

    @Test func `Ten thousand names in Vary select nothing`() {
        let value = (0..<10_000).map { "x-\($0)" }.joined(separator: ", ")
        #expect(VaryField(value).isAny)
        let result = LifetimeTests.lifetime(["cache-control": "max-age=60", "vary": value])
        #expect(result.reason == .varyAny)
    }

    @Test func `One name ten thousand times in Vary is one name`() {
        #expect(VaryField(String(repeating: "accept, ", count: 10_000)).names == ["accept"])
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 0])
    func `Clocks that jump make nothing fresher`(time: Double) {
        let policy = CachePolicy(.private)
        for (request, response) in [(time, time), (time, 0), (0, time)] {
            for fields in [
                ["cache-control": "max-age=60"], ["expires": LifetimeTests.date, "date": LifetimeTests.date],
            ] {
                let result = policy.lifetime(
                    of: fields, status: 200, requestTime: request, responseTime: response, fallback: nil)
                #expect(result.lifetime <= 60)
                #expect(result.initialAge >= 0)
            }
        }
    }
}
