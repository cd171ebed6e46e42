public import Foundation

extension RedirectRules {
    /// The request properties on which the rules depend.
    public struct Request: Sendable, Equatable {
        /// The method of the request.
        public var method: String

        /// The absolute URL to which the request was sent.
        public var url: URL

        /// True if the body can be sent a second time, or if the request has no body.
        public var canResendBody: Bool

        /// Creates a request with the given properties.
        public init(method: String, url: URL, canResendBody: Bool) {
            self.method = method
            self.url = url
            self.canResendBody = canResendBody
        }
    }

    /// The action that the rules require after a response.
    public enum Step: Sendable, Equatable {
        /// Deliver the response, because it is not a redirect, or is a redirect that cannot be followed.
        case deliver
        /// Fail: the limit of redirects is reached.
        case tooMany
        /// Fail: the redirect leads from https to http, which the rules do not allow.
        case insecure
        /// Send a new request with the given changes. The response to the new request replaces the redirect.
        case follow(Redirect)
    }

    /// The changes that turn the redirected request into the next request.
    public struct Redirect: Sendable, Equatable {
        /// The absolute URL of the next request. It has a host, and the scheme http or https.
        public var url: URL

        /// The method of the next request.
        public var method: String

        /// True if the next request has the body of the redirected request; otherwise it has no body.
        public var keepsBody: Bool

        /// True if the next request has the same scheme, host and port as the redirected request.
        public var keepsOrigin: Bool

        /// Creates a redirect with the given properties.
        public init(url: URL, method: String, keepsBody: Bool, keepsOrigin: Bool) {
            self.url = url
            self.method = method
            self.keepsBody = keepsBody
            self.keepsOrigin = keepsOrigin
        }
    }
}

extension RedirectRules.Request: CustomStringConvertible, CustomReflectable {
    /// The method, and the URL without secrets.
    public var description: String { RedirectRules.line(method, url) }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RedirectRules.Redirect: CustomStringConvertible, CustomReflectable {
    /// The method, and the URL without secrets.
    public var description: String { RedirectRules.line(method, url) }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RedirectRules {
    fileprivate static func line(_ method: String, _ url: URL) -> String {
        PlainText.line("\(method) \(URLText()(url.absoluteString))", limit: 2000)
    }
}
