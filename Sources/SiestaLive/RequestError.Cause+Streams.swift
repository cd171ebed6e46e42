public import Foundation
public import SiestaCore

extension RequestError.Cause {
    /// The content type of the response to a request for events is not `text/event-stream`.
    public struct NoEventStream: LocalizedError, Hashable {
        /// The content type of the response.
        public let contentType: String

        public init(contentType: String) { self.contentType = contentType }

        /// The message ``UserMessages/cannotParseResponse``.
        public var errorDescription: String? { UserMessages.current.cannotParseResponse }
    }

    /// An event of a stream has more bytes than ``EventStream/Options/eventLimit``.
    public struct EventTooLong: LocalizedError, Hashable {
        /// The limit in bytes.
        public let limit: Int

        public init(limit: Int) { self.limit = limit }

        /// The message ``UserMessages/cannotParseResponse``.
        public var errorDescription: String? { UserMessages.current.cannotParseResponse }
    }

    /// A stream has sent nothing for ``EventStream/Options/silenceLimit``, not even a comment.
    public struct StreamSilent: LocalizedError, Hashable {
        /// The limit in seconds.
        public let limit: TimeInterval

        public init(limit: TimeInterval) { self.limit = limit }

        /// The message ``UserMessages/requestFailed``.
        public var errorDescription: String? { UserMessages.current.requestFailed }
    }
}

extension RequestError.Cause.NoEventStream: CustomStringConvertible, CustomReflectable {
    /// The content type, which the server has chosen, on one line.
    public var description: String { "NoEventStream(\(PreparedText.line(contentType, limit: 100)))" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
