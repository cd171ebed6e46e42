import Foundation
import TestKit
import Testing

@testable import SiestaXML

@Suite(.timeLimit(.test))
struct XMLDateTextTests {
    @Test(
        arguments: [
            ("1970-01-01", 0), ("1970-01-01Z", 0), ("1970-01-01+01:00", -3600), ("1969-12-31T24:00:00Z", 0),
            ("2000-02-29T12:00:00.25Z", 951_825_600.25), ("2026-11-26T08:30:00+05:30", 1_795_662_000),
            ("1600-03-01T00:00:00Z", -11_670_912_000), ("0001-01-01", -62_135_596_800), ("2001-02-29", nil),
            ("2001-13-01", nil), ("2001-00-01", nil), ("2001-01-01T25:00:00Z", nil), ("2001-01-01T00:60:00Z", nil),
            ("2001-1-1", nil), ("2001-01-01 00:00:00", nil), ("2001-01-01T00:00Z", nil), ("٢٠٠١-01-01", nil), ("", nil),
            ("2001-01-01T00:00:00+15:00", nil), ("2001-01-01T24:00:01Z", nil),
        ] as [(String, Double?)])
    func `Dates of XML Schema are read in every zone`(_ text: String, _ seconds: Double?) {
        #expect(XMLDateText.xmlSchema(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("1 jan 1970 00:00 Z", 0),
            ("Thu, 26 Nov 2026 08:30:00 +0530", 1_795_662_000),
            ("Sat,  29 Feb 2020 23:59:60 UT", 1_583_020_800), ("Wed, 31 Dec 1969 19:00:00 EST", 0),
            ("01 Jan 70 00:00 +0000", 0),
            ("01 Jan 20 00:00 GMT", 1_577_836_800), ("Thu, 30 Feb 2020 00:00:00 GMT", nil),
            ("Thu, 01 Foo 1970 00:00:00 GMT", nil),
            ("Thu, 01 Jan 1970 00:00:00", nil), ("Thu, 01 Jan 1970 24:00:00 GMT", nil), ("01 Jan 1970 00:00 A", nil),
            ("01 Jan 1970 00:00 +0060", nil), ("", nil),
        ] as [(String, Double?)])
    func `Dates of RSS and mail are read`(_ text: String, _ seconds: Double?) {
        #expect(XMLDateText.internetMessage(text)?.timeIntervalSince1970 == seconds)
    }
}
