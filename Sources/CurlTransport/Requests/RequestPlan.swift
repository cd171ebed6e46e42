#if os(Linux) || os(Android)
import Foundation
package import HTTPRules

/// A checked request in the form that libcurl needs.
struct RequestPlan: Sendable {
    let url: String
    let isSecure: Bool
    let method: String
    let content: Content

    /// The fields to send.
    let headers: HeaderList

    /// The names of fields that libcurl would add, although the request must not have them.
    let suppressed: [String]

    /// True if a second copy of the request does no harm, so that it may be sent again after its connection was lost.
    /// Its method is idempotent (RFC 9110, section 9.2.2), or the server can detect the copy by its `Idempotency-Key`.
    let isRepeatable: Bool

    /// The form in which libcurl receives the body.
    enum Content: Sendable {
        case none
        /// A small body, which is copied into the first packet.
        case small(Data)
        /// A body that libcurl reads in pieces, with its length; nil if the length is unknown.
        case upload(Int64?)
    }

    /// Checks a request. Throws if the request could change its own framing, with a line break in a field or a second
    /// length.
    init(_ request: TransportRequest) throws(TransportError) {
        url = request.url.absoluteString
        isSecure = try Self.isSecure(url, request.url)
        method = request.method
        guard method == "GET" || method.utf8.allSatisfy(\.isTokenCharacter) && !method.isEmpty else {
            throw TransportError(.badRequest, "Invalid method: \(method.debugDescription)")
        }
        guard method != "CONNECT" else { throw TransportError(.unsupported, "The method CONNECT is not supported") }

        var headers = request.headers
        if !headers.isEmpty { headers.remove(["Content-Length", "Transfer-Encoding"]) }
        try Self.check(headers)
        if let login = request.login { try Self.check(login) }
        self.headers = headers
        content = try Self.content(of: request)
        suppressed = Self.suppressed(content, headers)
        isRepeatable = request.isRepeatable
    }

    private static func isSecure(_ text: String, _ url: URL) throws(TransportError) -> Bool {
        if startsPlainly(text, "http://") { return false }
        if startsPlainly(text, "https://") { return true }
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", url.host?.isEmpty == false else {
            // The message does not contain the URL, because the URL may contain a password.
            throw TransportError(.badURL, "The URL is not an absolute URL with the scheme http or https")
        }
        return scheme == "https"
    }

    /// Returns true if a simple test shows that a URL has this scheme and a host. Most URLs pass this test, which is
    /// faster than a test by `URL`.
    private static func startsPlainly(_ text: String, _ scheme: StaticString) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            let scheme = UnsafeBufferPointer(start: scheme.utf8Start, count: scheme.utf8CodeUnitCount)
            guard bytes.starts(with: scheme) else { return false }
            let host = bytes[scheme.count...].prefix {
                $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            }
            var rest = bytes[host.endIndex...]
            if rest.first == UInt8(ascii: ":") {
                rest = rest.dropFirst().drop(while: \.isASCIIDigit)
            }
            return !host.isEmpty && (rest.isEmpty || rest.first == UInt8(ascii: "/"))
        } ?? false
    }

    private static func check(_ headers: HeaderList) throws(TransportError) {
        let fields = headers.fields
        for index in fields.indices {
            let name = fields.bytes[fields.nameRange(at: index)]
            guard !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else {
                throw TransportError(.badRequest, "Invalid header name: \(fields.name(at: index).debugDescription)")
            }
            guard fields.bytes[fields.valueRange(at: index)].allSatisfy(\.isFieldCharacter) else {
                throw TransportError(.badRequest, "The header \(fields.name(at: index)) contains a control character")
            }
        }
    }

    /// libcurl writes the user name into a field, and ends both texts at a null character.
    private static func check(_ login: TransportRequest.Login) throws(TransportError) {
        guard login.user.utf8.allSatisfy(\.isFieldCharacter), login.password.utf8.allSatisfy(\.isFieldCharacter) else {
            throw TransportError(.badRequest, "The login contains a control character")
        }
    }

    private static func content(of request: TransportRequest) throws(TransportError) -> Content {
        let content: Content =
            switch request.body {
            case .none: mustHaveBody(request.method) ? .small(Data()) : .none
            case .data(let data): data.count <= smallBody ? .small(data) : .upload(Int64(data.count))
            case .file: .upload(nil)
            case .stream(_, let length): .upload(length)
            }
        if case .none = content { return content }
        guard request.method != "HEAD" else { throw TransportError(.unsupported, "A HEAD request cannot have a body") }
        if case .upload(let length?) = content, length < 0 {
            throw TransportError(.badRequest, "The length of a body cannot be \(length)")
        }
        return content
    }

    private static func suppressed(_ content: Content, _ headers: HeaderList) -> [String] {
        if case .none = content { return [] }
        return ["Expect", "Content-Type"].filter { !headers.contains($0) }
    }

    private static func mustHaveBody(_ method: String) -> Bool {
        method == "POST" || method == "PUT" || method == "PATCH"
    }

    private static let smallBody = 16 << 10
}

extension TransportOptions {
    /// The rules for redirects; nil if the transport follows no redirects.
    package var redirectRules: RedirectRules? {
        redirectLimit.map { RedirectRules(limit: $0, allowsInsecure: followsInsecureRedirects) }
    }

    /// Throws if a header in the options cannot be sent.
    func checkHeaders() throws(TransportError) {
        guard (userAgent ?? "").utf8.allSatisfy(\.isFieldCharacter) else {
            throw TransportError(.badRequest, "A header of the options contains a control character")
        }
        for name in acceptedEncodings ?? [] where name != "identity" && ContentCoding(name) == nil {
            throw TransportError(
                .unsupported, "The transport can decode gzip and deflate only, but the options contain another coding")
        }
    }
}
#endif
