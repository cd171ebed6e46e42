public import Foundation

extension RequestError.Cause {
    /// The service's networking does not support this transfer. The request was not sent.
    ///
    /// Use a provider that conforms to ``StreamingNetworkingProvider``, such as ``DefaultNetworking``.
    public struct StreamingUnsupported: LocalizedError {
        /// The type of the provider.
        public let provider: Any.Type

        public init(provider: Any.Type) {
            self.provider = provider
        }

        /// The message ``UserMessages/cannotSendRequest``.
        public var errorDescription: String? { UserMessages.current.cannotSendRequest }
    }

    /// A request body could not be read to its end. A file is missing, is unreadable, or was changed while it was sent,
    /// or a sequence threw an error or did not produce the announced number of bytes.
    public struct UnreadableBody: LocalizedError {
        /// The file that could not be read; nil if the body is not a file.
        public let file: URL?
        /// The reason: a `POSIXError`, a `CocoaError`, or the error that a sequence threw.
        public let underlyingError: any Error

        public init(file: URL?, underlyingError: any Error) {
            self.file = file
            self.underlyingError = underlyingError
        }

        /// The message ``UserMessages/unreadableBody``.
        public var errorDescription: String? { UserMessages.current.unreadableBody }
    }

    /// A body that can be read only once must be sent again, because the request was repeated or redirected.
    ///
    /// If a body may have to be sent again, send a file or a form instead of a sequence, or make a new request with a
    /// new sequence.
    public struct UnrepeatableBody: LocalizedError {
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

    /// There is no content for the file of a download: the status of the response is 204 or 205 (RFC 9110 §15.3.5), or
    /// the request was changed to a HEAD request, which is not sent. The target file is not changed.
    public struct NoFileContent: LocalizedError {
        public init() {}

        /// The message ``UserMessages/noLocalData``.
        public var errorDescription: String? { UserMessages.current.noLocalData }
    }

    /// The download failed because the server sends the file in too many small parts.
    ///
    /// A download fails after the 16th partial response. The limit grows by one response for each 64 KB that the
    /// responses contained, up to 10 000 responses. The received bytes are kept for the next download to the same file.
    public struct TooManyPartialResponses: LocalizedError {
        /// The number of partial responses.
        public let count: Int

        public init(count: Int) {
            self.count = count
        }

        /// The message ``UserMessages/responseStalled``.
        public var errorDescription: String? { UserMessages.current.responseStalled }
    }

    /// A line of a response is longer than the limit.
    public struct LineTooLong: LocalizedError {
        /// The maximum length of a line, in bytes.
        public let limit: Int

        public init(limit: Int) {
            self.limit = limit
        }

        /// The message ``UserMessages/cannotParseText``.
        public var errorDescription: String? { UserMessages.current.cannotParseText }
    }
}
