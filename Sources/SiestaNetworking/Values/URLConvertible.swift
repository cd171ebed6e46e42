public import Foundation
import HTTPRules

/// A value that can be converted to a URL: a `String` or a `URL`.
#if Swift5Clients
@preconcurrency
#endif
public protocol URLConvertible: Sendable {
    /// The value as a URL; nil if it is not a valid URL.
    var url: URL? { get }
}

extension URL: URLConvertible {
    /// The URL itself.
    public var url: URL? { self }
}

extension String: URLConvertible {
    /// The string parsed as a URL; nil if it is empty, contains control characters, or is not a valid URL.
    ///
    /// Characters that a URL cannot contain, such as spaces and brackets, are escaped. Existing escapes stay as they
    /// are: `/q?f[a]=x%20y` becomes `/q?f%5Ba%5D=x%20y`.
    public var url: URL? { URL(reference: self) }
}
