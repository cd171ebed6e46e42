public import Foundation

extension RequestError {
    /// A namespace for types of errors that can be the ``RequestError/cause`` of a failed request. Most of these types
    /// already existed in Siesta 1.5. All other failures that the library detects are values of
    /// ``RequestError/Failure``.
    public enum Cause: Sendable {
        /// The resource has no valid URL. Nothing was sent.
        public struct InvalidURL: Error {
            /// The value that was given as the URL.
            public let urlSource: (any URLConvertible)?

            public init(urlSource: (any URLConvertible)?) {
                self.urlSource = urlSource
            }
        }

        /// A text body contains characters that its encoding cannot represent. Nothing was sent.
        public struct UnencodableText: Error {
            /// The encoding that was chosen for the text.
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
            /// The name or value that cannot be encoded.
            public let offendingString: String

            public init(offendingString: String) {
                self.offendingString = offendingString
            }
        }

        /// The app or the networking provider cancelled the request.
        public struct RequestCancelled: Error {
            /// The networking provider's error, if the provider cancelled the request; nil otherwise.
            public let networkError: (any Error)?

            public init(networkError: (any Error)? = nil) {
                self.networkError = networkError
            }
        }

        /// The server responded with 304 (not modified), but the resource has no data that the response can confirm:
        /// the resource has no data, its data was changed locally, or the condition of the request names another
        /// version.
        public struct NoLocalDataFor304: Error {
            public init() {}
        }

        /// The server names a character set that this system does not support.
        public struct InvalidTextEncoding: Error {
            /// The name of the character set, as the server sent it.
            public let encodingName: String

            public init(encodingName: String) {
                self.encodingName = encodingName
            }
        }

        /// The body contains bytes that are illegal in its character set.
        public struct UndecodableText: Error {
            /// The encoding in which the body could not be decoded.
            public let encoding: String.Encoding

            public init(encoding: String.Encoding) {
                self.encoding = encoding
            }
        }

        /// The body is JSON, but its top level is neither an object nor an array.
        public struct JSONResponseIsNotDictionaryOrArray: Error {
            /// The Swift type of the value at the top level.
            public let actualType: Any.Type

            public init(actualType: Any.Type) {
                self.actualType = actualType
            }
        }

        /// The body is not an image in a supported format.
        public struct UnparsableImage: Error {
            public init() {}
        }
    }
}
