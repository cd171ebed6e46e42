import Foundation
import FuzzDriver
import HTTPRules

@main
struct RedirectFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// Takes an input for a status, a URL and a `Location`, and checks what must be true of every redirect that is
/// followed.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let selector = input.first else { return 0 }
    let parts = input.dropFirst().split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return 0 }
    let base = "http" + (selector & 1 == 0 ? "" : "s") + "://example.com/" + String(decoding: parts[0], as: UTF8.self)
    guard let url = URL(string: base), url.host == "example.com" else { return 0 }
    let location = String(decoding: parts[1], as: UTF8.self)
    let statuses = [200, 300, 301, 302, 303, 304, 307, 308]
    let request = RedirectRules.Request(
        method: selector & 2 == 0 ? "GET" : "POST", url: url, canResendBody: selector & 4 == 0)
    let status = statuses[Int(selector >> 3) % statuses.count]
    let step = RedirectRules(limit: 20).step(
        after: request, status: status, location: location, redirects: selector & 0x40 == 0 ? 0 : 20)
    guard case .follow(let redirect) = step else { return 0 }
    check(redirect, after: request, status: status, location: location)
    return 0
}

private func check(
    _ redirect: RedirectRules.Redirect, after request: RedirectRules.Request, status: Int, location: String
) {
    let text = redirect.url.absoluteString
    precondition(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text.debugDescription)")
    let scheme = redirect.url.scheme?.lowercased()
    precondition(scheme == "http" || scheme == "https")
    precondition(redirect.url.host?.isEmpty == false && redirect.url.user == nil && redirect.url.password == nil)
    precondition([301, 302, 303, 307, 308].contains(status) && location.utf8.count <= 16 << 10)
    precondition(request.url.scheme == "http" || scheme == "https")
    precondition(redirect.keepsBody ? redirect.method == request.method : redirect.method == "GET")
    let defaultPort = request.url.scheme == "https" ? 443 : 80
    if !text.lowercased().hasPrefix("\(request.url.scheme ?? "")://example.com/") {
        let isSameOrigin =
            redirect.url.host?.lowercased() == "example.com" && scheme == request.url.scheme
            && (redirect.url.port ?? defaultPort) == defaultPort
        precondition(isSameOrigin == redirect.keepsOrigin, "\(text)")
        precondition(isSameOrigin == redirect.keepsHeader("Authorization"), "\(text)")
    }
    precondition(URL(string: text)?.host == redirect.url.host)  // what another parser will read
}
