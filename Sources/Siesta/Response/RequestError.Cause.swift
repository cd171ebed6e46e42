public import Foundation

extension RequestError {
    /// The types of ``RequestError/cause`` for the failures that Siesta itself finds.
    public enum Cause: Sendable {
        /// The resource has no usable URL; nothing was sent.
        public struct InvalidURL: Error {
            /// What was given as the URL.
            public let urlSource: (any URLConvertible)?

            /// Creates the cause.
            public init(urlSource: (any URLConvertible)?) {
                self.urlSource = urlSource
            }
        }

        /// The request's method is not one that HTTP can express (RFC 9110 §9.1); nothing was sent.
        public struct InvalidMethod: Error {
            /// The method that was asked for.
            public let method: String

            /// Creates the cause.
            public init(_ method: String) {
                self.method = method
            }
        }

        /// A header has a name that is not a token, or a value with a control character such as a line break (RFC 9110
        /// §5.1 and §5.5); nothing was sent.
        ///
        /// A token that was read from a file together with its newline is the usual reason. The value is not part of the
        /// error, since it may be secret.
        public struct InvalidHeader: LocalizedError, CustomStringConvertible {
            /// The name of the header, as it was given.
            public let name: String

            /// Creates the cause.
            public init(name: String) {
                self.name = name
            }

            /// ``UserMessages/cannotSendRequest``.
            public var errorDescription: String? { UserMessages.current.cannotSendRequest }

            /// Names the header, with control characters escaped.
            public var description: String {
                let reason =
                    HeaderSyntax.isName(name)
                    ? "has a value with a control character, such as a line break"
                    : "has a name with characters that HTTP does not allow"
                return "The header \(name.debugDescription) \(reason)"
            }
        }

        /// A text body has characters that its encoding lacks; nothing was sent.
        public struct UnencodableText: Error {
            /// The encoding asked for.
            public let encoding: String.Encoding
            /// The text of the body.
            public let text: String

            /// Creates the cause.
            public init(encoding: String.Encoding, text: String) {
                self.encoding = encoding
                self.text = text
            }
        }

        /// A JSON body has content that JSON cannot express; nothing was sent.
        public struct InvalidJSONObject: Error {
            /// Creates the cause.
            public init() {}
        }

        /// A form parameter cannot be percent-encoded; nothing was sent.
        public struct NotURLEncodable: Error {
            /// The name or value in question.
            public let offendingString: String

            /// Creates the cause.
            public init(offendingString: String) {
                self.offendingString = offendingString
            }
        }

        /// The request was cancelled, by the app or underneath it.
        public struct RequestCancelled: Error {
            /// The network's own error, if the cancellation came from there.
            public let networkError: (any Error)?

            /// Creates the cause.
            public init(networkError: (any Error)? = nil) {
                self.networkError = networkError
            }
        }

        /// The server answered 304 (not modified) though there is nothing here that it could confirm: no data, or content
        /// that was changed locally, or another version than the one that the server was asked about.
        public struct NoLocalDataFor304: Error {
            /// Creates the cause.
            public init() {}
        }

        /// The server names a character set that does not exist here.
        public struct InvalidTextEncoding: Error {
            /// The name it sent.
            public let encodingName: String

            /// Creates the cause.
            public init(encodingName: String) {
                self.encodingName = encodingName
            }
        }

        /// The body has bytes that are illegal in its character set.
        public struct UndecodableText: Error {
            /// The encoding that failed.
            public let encoding: String.Encoding

            /// Creates the cause.
            public init(encoding: String.Encoding) {
                self.encoding = encoding
            }
        }

        /// The body is JSON, but neither an object nor an array.
        public struct JSONResponseIsNotDictionaryOrArray: Error {
            /// The type that was found.
            public let actualType: Any.Type

            /// Creates the cause.
            public init(actualType: Any.Type) {
                self.actualType = actualType
            }
        }

        /// The body is not an image that can be read.
        public struct UnparsableImage: Error {
            /// Creates the cause.
            public init() {}
        }

        /// A transformer got content of another type than it takes.
        public struct WrongInputTypeInTranformerPipeline: Error {
            /// The type that the transformer takes.
            public let expectedType: Any.Type
            /// The type of the content.
            public let actualType: Any.Type
            /// The transformer.
            public let transformer: any ResponseTransformer

            /// Creates the cause.
            public init(expectedType: Any.Type, actualType: Any.Type, transformer: any ResponseTransformer) {
                self.expectedType = expectedType
                self.actualType = actualType
                self.transformer = transformer
            }
        }

        /// The content is of another type than the one asked for.
        public struct WrongContentType: Error, CustomStringConvertible {
            /// The type that was asked for.
            public let expectedType: Any.Type
            /// The type of the content.
            public let actualType: Any.Type

            /// Creates the cause.
            public init(expectedType: Any.Type, actualType: Any.Type) {
                self.expectedType = expectedType
                self.actualType = actualType
            }

            /// Both types, and what to look at.
            public var description: String {
                "expected content of type \(expectedType), but the pipeline made \(actualType) of the response;"
                    + " is there a transformer to \(expectedType) for this URL?"
            }
        }

        /// A transformer returned nil.
        public struct TransformerReturnedNil: Error {
            /// The transformer.
            public let transformer: any ResponseTransformer

            /// Creates the cause.
            public init(transformer: any ResponseTransformer) {
                self.transformer = transformer
            }
        }
    }
}
