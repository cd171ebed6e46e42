#if os(Linux) || os(Android)
import CCurl
import Foundation

/// The cookies of a handle.
extension EasyHandle {
    /// Makes the handle use the cookies of a jar, or none.
    func use(_ jar: CookieShare?) {
        guard self.jar !== jar else { return }
        if self.jar != nil {
            _ = ccurl_set_text(easy, CCURL_OPT_COOKIEFILE, nil)  // first, because it may empty a store of the handle
            _ = ccurl_set_share(easy, nil)
        }
        if let jar {
            _ = ccurl_set_share(easy, jar.share)
            _ = ccurl_set_text(easy, CCURL_OPT_COOKIEFILE, "")  // enables cookies, and reads no file
        }
        self.jar = jar
    }

    /// The number of the jar that the handle uses; nil if it uses none.
    var jarNumber: Int? { jar?.number }

    /// True if the transport stores cookies itself.
    var keepsCookies: Bool { loop.settings.cookies != nil }

    /// Records that a response has set a cookie.
    func noteCookie(of exchange: CurlExchange) {
        guard let cookies = loop.settings.cookies else {
            exchange.state.request.cookieJar?.noteChange()
            return
        }
        guard cookies.noteReceived() else { return }
        // Later, because libcurl is about to store the cookie.
        exchange.commands.submit(.perform { $0.settings.cookies?.limit() })
    }

    /// Returns true if a header line sets a cookie. It is cheap, because it is called for each line.
    static func setsCookie(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.count > 11, line[0] | 0x20 == UInt8(ascii: "s"), line[3] == UInt8(ascii: "-") else { return false }
        return line[4] | 0x20 == UInt8(ascii: "c") && line[5] | 0x20 == UInt8(ascii: "o")
    }
}
#endif
