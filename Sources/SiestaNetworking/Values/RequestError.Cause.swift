public import Foundation
import HTTPRules

extension RequestError {
    /// The types of ``RequestError/cause`` for failures that Siesta itself detects.
    public enum Cause: Sendable {
        /// The resource has no valid URL. Nothing was sent.
        public struct InvalidURL: Error {
            /// The value that was given as the URL.
            public let urlSource: (any URLConvertible)?

            public init(urlSource: (any URLConvertible)?) {
                self.urlSource = urlSource
            }
        }

        /// The request's method is not valid in HTTP (RFC 9110 §9.1). Nothing was sent.
        public struct InvalidMethod: Error {
            /// The method of the request.
            public let method: String

            public init(_ method: String) {
                self.method = method
            }
        }

        /// A header has a name that is not a token, or a value with a control character such as a line break (RFC 9110
        /// §5.1 and §5.5). Nothing was sent.
        ///
        /// A typical reason is an access token that was read from a file with a line break at its end. The error does
        /// not contain the value, because the value may be secret.
        public struct InvalidHeader: LocalizedError, CustomStringConvertible {
            /// The name of the header, as the app set it.
            public let name: String

            public init(name: String) {
                self.name = name
            }

            /// The message ``UserMessages/cannotSendRequest``.
            public var errorDescription: String? { UserMessages.current.cannotSendRequest }

            /// The name of the header, with control characters escaped, and the reason.
            public var description: String {
                let reason =
                    HeaderSyntax.isName(name)
                    ? "has a value with a control character, such as a line break"
                    : "has a name with characters that HTTP does not allow"
                return "The header \(name.debugDescription) \(reason)"
            }
        }

        /// A text body contains characters that its encoding cannot represent. Nothing was sent.
        public struct UnencodableText: Error {
            /// The encoding of the request's text.
            public let encoding: String.Encoding
            /// The text of the body.
            public let text: String

            public init(encoding: String.Encoding, text: String) {
                self.encoding = encoding
                self.text = text
            }
        }

        /// A JSON body contains values that JSON cannot represent. Nothing was sent.
        public struct InvalidJSONObject: Error {
            public init() {}
        }

        /// A form parameter cannot be percent-encoded. Nothing was sent.
        public struct NotURLEncodable: Error {
            /// The name or the value that cannot be encoded.
            public let offendingString: String

            public init(offendingString: String) {
                self.offendingString = offendingString
            }
        }

        /// The app or the network cancelled the request.
        public struct RequestCancelled: Error {
            /// The network's error, if the network cancelled the request.
            public let networkError: (any Error)?

            public init(networkError: (any Error)? = nil) {
                self.networkError = networkError
            }
        }

        /// The server responded with 304 (not modified), but the 304 does not confirm any data of the resource. The
        /// resource has no data, or the data was changed locally, or the data is not the version that the condition of
        /// the request names.
        public struct NoLocalDataFor304: Error {
            public init() {}
        }

        /// The server names a character set that this system does not support.
        public struct InvalidTextEncoding: Error {
            /// The name that the server sent.
            public let encodingName: String

            public init(encodingName: String) {
                self.encodingName = encodingName
            }
        }

        /// The body contains bytes that are illegal in its character set.
        public struct UndecodableText: Error {
            /// The encoding with which decoding failed.
            public let encoding: String.Encoding

            public init(encoding: String.Encoding) {
                self.encoding = encoding
            }
        }

        /// The body is JSON, but its top level is neither an object nor an array.
        public struct JSONResponseIsNotDictionaryOrArray: Error {
            /// The type of the top level.
            public let actualType: Any.Type

            public init(actualType: Any.Type) {
                self.actualType = actualType
            }
        }

        /// The body is not an image in a supported format.
        public struct UnparsableImage: Error {
            public init() {}
        }

        /// The content does not have the requested type.
        public struct WrongContentType: Error, CustomStringConvertible {
            /// The requested type.
            public let expectedType: Any.Type
            /// The type of the content.
            public let actualType: Any.Type

            /// The remedy, if the library knows more than both types; nil otherwise.
            package var remedy: String?

            public init(expectedType: Any.Type, actualType: Any.Type) {
                self.expectedType = expectedType
                self.actualType = actualType
            }

            /// Both types, and a hint about the remedy.
            public var description: String {
                "expected content of type \(expectedType), but the pipeline made \(actualType) of the response; "
                    + (remedy ?? "is there a transformer to \(expectedType) for this URL and method?")
            }
        }
    }
}
