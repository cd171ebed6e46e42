import Foundation
import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A moment is spelled and read as HTTP and ISO 8601 want it", .timeLimit(.test))
struct MomentTests {
    @Test(
        "at the corners of the calendar",
        arguments: [
            (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
            (784_111_777, "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "2000-02-29T00:00:00Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_400, "2100-03-01T00:00:00Z", "Mon, 01 Mar 2100 00:00:00 GMT"),
            (1_772_366_400, "2026-03-01T12:00:00Z", "Sun, 01 Mar 2026 12:00:00 GMT"),
            (1_798_761_599, "2026-12-31T23:59:59Z", "Thu, 31 Dec 2026 23:59:59 GMT"),
        ])
    func spelling(seconds: Int, iso: String, http: String) {
        let moment = Moment(seconds: seconds)
        #expect(moment.iso8601 == iso)
        #expect(moment.httpDate == http)
        #expect(Moment(httpDate: http) == moment)
    }

    @Test("the same way as Foundation on many days")
    func agreesWithFoundation() {
        let formatter = ISO8601DateFormatter()
        for day in stride(from: -20_000, to: 60_000, by: 173) {
            let seconds = day * 86_400 + day % 86_400
            let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(Moment(seconds: seconds).iso8601 == expected)
        }
    }

    @Test(
        "in the two obsolete forms too",
        arguments: [
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT",
        ])
    func obsolete(text: String) {
        #expect(Moment(httpDate: text) == Moment(seconds: 784_111_777))
    }

    @Test(
        "and nothing else",
        arguments: [
            "", "yesterday", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 8:49 GMT",
            "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
        ])
    func malformed(text: String) {
        #expect(Moment(httpDate: text) == nil)
    }
}
