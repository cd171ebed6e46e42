public import Foundation
public import SiestaCore

extension RequestError.Cause {
    /// A response of an authorization server is not a valid token response (RFC 6749 §5), or not a valid device
    /// authorization response (RFC 8628 §3.2).
    ///
    /// The error contains no part of the response.
    public struct InvalidTokenResponse: LocalizedError, CustomStringConvertible, Hashable {
        /// The reason, in English.
        public let reason: String

        init(reason: String) {
            self.reason = reason
        }

        /// The message ``UserMessages/cannotParseResponse``.
        public var errorDescription: String? { UserMessages.current.cannotParseResponse }

        /// The reason.
        public var description: String { "The response of the authorization server is not valid: \(reason)" }
    }

    /// An authorization server refused a request for a credential with an error code (RFC 6749 §4.1.2.1 and §5.2, RFC 8628
    /// §3.5).
    ///
    /// For example, the code is `access_denied` if the user has refused the authorization, and `expired_token` if the user
    /// has not entered the code of a device in time.
    public struct AuthorizationRefused: LocalizedError, CustomStringConvertible, Hashable {
        /// The error code; `unknown_error` if the server sent other characters than letters and underscores.
        public let code: String

        init(code: String) {
            self.code = code
        }

        /// The message ``UserMessages/requestFailed``.
        public var errorDescription: String? { UserMessages.current.requestFailed }

        /// The error code.
        public var description: String { "The authorization server refused the request: \(code)" }
    }

    /// A URL cannot be the end of an authorization: it does not belong to the flow, or contains no code (RFC 6749
    /// §4.1.2).
    ///
    /// The reason may be an attack. The error contains no part of the URL.
    public struct InvalidCallback: LocalizedError, CustomStringConvertible, Hashable {
        /// The reason, in English.
        public let reason: String

        init(reason: String) {
            self.reason = reason
        }

        /// The message ``UserMessages/requestFailed``.
        public var errorDescription: String? { UserMessages.current.requestFailed }

        /// The reason.
        public var description: String { "The URL does not complete the authorization: \(reason)" }
    }

    /// The URL of an authorization server is not an HTTPS URL, and not a URL of this machine. Nothing was sent.
    public struct InsecureAddress: LocalizedError, CustomStringConvertible, Hashable {
        /// The URL.
        public let url: URL

        init(url: URL) {
            self.url = url
        }

        /// The message ``UserMessages/cannotSendRequest``.
        public var errorDescription: String? { UserMessages.current.cannotSendRequest }

        /// The URL without its secrets, and the remedy.
        public var description: String { "The URL is not secure, use https: \(PreparedText.url(url))" }
    }
}

extension RequestError.Cause.InsecureAddress: CustomReflectable {
    /// No children: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
