import Foundation
import SiestaCore

extension MultipartForm {
    /// One field or file of a form.
    struct Part: Sendable {
        /// The name of the field.
        var name: String

        /// The content that is sent.
        var content: Content

        /// The name of the file; nil for a field that is not a file.
        var fileName: String?

        /// The MIME type of the content. If the value is nil, no type is sent, and the content counts as plain text
        /// (RFC 7578 §4.4).
        var contentType: String?

        /// Additional headers of the part, sent in the order of their names.
        ///
        /// RFC 7578 §4.8 does not allow additional headers, and most servers ignore them. If they include
        /// `Content-Disposition` or `Content-Type`, the form is not sent, and the request fails with
        /// ``RequestError/Code/unencodableBody``.
        var headers: [String: String]

        /// The source of a part's content.
        enum Content: Sendable {
            /// Bytes in memory.
            case data(Data)
            /// The content of a file.
            case file(URL)
        }

        /// Creates a part.
        init(
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

extension MultipartForm.Part: CustomStringConvertible, CustomReflectable {
    /// The name, the type, and the number of bytes or the name of the file. The text contains neither the content nor
    /// values of headers.
    var description: String {
        let source =
            switch content {
            case .data(let data): "\(data.count) bytes"
            case .file(let file): "file \(file.lastPathComponent)"
            }
        return PreparedText.line("MultipartForm.Part(\(name): \(source), \(contentType ?? "text/plain"))")
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
