public import Foundation

extension RedirectRules {
    /// What the rules need to know of the request that was answered.
    public struct Request: Sendable, Equatable {
        /// The method of the request.
        public var method: String

        /// The absolute URL that the request was sent to.
        public var url: URL

        /// Whether the body can be sent a second time, which is true of a request without one.
        public var canResendBody: Bool

        /// Describes a request.
        public init(method: String, url: URL, canResendBody: Bool) {
            self.method = method
            self.url = url
            self.canResendBody = canResendBody
        }
    }

    /// What to do about one response.
    public enum Step: Sendable, Equatable {
        /// The response at hand is the answer.
        case deliver
        /// Give up: the limit of redirects is reached.
        case tooMany
        /// Give up: the redirect leads from https to http.
        case insecure
        /// Send the request again with these changes; the answer to that counts.
        case follow(Redirect)
    }

    /// How the next request differs from the one that was answered.
    public struct Redirect: Sendable, Equatable {
        /// Where the next request goes: an absolute URL of scheme http or https, with a host.
        public var url: URL

        /// The method of the next request.
        public var method: String

        /// Whether the body goes along; if not, the next request has none.
        public var keepsBody: Bool

        /// Whether scheme, host and port of the next request are those of the one that was answered.
        public var keepsOrigin: Bool

        /// Describes a redirect.
        public init(url: URL, method: String, keepsBody: Bool, keepsOrigin: Bool) {
            self.url = url
            self.method = method
            self.keepsBody = keepsBody
            self.keepsOrigin = keepsOrigin
        }
    }
}
