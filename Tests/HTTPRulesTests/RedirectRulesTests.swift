import Foundation
import HTTPRules
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct RedirectRulesTests {
    @Test(arguments: [
        (301, "GET", "GET"), (301, "HEAD", "HEAD"), (301, "POST", "GET"), (301, "PUT", "PUT"),
        (302, "GET", "GET"), (302, "HEAD", "HEAD"), (302, "POST", "GET"), (302, "DELETE", "DELETE"),
        (303, "GET", "GET"), (303, "HEAD", "HEAD"), (303, "POST", "GET"), (303, "PUT", "GET"),
        (303, "DELETE", "GET"), (307, "GET", "GET"), (307, "POST", "POST"), (307, "PATCH", "PATCH"),
        (308, "GET", "GET"), (308, "POST", "POST"), (308, "HEAD", "HEAD"),
    ])
    func `Methods change as RFC 9110 wants`(status: Int, method: String, expected: String) throws {
        #expect(try followed(request(method: method), status: status).method == expected)
    }

    @Test(arguments: [307, 308])
    func `A body that is kept keeps the headers that describe it, also to another origin`(status: Int) throws {
        for location in ["/x", "http://b.test/x"] {
            let redirect = try followed(request(method: "POST"), status: status, location: location)
            #expect(redirect.keepsBody)
            #expect(Self.aboutBody.allSatisfy(redirect.keepsHeader))
        }
    }

    @Test(arguments: [301, 302, 303])
    func `A body that is dropped takes its headers along, and no others`(status: Int) throws {
        let redirect = try followed(request(method: "POST"), status: status)
        #expect(!redirect.keepsBody)
        #expect(!Self.aboutBody.contains(where: redirect.keepsHeader))
        #expect(redirect.keepsHeader("Accept"))
        #expect(redirect.keepsHeader("X-Access-Token"))
    }

    private static let aboutBody = [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Expect", "Digest",
        "Transfer-Encoding", "Idempotency-Key",
    ]

    @Test(arguments: [307, 308])
    func `A body that cannot be sent twice makes the redirect the answer`(status: Int) {
        #expect(step(request(method: "POST", canResendBody: false), status: status) == .deliver)
    }

    @Test func `A body need not be sent twice where it is dropped anyway`() throws {
        #expect(try !followed(request(method: "POST", canResendBody: false), status: 303).keepsBody)
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 309, 404])
    func `Other statuses are answers, whatever their Location`(status: Int) {
        #expect(step(request(), status: status) == .deliver)
    }

    @Test(arguments: [
        ("http://b.test/x", "http://b.test/x"), ("//b.test/x", "http://b.test/x"), ("/x", "http://a.test/x"),
        ("x", "http://a.test/b/c/x"), ("./x", "http://a.test/b/c/x"), ("../x", "http://a.test/b/x"),
        ("../../../x", "http://a.test/x"), ("..", "http://a.test/b/"), (".", "http://a.test/b/c/"),
        ("?y", "http://a.test/b/c/d;p?y"), ("x?y/../z", "http://a.test/b/c/x?y/../z"),
        ("g;x=1/../y", "http://a.test/b/c/y"), (" /x ", "http://a.test/x"), ("/a b", "http://a.test/a%20b"),
        ("HTTP://b.test/x", "HTTP://b.test/x"), ("http://b.test", "http://b.test"),
        ("http://b.test:81/x", "http://b.test:81/x"), ("/x?a=http://c@d", "http://a.test/x?a=http://c@d"),
    ])
    func `Location is resolved against the current URL`(location: String, expected: String) throws {
        #expect(try followed(request("http://a.test/b/c/d;p?q"), location: location).url.absoluteString == expected)
    }

    @Test(arguments: [
        ("/echo?sig=a%2Bb%3D&f[x]=1", "/echo?sig=a%2Bb%3D&f%5Bx%5D=1"), ("/q?f[a]=x%20y", "/q?f%5Ba%5D=x%20y"),
        ("/echo/a%2Fb|c", "/echo/a%2Fb%7Cc"), ("/echo/café%20x", "/echo/caf%C3%A9%20x"),
        ("?u=100%&v=%20", "/b/c/d;p?u=100%25&v=%20"), ("/a%2Fb c", "/a%2Fb%20c"), ("/%zz%20%4", "/%25zz%20%254"),
        ("/%%20", "/%25%20"), ("/x?a={%7B}", "/x?a=%7B%7B%7D"), ("/x#%20[", "/x#%20%5B"), ("/x#a#%20", "/x#a%23%20"),
        ("/a%5C\\", "/a%5C%5C"), ("/%41[?%5B#%5D", "/%41%5B?%5B#%5D"), ("../x|%7C", "/b/x%7C%7C"),
        ("//b.test/%20[", "//b.test/%20%5B"), ("/é%cc%81", "/%C3%A9%cc%81"),
        ("http://b.test/%20\"", "//b.test/%20%22"),
    ])
    func `Only characters that a URL cannot contain are escaped in Location`(location: String, path: String) throws {
        let url = try followed(request("http://a.test/b/c/d;p?q"), location: location).url.absoluteString
        #expect(url == (path.hasPrefix("//") ? "http:" : "http://a.test") + path)
    }

    @Test(arguments: [("/x", "http://a.test/x#f%20g"), ("/x#new", "http://a.test/x#new"), ("/x#", "http://a.test/x#")])
    func `A fragment is inherited unless Location has one`(location: String, expected: String) throws {
        #expect(try followed(request("http://a.test/b#f%20g"), location: location).url.absoluteString == expected)
    }

    @Test(arguments: [
        nil, "", " ", "http://", "http:///x", "http:x", "ftp://b.test/", "file:///etc/passwd", "data:,x",
        "mailto:a@b.test", "http://b.test:port/", "http://[::1/", "/x\u{0}y", "/x\ny", "http://user:pw@b.test/",
        "//user@b.test/",
    ])
    func `A Location that leads nowhere makes the redirect the answer`(location: String?) {
        #expect(step(request(), location: location) == .deliver)
    }

    @Test(arguments: [
        ("http://a.test/", "/x", true), ("http://a.test/", "http://a.test/x", true),
        ("http://a.test/", "http://A.TEST/x", true), ("http://a.test/", "http://a.test:80/x", true),
        ("https://a.test:443/", "https://a.test/x", true), ("http://a.test/", "http://b.test/", false),
        ("http://a.test/", "http://sub.a.test/", false), ("http://a.test/", "//b.test/", false),
        ("http://a.test/", "http://a.test:81/", false), ("https://a.test/", "http://a.test/", false),
        ("http://a.test/", "https://a.test/", false), ("http://a.test:443/", "https://a.test/", false),
    ])
    func `Secrets stay with their origin`(url: String, location: String, kept: Bool) throws {
        let redirect = try followed(request(url), location: location, allowsInsecure: true)
        #expect(redirect.keepsOrigin == kept)
        for name in [
            "Authorization", "Cookie", "Host", "Origin", "Proxy-Authorization", "Referer", "X-API-Key", "X-Auth-Token",
            "X-Access-Token", "x-anything", "Api-Key", "Accept-Token", "User", "DPoP",
        ] {
            #expect(redirect.keepsHeader(name) == kept, "\(name)")
        }
    }

    @Test(arguments: [
        "Accept", "ACCEPT-LANGUAGE", "accept-encoding", "Accept-Charset", "User-Agent", "Range", "If-Range",
        "Cache-Control", "Pragma", "Last-Event-ID",
    ])
    func `What can be no secret goes along to every origin`(name: String) throws {
        #expect(try followed(request(), location: "http://b.test/").keepsHeader(name))
    }

    @Test(arguments: [307, 308])
    func `A request that changes something keeps its preconditions, to every origin`(status: Int) throws {
        let names = ["If-Match", "If-None-Match", "If-Unmodified-Since", "If-Modified-Since"]
        for method in ["PUT", "PATCH", "DELETE", "POST"] {
            let redirect = try followed(request(method: method), status: status, location: "http://b.test/")
            #expect(names.allSatisfy(redirect.keepsHeader))
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308], ["/x", "http://b.test/"])
    func `A request that only asks loses its preconditions, which belong to another resource`(
        status: Int, location: String
    ) throws {
        let names = ["If-Match", "If-None-Match", "If-Unmodified-Since", "If-Modified-Since"]
        for method in status == 303 ? ["GET", "HEAD", "PUT"] : ["GET", "HEAD", "QUERY"] {
            let redirect = try followed(request(method: method), status: status, location: location)
            #expect(!names.contains(where: redirect.keepsHeader))
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `No redirect leads from https to http, unless the rules allow it`(status: Int) throws {
        for location in ["http://a.test/", "HTTP://b.test/", "http://a.test:443/", " http://b.test/x#y "] {
            for method in ["GET", "POST"] {
                for canResendBody in [true, false] {
                    let request = request("HTTPS://a.test/", method: method, canResendBody: canResendBody)
                    #expect(step(request, status: status, location: location) == .insecure)
                }
            }
            let redirect = try followed(
                request("https://a.test/"), status: status, location: location, allowsInsecure: true)
            #expect(!redirect.keepsOrigin)
        }
        #expect(step(request("https://a.test/"), status: status, location: "//b.test/") != .insecure)
        #expect(step(request("http://a.test/"), status: status, location: "http://b.test/") != .insecure)
        #expect(step(request("https://a.test/"), status: status, location: "ftp://b.test/") == .deliver)
    }

    @Test func `Also a redirect past the limit is refused for being insecure, and only redirects are`() throws {
        let request = request("https://a.test/")
        let rules = RedirectRules(limit: 0)
        #expect(rules.step(after: request, status: 302, location: "http://a.test/", redirects: 0) == .insecure)
        #expect(rules.step(after: request, status: 200, location: "http://a.test/", redirects: 0) == .deliver)
    }

    @Test(arguments: [16 << 10, (16 << 10) + 1])
    func `A Location over 16 KB makes the redirect the answer`(length: Int) {
        let location = "/" + String(repeating: "x", count: length - 1)
        #expect((step(request(), location: location) == .deliver) == (length > 16 << 10))
    }

    @Test(arguments: [(0, true), (19, true), (20, false), (21, false)])
    func `The limit counts redirects followed`(redirects: Int, follows: Bool) {
        let step = RedirectRules().step(after: request(), status: 302, location: "/x", redirects: redirects)
        #expect((step == .tooMany) == !follows)
    }

    @Test func `Past the limit an answer is still an answer`() {
        #expect(RedirectRules(limit: 0).step(after: request(), status: 200, location: "/x", redirects: 0) == .deliver)
        #expect(RedirectRules(limit: 0).step(after: request(), status: 302, location: nil, redirects: 0) == .deliver)
    }

    private func request(
        _ url: String = "http://a.test/b", method: String = "GET", canResendBody: Bool = true
    ) -> RedirectRules.Request {
        RedirectRules.Request(
            method: method, url: URL(string: url) ?? URL(filePath: url), canResendBody: canResendBody)
    }

    private func step(
        _ request: RedirectRules.Request, status: Int = 302, location: String? = "/x"
    ) -> RedirectRules.Step {
        RedirectRules().step(after: request, status: status, location: location, redirects: 0)
    }

    private func followed(
        _ request: RedirectRules.Request, status: Int = 302, location: String = "/x", allowsInsecure: Bool = false
    ) throws -> RedirectRules.Redirect {
        let rules = RedirectRules(allowsInsecure: allowsInsecure)
        guard case .follow(let redirect) = rules.step(after: request, status: status, location: location, redirects: 0)
        else {
            throw NotFollowed(location: location)
        }
        return redirect
    }

    private struct NotFollowed: Error {
        let location: String
    }
}
