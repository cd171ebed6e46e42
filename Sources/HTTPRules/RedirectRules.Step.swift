public import Foundation

extension RedirectRules {
    /// The properties of a request that the rules depend on.
    public struct Request: Sendable, Equatable {
        /// The method of the request.
        public var method: String

        /// The absolute URL to which the request was sent.
        public var url: URL

        /// True if the body can be sent a second time. A request without a body counts as repeatable.
        public var canResendBody: Bool

        /// Creates the description of a request.
        public init(method: String, url: URL, canResendBody: Bool) {
            self.method = method
            self.url = url
            self.canResendBody = canResendBody
        }
    }

    /// The action that follows one response.
    public enum Step: Sendable, Equatable {
        /// Deliver the response.
        case deliver
        /// Fail: the limit of redirects is reached.
        case tooMany
        /// Fail: the redirect leads from https to http.
        case insecure
        /// Send a new request with these changes; its response counts.
        case follow(Redirect)
    }

    /// The differences between the next request and the redirected one.
    public struct Redirect: Sendable, Equatable {
        /// The absolute URL of the next request. It has a host, and the scheme http or https.
        public var url: URL

        /// The method of the next request.
        public var method: String

        /// True if the next request has the body of the redirected one; otherwise it has no body.
        public var keepsBody: Bool

        /// True if scheme, host and port of the next request are the same as before.
        public var keepsOrigin: Bool

        /// Creates the description of a redirect.
        public init(url: URL, method: String, keepsBody: Bool, keepsOrigin: Bool) {
            self.url = url
            self.method = method
            self.keepsBody = keepsBody
            self.keepsOrigin = keepsOrigin
        }
    }
}
