import Foundation
import SiestaCore

extension MultipartForm.Part: CustomStringConvertible, CustomReflectable {
    /// The name and the type, and the number of bytes or the name of the file. Contains neither content nor values of
    /// headers.
    public var description: String {
        let source =
            switch content {
            case .data(let data): "\(data.count) bytes"
            case .file(let file): "file \(file.lastPathComponent)"
            }
        return PreparedText.line("MultipartForm.Part(\(name): \(source), \(contentType ?? "text/plain"))")
    }

    /// No children: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
