import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request to an endpoint of an OAuth 2.0 server (RFC 6749 §3.2). Pure.
struct TokenRequest {
    /// A client of the server (RFC 6749 §2).
    struct Client: Sendable, CustomStringConvertible, CustomReflectable {
        let id: String
        /// The secret; nil for a public client.
        let secret: String?
        /// True if the secret is a parameter of the body; false if it is in the field `Authorization`.
        let sendsSecretInBody: Bool
        let tokenURL: URL
        let revocationURL: URL?

        /// The token endpoint, without the secret of the client.
        var description: String { PreparedText.url(tokenURL) }

        var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    let url: URL
    /// The parameters of the body, in their order.
    let form: [(String, String)]

    /// Returns the request with the authentication of the client.
    ///
    /// - Throws: A ``RequestError`` with the code ``RequestError/Code/insecureAddress``.
    func urlRequest(_ client: Client) throws(RequestError) -> URLRequest {
        try Self.check(url)
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpShouldHandleCookies = false
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        var form = form
        if let secret = client.secret, !client.sendsSecretInBody {
            let field = BasicAuthentication.field(Self.encoded(client.id), Self.encoded(secret))
            request.setValue(field, forHTTPHeaderField: "Authorization")
        } else {
            form.append(("client_id", client.id))
            if let secret = client.secret { form.append(("client_secret", secret)) }
        }
        let body = form.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
        request.httpBody = Data(body.utf8)
        return request
    }

    /// Escapes a text for a form. A space becomes `%20`, which decoders of forms accept, as `+`.
    private static func encoded(_ text: String) -> String { String(PercentEncoding.escapeFormItem(text)) }

    /// Refuses addresses to which tokens would travel in plain text (RFC 6749 §3.2): all without TLS, except those of
    /// this machine.
    static func check(_ url: URL) throws(RequestError) {
        let scheme = url.scheme?.lowercased()
        if let host = url.host, !host.isEmpty, scheme == "https" || scheme == "http" && isLoopback(host) { return }
        let reason = "the URL is not secure, use https: \(PreparedText.url(url))"
        throw RequestError(.init(.insecureAddress, reason: reason))
    }

    /// Returns true for `localhost`, an IPv4 address of 127.0.0.0/8, and `::1`.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress = parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) && UInt8($0) != nil }
        return isAddress && parts[0] == "127"
    }
}
