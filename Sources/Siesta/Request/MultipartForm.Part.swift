public import Foundation

extension MultipartForm {
    /// One field or file of a form.
    public struct Part: Sendable {
        /// The name of the field.
        public var name: String

        /// The content that is sent.
        public var content: Content

        /// The name of the file; nil for a field that is not a file.
        public var fileName: String?

        /// The MIME type of the content. Nil sends no type, which means plain text (RFC 7578 §4.4).
        public var contentType: String?

        /// Additional headers of the part, sent in the order of their names.
        ///
        /// RFC 7578 §4.8 allows no other headers, and most servers ignore them. A form with `Content-Disposition` or
        /// `Content-Type` among these headers is not sent; its request fails with
        /// ``RequestError/Cause/InvalidMultipartForm``.
        public var headers: [String: String]

        /// The source of a part's content.
        public enum Content: Sendable {
            /// Bytes in memory.
            case data(Data)
            /// The content of a file.
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
