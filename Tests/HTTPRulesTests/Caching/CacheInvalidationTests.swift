import Foundation
import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §4.4: invalidation", .timeLimit(.test))
struct CacheInvalidationTests {
    private func targets(
        _ method: String = "POST", _ status: Int = 200, url: String = "https://api.test/users?page=2",
        location: String? = nil, contentLocation: String? = nil
    ) throws -> [String] {
        let url = try #require(URL(string: url))
        return CacheInvalidation.targets(
            method: method, status: status, url: url, location: location, contentLocation: contentLocation
        ).map(\.absoluteString)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH", "UNKNOWN", "get", ""])
    func `A successful request with an unsafe or unknown method invalidates its target`(method: String) throws {
        for status in [200, 201, 204, 299, 301, 303, 399] {
            #expect(try targets(method, status) == ["https://api.test/users?page=2"])
        }
        for status in [100, 199, 400, 404, 409, 500, 503, 0] {
            #expect(try targets(method, status, location: "/a").isEmpty)
        }
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY"])
    func `Safe methods invalidate nothing`(method: String) throws {
        #expect(try targets(method, location: "/a").isEmpty)
    }

    @Test(
        arguments: [
            ("/a", "https://api.test/a"), ("a", "https://api.test/a"), ("?x", "https://api.test/users?x"),
            ("https://api.test/a#b", "https://api.test/a"), ("https://api.test:443/a", "https://api.test:443/a"),
            ("HTTPS://API.test/a", "HTTPS://API.test/a"), ("//api.test/a", "https://api.test/a"),
            ("https://other.test/a", nil), ("http://api.test/a", nil), ("https://api.test:8443/a", nil),
            ("//other.test/a", nil), ("https://api.test.evil.test/a", nil), ("https://api.test@evil.test/a", nil),
            ("/f[a]?x%20y", "https://api.test/f%5Ba%5D?x%20y"), ("a%2Fb|c", "https://api.test/a%2Fb%7Cc"),
            ("", nil), ("#top", nil), ("https://[", nil), ("data:text/plain,x", nil), ("file:///a", nil),
        ] as [(String, String?)])
    func `Locations of the same origin become invalid, too`(location: String, target: String?) throws {
        let expected = ["https://api.test/users?page=2"] + (target.map { [$0] } ?? [])
        #expect(try targets(location: location) == expected)
        #expect(try targets(contentLocation: location) == expected)
        #expect(try targets(location: location, contentLocation: location) == expected)
    }

    @Test func `The target has no fragment`() throws {
        #expect(
            try targets(url: "https://api.test/a#b", location: "/c", contentLocation: "/d")
                == ["https://api.test/a", "https://api.test/c", "https://api.test/d"])
    }
}

@Suite("Clear-Site-Data", .timeLimit(.test))
struct ClearSiteDataTests {
    @Test(
        arguments: [
            ("\"cache\"", true), ("\"*\"", true), ("\"cookies\", \"cache\"", true), (" ,\"cache\" ,", true),
            ("\"cookies\",\"x\"y,\"*\"", true), ("\"cookies\"", false), ("cache", false), ("*", false),
            ("\"Cache\"", false),
            ("\"cache", false), ("\"cache\"x", false), ("x\"cache\"", false), ("\"cache \"", false), ("'cache'", false),
            ("\"x, \\\"cache\\\", \"", false), (nil, false), ("", false), ("\"\"", false), ("\"cache\" \"x\"", false),
        ] as [(String?, Bool)])
    func `The server clears the cache with a quoted name`(value: String?, clearsCache: Bool) {
        #expect(ClearSiteData(value).clearsCache == clearsCache)
    }
}
