#if os(Linux) || os(Android)
import CCurl
import Foundation
import HTTPRules

/// The cookies of a jar in libcurl. Only the engine's thread may use them. The handles that use the share keep it alive.
final class CookieShare {
    let number: Int
    let share: OpaquePointer
    private var receivedCount = 0

    init?(number: Int) {
        guard let share = ccurl_cookie_share_make() else { return nil }
        self.number = number
        self.share = share
    }

    deinit {
        ccurl_share_cleanup(share)
    }

    /// The cookies, as lines in Netscape's format.
    var lines: [String] {
        withHandle { easy in
            let list = ccurl_get_cookies(easy)
            defer { ccurl_slist_free(list) }
            var lines: [String] = []
            var next = list
            while let item = next {
                if let line = item.pointee.data { lines.append(Self.text(of: line)) }
                next = item.pointee.next
            }
            return lines
        } ?? []
    }

    /// Adds cookies. libcurl ignores lines that are not in the format.
    func add(_ lines: [String]) {
        var rest = lines[...]
        while !rest.isEmpty {
            withHandle { easy in
                for line in rest.prefix(Self.linesOfHandle) {
                    let bytes = CookieLine.bytes(of: line).map { CChar(bitPattern: $0) }
                    _ = ccurl_set_text(easy, CCURL_OPT_COOKIELIST, bytes + [0])
                }
            }
            rest = rest.dropFirst(Self.linesOfHandle)
        }
    }

    /// Returns the text of a line of libcurl, with the path that libcurl compares. The path as the server has sent it may
    /// be one that libcurl would not read again.
    private static func text(of line: UnsafePointer<CChar>) -> String {
        let bytes = UnsafeBufferPointer(start: line, count: strlen(line)).map { UInt8(bitPattern: $0) }
        let text = CookieLine.text(of: bytes)
        return CookieLine(text)?.text ?? text
    }

    /// Removes the cookies whose lines satisfy a condition.
    func remove(where isRemoved: (String) -> Bool) {
        let all = lines
        let kept = all.filter { !isRemoved($0) }
        if kept.count < all.count { replaceAll(by: kept) }
    }

    /// Records a received `Set-Cookie` field. Returns true if the number of cookies must be limited.
    func noteReceived() -> Bool {
        receivedCount += 1
        return receivedCount.isMultiple(of: CookieLimit.interval)
    }

    /// Removes cookies if there are too many.
    func limit() {
        let all = lines
        let kept = CookieLimit.kept(of: all)
        if kept.count < all.count { replaceAll(by: kept) }
    }

    private func replaceAll(by kept: [String]) {
        _ = withHandle { ccurl_set_text($0, CCURL_OPT_COOKIELIST, "ALL") }  // libcurl can remove only all cookies
        add(kept)
    }

    /// Calls `work` with a new handle. Returns nil if there is no memory.
    @discardableResult
    private func withHandle<Value>(_ work: (OpaquePointer) -> Value) -> Value? {
        guard let easy = ccurl_easy_make() else { return nil }
        defer { ccurl_easy_cleanup(easy) }
        _ = ccurl_set_share(easy, share)
        defer { _ = ccurl_set_share(easy, nil) }
        return work(easy)
    }

    /// The number of cookies that a handle accepts, as those of one response. Later ones are ignored.
    private static let linesOfHandle = 50
}
#endif
