#if os(Linux) || os(Android)
import Foundation
import HTTPRules

extension TransportRequest: CustomStringConvertible, CustomReflectable {
    /// The method, and the URL without secrets.
    package var description: String { "\(TransportText.line(method)) \(TransportText.url(url.absoluteString))" }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TransportRequest.Body: CustomStringConvertible, CustomReflectable {
    /// The kind of the body, and its length if it is in memory.
    package var description: String {
        switch self {
        case .none: "none"
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the file \(TransportText.url(url.absoluteString))"
        case .stream(_, let length): length.map { "a stream of \($0) bytes" } ?? "a stream"
        }
    }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TransportResponse: CustomStringConvertible, CustomReflectable {
    /// The head, and the length of the body.
    package var description: String { "\(head), \(body.count) bytes" }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// The status, and the URL without secrets.
    package var description: String {
        "HTTP/\(TransportText.line(httpVersion)) \(status) from \(TransportText.url(url.absoluteString))"
    }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HeaderList: CustomStringConvertible, CustomReflectable {
    /// The names of the fields, without their values.
    package var description: String { TransportText.line("HeaderList(\(map(\.name).joined(separator: ", ")))") }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HeaderList.Field: CustomStringConvertible, CustomReflectable {
    /// The name and the value; the value of a secret field is replaced by a mark.
    package var description: String {
        TransportText.line("\(name): \(SecretHeaders.include(name) ? SecretHeaders.mark : value)")
    }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TransportError: CustomReflectable {
    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
