import Foundation

/// The failure of a system call, or the reason why the library refuses to use a file.
package struct FileSystemError: LocalizedError, CustomStringConvertible, CustomReflectable, Equatable, Sendable {
    /// The name of the system call.
    package let call: String
    /// The path of the file or folder.
    package let path: String
    /// The error number (`errno`).
    package let code: Int32
    /// The reason why an existing file must not be used, and the remedy. For example, the file is a link, or belongs to
    /// another user. Nil for other errors.
    package let refusal: String?

    package init(_ call: String, _ path: String, code: Int32 = errno) {
        (self.call, self.path, self.code, refusal) = (call, path, code, nil)
    }

    package init(_ call: String, _ path: String, _ defect: FileTrust.Defect) {
        (self.call, self.path, code, refusal) = (call, path, defect.code, defect.description)
    }

    /// A description that names the call, the file and the reason.
    package var errorDescription: String? { description }

    /// An empty mirror, so that `dump` shows the ``description`` alone.
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The same text as ``errorDescription``.
    package var description: String {
        PreparedText.line("\(call) \(path): \(refusal ?? String(cString: strerror(code)))")
    }
}
