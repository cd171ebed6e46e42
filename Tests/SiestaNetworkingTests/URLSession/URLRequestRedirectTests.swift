import Foundation
import HTTPRules

import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.test))
struct URLRequestRedirectTests {
    @Test func `A redirect that keeps the body changes the URL alone`() throws {
        let redirect = try RedirectRules.Redirect(
            url: url("http://b.test/x"), method: "POST", keepsBody: true, keepsOrigin: true)
        let next = try post.following(redirect)
        #expect(next.url?.absoluteString == "http://b.test/x")
        #expect(next.httpMethod == "POST")
        #expect(next.httpBody == Data("body".utf8))
        #expect(try next.allHTTPHeaderFields == post.allHTTPHeaderFields)
    }

    @Test func `A redirect that drops the body drops a stream, too`() throws {
        let redirect = try RedirectRules.Redirect(
            url: url("http://b.test/x"), method: "GET", keepsBody: false, keepsOrigin: true)
        #expect(try post.following(redirect).httpBody == nil)
        var streaming = try post
        streaming.httpBodyStream = InputStream(data: Data("body".utf8))
        #expect(streaming.following(redirect).httpBodyStream == nil)
        #expect(streaming.following(redirect).httpMethod == "GET")
    }

    @Test func `To another origin, only what can be no secret goes along, and what describes the body`() throws {
        let redirect = try RedirectRules.Redirect(
            url: url("http://b.test/x"), method: "POST", keepsBody: true, keepsOrigin: false)
        var request = try post
        for name in ["x-access-token", "AUTHORIZATION", "Cookie"] { request.setValue("s", forHTTPHeaderField: name) }
        #expect(try request.following(redirect).allHTTPHeaderFields == post.allHTTPHeaderFields)
    }

    @Test(arguments: [307, 308])
    func `A stream cannot be sent twice, so the redirect is the answer`(status: Int) throws {
        var request = try post
        #expect(step(after: request, status: status) != .deliver)
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        #expect(step(after: request, status: status) == .deliver)
        #expect(step(after: request, status: 303) != .deliver)
    }

    private func step(after request: URLRequest, status: Int) -> RedirectRules.Step {
        RedirectRules().step(after: request, status: status, location: "/x", redirects: 0)
    }

    private var post: URLRequest {
        get throws {
            var request = try URLRequest(url: url("http://a.test/"))
            request.httpMethod = "POST"
            request.httpBody = Data("body".utf8)
            request.allHTTPHeaderFields = ["accept": "a/b", "Content-Type": "text/plain"]
            return request
        }
    }

    private func url(_ text: String) throws -> URL {
        try #require(URL(string: text))
    }
}
