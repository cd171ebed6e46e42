#if os(Linux) || os(Android)
import Foundation

extension TransportOptions.Proxy: CustomStringConvertible, CustomReflectable {
    /// The name of the case, or the URL of the proxy without its user and password.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .url(let url): TransportText.url(url.absoluteString)
        }
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
