public import Foundation

extension RequestError.Cause {
    /// A value in a response with several JSON values cannot be read.
    public struct InvalidStreamValue: LocalizedError {
        /// The reason why a value cannot be read.
        public enum Reason: Sendable {
            /// The text is not JSON, or is not a value of the type. The error is the decoder's error.
            case undecodable(any Error)
            /// The value may be incomplete: it has no white space after it (RFC 7464 §2.4).
            case truncated
            /// The text has more bytes than the limit.
            case tooLong(limit: Int)
            /// The text sequence does not begin with a record separator. Check the format.
            case missingSeparator
        }

        /// The number of the line, or of the value in a text sequence, beginning with 1. 0 for content before the first
        /// record separator.
        public let number: Int
        /// The reason.
        public let reason: Reason

        public init(number: Int, reason: Reason) {
            self.number = number
            self.reason = reason
        }

        /// The message ``UserMessages/cannotParseResponse``.
        public var errorDescription: String? { UserMessages.current.cannotParseResponse }
    }

    /// A response, or a part of it, is not a multipart body (RFC 2046 §5.1) within the limits.
    public struct InvalidMultipartResponse: LocalizedError, Hashable {
        /// The reason why the parts cannot be read.
        public enum Reason: Error, Hashable {
            /// The content type is not `multipart/…`.
            case notMultipart(contentType: String)
            /// The content type has no parameter `boundary`, or the parameter is not a legal boundary.
            case missingBoundary
            /// The body ends before the delimiter that closes it.
            case truncated
            /// A line of the headers is not a header.
            case malformedHeader
            /// The headers have more bytes than ``MultipartLimits/maximumHeaderSize``.
            case headersTooLong(limit: Int)
            /// The content of a part, or the text before the first part, has more bytes than
            /// ``MultipartLimits/maximumPartSize``.
            case partTooLong(limit: Int)
            /// There are more parts than ``MultipartLimits/maximumPartCount``.
            case tooManyParts(limit: Int)
        }

        /// The number of the part, beginning with 1; 0 before the first part.
        public let partNumber: Int
        /// The reason.
        public let reason: Reason

        public init(partNumber: Int, reason: Reason) {
            self.partNumber = partNumber
            self.reason = reason
        }

        /// The message ``UserMessages/cannotParseResponse``.
        public var errorDescription: String? { UserMessages.current.cannotParseResponse }
    }
}

extension RequestError.Cause.InvalidStreamValue: CustomStringConvertible, CustomReflectable {
    /// The number and the reason. Contains no text of the response.
    public var description: String {
        let words =
            switch reason {
            case .undecodable(let error): PreparedText.error(error)
            case .truncated: "may be truncated, because no white space follows it"
            case .tooLong(let limit): "has more than \(limit) bytes; pass a higher limit to jsonValues"
            case .missingSeparator: "has no record separator before it; check the format"
            }
        return "InvalidStreamValue(value \(number): \(words))"
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RequestError.Cause.InvalidMultipartResponse: CustomStringConvertible, CustomReflectable {
    /// The number of the part and the reason.
    public var description: String {
        let words =
            switch reason {
            case .notMultipart(let type): "the content type \(PreparedText.line(type, limit: 100)) is not multipart"
            case .missingBoundary: "the content type has no legal boundary"
            case .truncated: "the body ends before its last delimiter"
            case .malformedHeader: "a line of the headers is not a header"
            case .headersTooLong(let limit): "the headers have more than \(limit) bytes; raise maximumHeaderSize"
            case .partTooLong(let limit): "the part has more than \(limit) bytes; raise maximumPartSize"
            case .tooManyParts(let limit): "there are more than \(limit) parts; raise maximumPartCount"
            }
        return "InvalidMultipartResponse(part \(partNumber): \(words))"
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
