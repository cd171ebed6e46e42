public import Foundation

extension RequestError.Cause {
    /// The service's networking does not support this transfer. Nothing was sent, or the response was discarded.
    ///
    /// Use a provider that conforms to ``StreamingNetworkingProvider``, such as ``DefaultNetworking``.
    public struct StreamingUnsupported: LocalizedError {
        /// The type of the provider.
        public let provider: Any.Type

        /// Creates the cause.
        public init(provider: Any.Type) {
            self.provider = provider
        }

        /// The message ``UserMessages/cannotSendRequest``.
        public var errorDescription: String? { UserMessages.current.cannotSendRequest }
    }

    /// A request body could not be read to its end. Either a file is missing, unreadable, or was changed while it was
    /// sent; or a sequence threw an error, or produced another number of bytes than announced.
    public struct UnreadableBody: LocalizedError {
        /// The file that could not be read; nil if the body is not a file.
        public let file: URL?
        /// The reason: a `POSIXError`, a `CocoaError`, or the error that a sequence threw.
        public let underlyingError: any Error

        /// Creates the cause.
        public init(file: URL?, underlyingError: any Error) {
            self.file = file
            self.underlyingError = underlyingError
        }

        /// The message ``UserMessages/unreadableBody``.
        public var errorDescription: String? { UserMessages.current.unreadableBody }
    }

    /// A body that can be read only once would have to be sent again, since the request was repeated or the server
    /// redirected it.
    ///
    /// If that may happen, send a file or a form instead of a sequence, or make a new request with a new sequence.
    public struct UnrepeatableBody: LocalizedError {
        /// Creates the cause.
        public init() {}

        /// The message ``UserMessages/cannotSendRequest``.
        public var errorDescription: String? { UserMessages.current.cannotSendRequest }
    }

    /// A part of a form has a header that cannot be sent. Nothing was sent.
    public struct InvalidMultipartForm: LocalizedError {
        /// The name of the part.
        public let partName: String
        /// The name of the header.
        public let header: String

        /// Creates the cause.
        public init(partName: String, header: String) {
            self.partName = partName
            self.header = header
        }

        /// The message ``UserMessages/cannotSendRequest``.
        public var errorDescription: String? { UserMessages.current.cannotSendRequest }
    }

    /// The received bytes could not be written to a file.
    public struct FileFailure: LocalizedError {
        /// The target file.
        public let file: URL
        /// The error of the system, such as `ENOSPC` for a full disk.
        public let code: POSIXErrorCode

        /// Creates the cause.
        public init(file: URL, code: POSIXErrorCode) {
            self.file = file
            self.code = code
        }

        /// One of the messages about files in ``UserMessages``.
        public var errorDescription: String? {
            let messages = UserMessages.current
            return switch code {
            case .ENOSPC, .EDQUOT, .EFBIG: messages.diskFull
            case .ENOENT, .ENOTDIR: messages.folderMissing
            case .EACCES, .EPERM, .EROFS: messages.writingForbidden
            default: messages.cannotWriteFile
            }
        }
    }

    /// A download's response has no content for the file. Its status is 204 or 205 (RFC 9110 §15.3.5), or the request
    /// was changed to a HEAD request, which is not sent. The target file is not changed.
    public struct NoFileContent: LocalizedError {
        /// Creates the cause.
        public init() {}

        /// The message ``UserMessages/noLocalData``.
        public var errorDescription: String? { UserMessages.current.noLocalData }
    }

    /// The download was ended because the server sends the file in too many small parts.
    ///
    /// A download ends with the 16th partial response. It accepts one more for each 64 KB that the responses contained,
    /// and ends with the 10 000th in any case. The bytes received so far are kept for the next download to the same
    /// file.
    public struct TooManyPartialResponses: LocalizedError {
        /// The number of partial responses.
        public let count: Int

        /// Creates the cause.
        public init(count: Int) {
            self.count = count
        }

        /// The message ``UserMessages/answerStalled``.
        public var errorDescription: String? { UserMessages.current.answerStalled }
    }

    /// A line of a response is longer than the limit.
    public struct LineTooLong: LocalizedError {
        /// The maximum length of a line, in bytes.
        public let limit: Int

        /// Creates the cause.
        public init(limit: Int) {
            self.limit = limit
        }

        /// The message ``UserMessages/cannotParseText``.
        public var errorDescription: String? { UserMessages.current.cannotParseText }
    }
}
