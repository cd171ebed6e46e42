public import Foundation

extension RequestError.Cause {
    /// The service's networking cannot do what a transfer needs; nothing was sent, or what came was not used.
    ///
    /// Use a provider that conforms to ``StreamingNetworkingProvider``, such as ``DefaultNetworking``.
    public struct StreamingUnsupported: LocalizedError {
        /// The type of the provider.
        public let provider: Any.Type

        /// Creates the cause.
        public init(provider: Any.Type) {
            self.provider = provider
        }

        /// ``UserMessages/cannotSendRequest``.
        public var errorDescription: String? { UserMessages.current.cannotSendRequest }
    }

    /// A body could not be read to its end: a file is missing, or not readable, or changed while it was sent; a
    /// sequence failed, or brought another number of bytes than was announced.
    public struct UnreadableBody: LocalizedError {
        /// The file in question, if it is one.
        public let file: URL?
        /// Why: a `POSIXError`, a `CocoaError`, or what a sequence threw.
        public let underlyingError: any Error

        /// Creates the cause.
        public init(file: URL?, underlyingError: any Error) {
            self.file = file
            self.underlyingError = underlyingError
        }

        /// ``UserMessages/unreadableBody``.
        public var errorDescription: String? { UserMessages.current.unreadableBody }
    }

    /// A body that can be read only once would have to be sent again: the request was repeated, or the server
    /// redirected it.
    ///
    /// Send a file or a form instead of a sequence where that may happen, or make a new request with a new sequence.
    public struct UnrepeatableBody: LocalizedError {
        /// Creates the cause.
        public init() {}

        /// ``UserMessages/cannotSendRequest``.
        public var errorDescription: String? { UserMessages.current.cannotSendRequest }
    }

    /// A part of a form has a header that cannot be sent; nothing was sent.
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

        /// ``UserMessages/cannotSendRequest``.
        public var errorDescription: String? { UserMessages.current.cannotSendRequest }
    }

    /// What was received could not be written to its file.
    public struct FileFailure: LocalizedError {
        /// The file that was to be made.
        public let file: URL
        /// What the system said, such as `ENOSPC` for a full disk.
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

    /// A download's response has no content that a file could have: its status is 204 or 205 (RFC 9110 §15.3.5), or the
    /// request was changed to a HEAD, which is not sent. The target file stays as it is.
    public struct NoFileContent: LocalizedError {
        /// Creates the cause.
        public init() {}

        /// ``UserMessages/noLocalData``.
        public var errorDescription: String? { UserMessages.current.noLocalData }
    }

    /// A server sends a file in too many small pieces, so that the download was ended.
    ///
    /// A download accepts 16 partial responses, one more for each 64 KB that they brought, and at most 10 000. The bytes
    /// received so far stay for the next download to the same file.
    public struct TooManyPartialResponses: LocalizedError {
        /// The number of partial responses.
        public let count: Int

        /// Creates the cause.
        public init(count: Int) {
            self.count = count
        }

        /// ``UserMessages/answerStalled``.
        public var errorDescription: String? { UserMessages.current.answerStalled }
    }

    /// A line of a response is longer than was allowed.
    public struct LineTooLong: LocalizedError {
        /// How many bytes a line may have.
        public let limit: Int

        /// Creates the cause.
        public init(limit: Int) {
            self.limit = limit
        }

        /// ``UserMessages/cannotParseText``.
        public var errorDescription: String? { UserMessages.current.cannotParseText }
    }
}
