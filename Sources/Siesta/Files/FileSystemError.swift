public import Foundation

/// A call about a file that failed, or a file that must not be used.
public struct FileSystemError: LocalizedError, CustomStringConvertible, CustomReflectable, Hashable, Sendable {
    /// The call.
    public let call: String
    /// The file or folder.
    public let path: String
    /// The error number.
    public let code: Int32
    /// The reason and the remedy, if the file exists but must not be used: it is a link, say, or another user's.
    public let refusal: String?

    init(_ call: String, _ path: String, code: Int32 = errno) {
        (self.call, self.path, self.code, refusal) = (call, path, code, nil)
    }

    init(_ call: String, _ path: String, _ defect: FileTrust.Defect) {
        (self.call, self.path, code, refusal) = (call, path, defect.code, defect.description)
    }

    /// Names the call, the file and the reason.
    public var errorDescription: String? { description }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The same as ``errorDescription``.
    public var description: String {
        PreparedText.line("\(call) \(path): \(refusal ?? String(cString: strerror(code)))")
    }
}
