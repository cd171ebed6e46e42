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
}
