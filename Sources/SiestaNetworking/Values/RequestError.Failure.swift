public import Foundation
import HTTPRules

extension RequestError {
    /// A failure that the library itself detects. It is the ``RequestError/cause`` of a `RequestError`. Failures that
    /// already existed in Siesta 1.5 have types of their own, in ``Cause``.
    public struct Failure: LocalizedError, CustomStringConvertible, CustomReflectable {
        /// The kind of the failure.
        public let code: Code
        /// The reason in English, for developers, on one line. It contains no secrets, and no content from the server.
        /// The text is empty if the code alone describes the failure.
        public let reason: String
        /// The file that could not be read or written; nil if the failure does not concern a file.
        public let file: URL?
        /// The name of the header that cannot be sent, or the error code of an authorization server, such as
        /// `access_denied`; nil for other failures.
        public let name: String?
        /// The error that caused the failure, for example an error of the system, of a decoder or of the app; nil if
        /// there is none.
        public let underlyingError: (any Error)?
        /// The time after which another attempt may succeed, in seconds.
        package var retryAfter: TimeInterval?

        /// Creates a failure, for example in a networking provider of the app. All arguments except the code are
        /// optional.
        public init(
            _ code: Code, reason: String = "", file: URL? = nil, name: String? = nil,
            underlyingError: (any Error)? = nil
        ) {
            (self.code, self.reason, self.file, self.name) = (code, reason, file, name)
            self.underlyingError = underlyingError
        }

        /// The message in ``UserMessages`` for the code. If a file could not be written, the message depends on the
        /// error of the system.
        public var errorDescription: String? {
            let messages = UserMessages.current
            guard code == .fileNotWritten else { return messages[keyPath: code.message] }
            return switch (underlyingError as? POSIXError)?.code {
            case .ENOSPC, .EDQUOT, .EFBIG: messages.diskFull
            case .ENOENT, .ENOTDIR: messages.folderMissing
            case .EACCES, .EPERM, .EROFS: messages.writingForbidden
            default: messages.cannotWriteFile
            }
        }

        /// The code, the reason, the file and the underlying error, without secrets.
        public var description: String {
            let details = [reason, file.map(\.path) ?? "", underlyingError.map { PreparedText.error($0) } ?? ""]
                .filter { !$0.isEmpty }.joined(separator: ": ")
            return PreparedText.line(details.isEmpty ? code.description : "\(code): \(details)", limit: 1000)
        }

        /// An empty mirror, so that `dump` shows only the ``description``.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// Creates an error with the default message for a failure.
    package init(_ failure: Failure) {
        self.init(userMessage: failure.errorDescription ?? "", cause: failure)
    }
}

extension RequestError.Failure: CodedError {}

extension RequestError.Failure {
    /// A header that cannot be sent.
    package static func invalidHeader(_ name: String) -> Self {
        let reason =
            HeaderSyntax.isName(name)
            ? "has a value with a control character, such as a line break"
            : "has a name with characters that HTTP does not allow"
        return Self(.invalidHeader, reason: "the header \(name.debugDescription) \(reason)", name: name)
    }

    /// A body that cannot be read.
    package static func unreadableBody(_ file: URL?, _ error: any Error) -> Self {
        Self(.unreadableBody, file: file, underlyingError: error)
    }

    /// A redirect that was not followed.
    package static func redirectNotFollowed(_ status: Int) -> Self {
        Self(.redirectNotFollowed, reason: "the status \(status)")
    }

    /// A response that the request did not ask for.
    package static func unrequestedResponse(_ status: Int) -> Self {
        Self(.unrequestedResponse, reason: "the status \(status)")
    }

    /// A transfer that the networking provider does not support.
    package static func streamingUnsupported(by provider: Any.Type) -> Self {
        Self(.streamingUnsupported, reason: "by \(provider)")
    }

    /// A request that must wait.
    package static func refusal(_ code: RequestError.Code, retryAfter time: TimeInterval) -> Self {
        var failure = Self(code, reason: "another attempt is possible in \(time) s")
        failure.retryAfter = time
        return failure
    }

    /// Content that exceeds a limit in bytes.
    package static func contentTooLong(_ limit: Int, raise option: String) -> Self {
        Self(.contentTooLong, reason: "has more than \(limit) bytes; raise \(option)")
    }
}
