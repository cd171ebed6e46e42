import Dispatch
import Foundation
import Isolation
import TestKit
import Testing

@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.test))
struct SessionCookiesTests {
    @Test func `A request that starts while the cookies are being loaded carries them`() throws {
        let (began, mayEnd, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let cookie = Cookie(
            name: "a", value: "b", domain: "api.test", includesSubdomains: false, path: "/", expires: nil,
            isSecure: false, isHTTPOnly: false)
        let loading: @Sendable () -> [Cookie] = {
            began.signal()
            mayEnd.wait()
            return [cookie]
        }
        let cookies = SessionCookies(loading: loading, onChange: nil)
        let request = URLRequest(url: try #require(URL(string: "http://api.test/")))
        let field = Locked<String?>(nil)
        DispatchQueue.global().async { _ = cookies.adding(to: request) }
        began.wait()
        DispatchQueue.global().async {
            let sent = cookies.adding(to: request).value(forHTTPHeaderField: "Cookie")
            field.withLock { $0 = sent }
            done.signal()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { mayEnd.signal() }
        done.wait()
        #expect(field.withLock { $0 } == "a=b")
    }

    @Test(arguments: [true, false])
    func `The end of an IP address is no domain to which other addresses belong`(isStored: Bool) throws {
        let (host, other) = (try url("http://127.0.0.1/"), try url("http://10.0.0.1/"))
        let stored = Cookie(
            name: "a", value: "b", domain: "0.0.1", includesSubdomains: true, path: "/", expires: nil, isSecure: false,
            isHTTPOnly: false)
        let loading: (@Sendable () -> [Cookie])? = isStored ? { @Sendable in [stored] } : nil
        let cookies = SessionCookies(loading: loading, onChange: nil)
        for field in isStored ? ["own=1"] : ["own=1", "a=b; Domain=0.0.1"] {
            let response = HTTPURLResponse(
                url: host, statusCode: 200, httpVersion: nil, headerFields: ["Set-Cookie": field])
            cookies.receive(try #require(response), from: host)
        }
        #expect(cookies.adding(to: URLRequest(url: other)).value(forHTTPHeaderField: "Cookie") == nil)
        #expect(cookies.adding(to: URLRequest(url: host)).value(forHTTPHeaderField: "Cookie") == "own=1")
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(arguments: [true, false], [true, false])
    func `Max-Age counts, and not Expires of the same cookie`(_ isKept: Bool, _ isFirst: Bool) throws {
        let age = isKept ? "Max-Age=100" : "Max-Age=0"
        let end = "Expires=" + (isKept ? "Thu, 01 Jan 1970 00:00:00 GMT" : "Fri, 01 Jan 2100 00:00:00 GMT")
        let attributes = isFirst ? "\(age); Path=/; \(end)" : "\(end); Path=/; \(age)"
        let cookies = SessionCookies(loading: nil, onChange: nil)
        let host = try url("http://api.test/")
        let response = HTTPURLResponse(
            url: host, statusCode: 200, httpVersion: nil,
            headerFields: ["Set-Cookie": "a=1; \(attributes), b=2; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT"])
        cookies.receive(try #require(response), from: host)
        let sent = cookies.adding(to: URLRequest(url: host)).value(forHTTPHeaderField: "Cookie") ?? ""
        #expect(sent.contains("a=1") == isKept)
        #expect(sent.contains("b=2"))
    }
}
