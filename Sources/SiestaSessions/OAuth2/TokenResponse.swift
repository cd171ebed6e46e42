import Foundation
import HTTPRules
import JSONCoding
import SiestaCore

/// The tokens in a response of the token endpoint (RFC 6749 §5). Pure.
struct TokenResponse: Equatable {
    let accessToken: String
    /// The new refresh token; nil if the old one stays valid.
    let refreshToken: String?
    /// The time until the access token expires, in seconds; nil if it is unknown.
    let lifetime: TimeInterval?
    let scope: String?

    /// The maximum size of a response, in bytes.
    static let sizeLimit = 1 << 20
    /// The maximum lifetime, in seconds: a hundred years.
    static let lifetimeLimit: TimeInterval = 100 * 365 * 86_400
    /// The name of the lifetime in the details of a credential.
    static let lifetimeName = "expires_in"

    /// Reads a response.
    ///
    /// - Throws: The reason why it contains no tokens. It contains no part of the body except an error code.
    init(status: Int, body: Data, retryAfter: String? = nil) throws(Failure) {
        try self.init(Self.members(status: status, body: body, retryAfter: retryAfter))
    }

    /// Reads the JSON object in a successful response of an endpoint.
    ///
    /// - Throws: The reason why there is none.
    static func members(status: Int, body: Data, retryAfter: String?) throws(Failure) -> [String: Member] {
        if 300..<400 ~= status { throw .invalid("it is a redirect (\(status)), which is not followed") }
        if [408, 429].contains(status) || status >= 500 { throw .status(status, retryAfter: retryAfter) }
        guard body.count <= Self.sizeLimit else { throw .invalid("it is larger than \(Self.sizeLimit) bytes") }
        let members = try? JSONCoding.decode([String: Member].self, from: body)
        if let code = members?["error"]?.text { throw .refused(Self.cleaned(code), status: status) }
        guard 200..<300 ~= status else { throw .status(status, retryAfter: retryAfter) }
        guard let members else { throw .invalid("it is not a JSON object") }
        return members
    }

    private init(_ members: [String: Member]) throws(Failure) {
        guard let token = members["access_token"]?.text, !token.isEmpty else {
            throw .invalid("it has no access_token")
        }
        guard Self.isToken(token) else { throw .invalid("its access_token contains invalid characters") }
        // RFC 6749 requires the type, but some servers omit it.
        if let type = members["token_type"], type.text?.lowercased() != "bearer" {
            throw .invalid("its token_type is not Bearer")
        }
        let refresh = members["refresh_token"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        guard refresh.map(Self.isToken) ?? true else { throw .invalid("its refresh_token contains invalid characters") }
        (accessToken, refreshToken) = (token, refresh)
        lifetime = Self.lifetime(members)
        scope = members["scope"]?.text
    }

    /// Returns true if all characters are visible ASCII characters or spaces (RFC 6749 §A.12 and §A.17).
    static func isToken(_ text: String) -> Bool { text.utf8.allSatisfy { 0x20...0x7E ~= $0 } }

    static func lifetime(_ members: [String: Member]) -> TimeInterval? {
        members[lifetimeName]?.number.flatMap(usable)
    }

    /// Returns a usable lifetime. A value that is not a positive number counts as unknown: otherwise, each request would
    /// refresh the token.
    static func usable(_ lifetime: TimeInterval) -> TimeInterval? { lifetime > 0 ? min(lifetime, lifetimeLimit) : nil }

    /// Returns an error code that can be shown. A code of other characters than letters and underscores, which all codes
    /// of the standards have, could contain anything, such as a token.
    static func cleaned(_ code: String) -> String {
        let isCode =
            1...64 ~= code.utf8.count
            && code.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "_")
            }
        return isCode ? code : "unknown_error"
    }

    /// Returns the new credential. What the response does not contain comes from the old credential, except the
    /// expiration date.
    func credential(replacing old: Credential?, requestedAt start: Date) -> Credential {
        var credential = old ?? Credential(accessToken)
        credential.secret = accessToken
        credential.refreshToken = refreshToken ?? old?.refreshToken
        credential.setLifetime(lifetime, from: start)
        if let scope { credential.details["scope"] = scope }
        return credential
    }

    /// One member of a JSON object, as far as the responses of endpoints use it.
    enum Member: Decodable {
        case text(String)
        case number(Double)
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // The standards allow ASCII only. Other texts are not compared, because they could take a long time.
            if let text = try? container.decode(String.self) {
                self = StreamSafety.allows(text) ? .text(text) : .other
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .other
            }
        }

        var text: String? {
            if case .text(let text) = self { text } else { nil }
        }

        /// The number, even if it is written as a string.
        var number: Double? {
            switch self {
            case .text(let text): Double(text)
            case .number(let number): number
            case .other: nil
            }
        }
    }
}

extension TokenResponse {
    /// The reason why a response contains no tokens.
    enum Failure: Error, Hashable {
        /// The server answered with an error code (RFC 6749 §5.2).
        case refused(String, status: Int)
        /// The server failed, or answered with an unexpected status.
        case status(Int, retryAfter: String?)
        /// The response is not valid. The text is the reason.
        case invalid(String)

        /// The codes after which a refresh token will never work again.
        private static let finalCodes: Set<String> = ["invalid_grant", "invalid_client", "unauthorized_client"]

        /// The error of a refresh. The user must sign in again only if a client error (4xx) contains a final code.
        var refreshError: any Error {
            if case .refused(let code, 400..<500) = self, Self.finalCodes.contains(code) {
                return SessionExpired(reason: code)
            }
            return error
        }

        /// The error of the first request for a credential.
        var error: RequestError {
            let messages = UserMessages.current
            switch self {
            case .refused(let code, let status):
                let cause = RequestError.Failure.authorizationRefused(code)
                return RequestError(
                    statusCode: status, headerFields: nil, content: nil, cause: cause,
                    userMessage: messages.requestFailed)
            case .status(let status, let retryAfter):
                // An entity carries the field, from which `RequestError.retryAfter` is computed.
                let fields = retryAfter.map { HeaderFields(["retry-after": $0]) }
                return RequestError(
                    statusCode: status, headerFields: fields, content: fields.map { _ in Data() }, cause: nil)
            case .invalid(let reason):
                return RequestError(.init(.invalidTokenResponse, reason: reason))
            }
        }
    }
}

extension TokenResponse: CustomStringConvertible, CustomReflectable {
    /// The name of the type, without any part of the tokens.
    var description: String { "TokenResponse" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}
