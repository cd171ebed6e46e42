public import Foundation

extension MultipartForm {
    /// One field or file of a form.
    public struct Part: Sendable {
        /// The name of the field.
        public var name: String

        /// What is sent.
        public var content: Content

        /// The name of a file; nil for what is not one.
        public var fileName: String?

        /// The type of the content; nil for none, which means plain text (RFC 7578 §4.4).
        public var contentType: String?

        /// Further headers of the part, sent in the order of their names.
        ///
        /// RFC 7578 §4.8 allows none, and most servers ignore them; `Content-Disposition` and `Content-Type` are
        /// refused.
        public var headers: [String: String]

        /// Where the content of a part is.
        public enum Content: Sendable {
            /// In memory.
            case data(Data)
            /// In a file.
            case file(URL)
        }

        /// Creates a part.
        public init(
            name: String, content: Content, fileName: String? = nil, contentType: String? = nil,
            headers: [String: String] = [:]
        ) {
            self.name = name
            self.content = content
            self.fileName = fileName
            self.contentType = contentType
            self.headers = headers
        }
    }
}
