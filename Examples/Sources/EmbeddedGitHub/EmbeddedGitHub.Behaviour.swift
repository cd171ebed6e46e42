public import Foundation

extension EmbeddedGitHub {
    /// How the server treats its clients.
    public struct Behaviour: Sendable, Hashable {
        /// What can be wrong with every answer.
        public enum Fault: String, Sendable, Hashable, CaseIterable {
            /// 500, with JSON that says so.
            case serverError

            /// 403 with `X-RateLimit-Remaining: 0` and a reset in the future; `/rate_limit` still answers.
            case rateLimited

            /// Bytes that are no HTTP, then the end of the connection.
            case garbage

            /// Half of the content that `Content-Length` promises, then the end of the connection.
            case cutBody

            /// 200 and the right headers, with content that is no JSON.
            case brokenJSON

            /// The end of the connection, without a byte.
            case noAnswer

            /// Nothing for writes that were carried out: their connections stay open until ``EmbeddedGitHub/stop()``. All
            /// other requests are answered.
            case silentWrites
        }

        /// What can be wrong with an avatar.
        public enum AvatarFault: String, Sendable, Hashable, CaseIterable {
            /// 404.
            case missing

            /// 200 and the right headers, with content that begins like an image and is none.
            case garbage
        }

        /// How long every answer waits, in seconds; anything below 0 counts as 0, `.infinity` is until ``stop()``.
        public var latency: TimeInterval

        /// How fast content is sent, at least 1; nil is as fast as the client takes it.
        public var bytesPerSecond: Int?

        /// What is wrong; nil for a server in good health.
        public var fault: Fault?

        /// The time in seconds after which the rate limit is renewed, in each answer with the fault ``Fault/rateLimited``;
        /// nil for the end of the hour. A number below 1 counts as 1.
        public var quotaReset: Int?

        /// The avatars that are missing or broken, by the login of their account.
        public var avatarFaults: [String: AvatarFault]

        /// True if the streams of events are cut, and requests for new ones get no answer.
        public var cutsStreams: Bool

        /// A server in good health, as far as nothing else is said.
        public init(
            latency: TimeInterval = 0, bytesPerSecond: Int? = nil, fault: Fault? = nil, quotaReset: Int? = nil,
            avatarFaults: [String: AvatarFault] = [:], cutsStreams: Bool = false
        ) {
            (self.latency, self.bytesPerSecond, self.fault) = (latency, bytesPerSecond, fault)
            (self.quotaReset, self.avatarFaults, self.cutsStreams) = (quotaReset, avatarFaults, cutsStreams)
        }
    }
}
