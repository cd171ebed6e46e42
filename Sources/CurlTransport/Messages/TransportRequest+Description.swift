#if os(Linux)
import Foundation
import HTTPRules

extension TransportRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the URL without secrets.
    public var description: String { "\(TransportText.line(method)) \(TransportText.url(url.absoluteString))" }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// The status and the URL without secrets.
    public var description: String {
        "HTTP/\(TransportText.line(httpVersion)) \(status) from \(TransportText.url(url.absoluteString))"
    }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HeaderList: CustomStringConvertible, CustomReflectable {
    /// The names of the fields, without their values.
    public var description: String { TransportText.line("HeaderList(\(map(\.name).joined(separator: ", ")))") }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HeaderList.Field: CustomStringConvertible, CustomReflectable {
    /// The name and the value, or in place of the value of a secret field a mark.
    public var description: String {
        TransportText.line("\(name): \(SecretHeaders.include(name) ? SecretHeaders.mark : value)")
    }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TransportError: CustomReflectable {
    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
