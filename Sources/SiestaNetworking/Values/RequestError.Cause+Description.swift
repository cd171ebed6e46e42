import Foundation

// These causes contain details for programs. Their descriptions appear in logs. Therefore a description contains no
// bodies, no secrets of URLs and no control characters.

extension RequestError.Cause.InvalidURL: CustomStringConvertible, CustomReflectable {
    /// The value that was given as the URL, as text without secrets.
    public var description: String {
        let source = urlSource.map { ($0 as? String) ?? $0.url?.absoluteString ?? "a \(type(of: $0))" }
        return "InvalidURL(\(PreparedText.url(source ?? "nil")))"
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RequestError.Cause.UnencodableText: CustomStringConvertible, CustomReflectable {
    /// The length and the encoding of the text. The text itself is part of a request, and is omitted.
    public var description: String { "UnencodableText(\(text.unicodeScalars.count) characters as \(encoding))" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RequestError.Cause.NotURLEncodable: CustomStringConvertible, CustomReflectable {
    /// The name of the cause and the length of the string. The string itself is part of a request, and is omitted.
    public var description: String { "NotURLEncodable(a string of \(offendingString.utf16.count) code units)" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RequestError.Cause.RequestCancelled: CustomStringConvertible, CustomReflectable {
    /// The name of the cause and the ``networkError``, if any.
    public var description: String { "RequestCancelled(\(networkError.map { PreparedText.error($0) } ?? ""))" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RequestError.Cause.InvalidTextEncoding: CustomStringConvertible, CustomReflectable {
    /// The name of the cause and the name of the character set that the server sent.
    public var description: String { "InvalidTextEncoding(\(PreparedText.line(encodingName, limit: 100)))" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
