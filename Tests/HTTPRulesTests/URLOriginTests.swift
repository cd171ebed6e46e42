import Foundation
import HTTPRules
import TestKit
import Testing

@Suite("RFC 9110 §4.3.1: origins", .timeLimit(.test))
struct URLOriginTests {
    @Test(arguments: [
        ("https://A.test/users", "https://a.test:443"), ("HTTP://a.test", "http://a.test:80"),
        ("https://a.test:8080?q", "https://a.test:8080"), ("https://a.test:443/#x", "https://a.test:443"),
        ("https://a.test:/x", "https://a.test:443"), ("https://me:secret@a.test/x@y:1", "https://a.test:443"),
        ("http://[::1]/x", "http://[::1]:80"), ("http://[::1]:8080", "http://[::1]:8080"),
        ("https://%61.test/", "https://a.test:443"), ("ftp://a.test/", "ftp://a.test"),
        ("ftp://a.test:21/", "ftp://a.test:21"), ("file:///etc", "file://"),
    ])
    func `The URL and its text have the same origin`(text: String, description: String) throws {
        let origin = URLOrigin(try #require(URL(string: text)))
        #expect(origin.description == description)
        #expect(URLOrigin(text: text) == origin)
    }

    @Test func `A text after the URL does not change the origin`() {
        #expect(URLOrigin(text: "https://a.test POST abc").description == "https://a.test:443")
    }

    @Test(arguments: [":", "", "data:x", "/path"])
    func `A text without an authority has no origin`(text: String) {
        #expect(URLOrigin(text: text).host.isEmpty)
        #expect(URLOrigin(text: text) != URLOrigin(text: "https://a.test"))
    }

    @Test func `Hosts with many combining marks are compared and hashed in linear time`() {
        let growth = Growth(of: 1_000) { count in
            ["%CC%81%CC%A3", "%CC%A3%CC%81"].map { "https://a" + String(repeating: $0, count: count) + "/" }
        } _: { texts in
            let origins = texts.map { URLOrigin(text: $0) }
            #expect(Set(origins).count == 2)
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
