public import Foundation

/// A value that can be converted to a URL: a `String` or a `URL`.
#if Swift5Clients
@preconcurrency
#endif
public protocol URLConvertible: Sendable {
    /// The URL; nil if the value is not a valid URL.
    var url: URL? { get }
}

extension URL: URLConvertible {
    /// The URL itself.
    public var url: URL? { self }
}

extension String: URLConvertible {
    /// The string parsed as a URL; nil if it is empty, contains control characters, or is not a valid URL.
    public var url: URL? {
        guard !utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return URL(string: self)
    }
}
