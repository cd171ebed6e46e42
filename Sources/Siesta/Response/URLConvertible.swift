public import Foundation

/// What can stand for a URL: a `String` or a `URL`.
@preconcurrency
public protocol URLConvertible: Sendable {
    /// The URL, or nil if this is not a valid one.
    var url: URL? { get }
}

extension URL: URLConvertible {
    /// The URL itself.
    public var url: URL? { self }
}

extension String: URLConvertible {
    /// The string parsed as a URL; nil if it is empty, has control characters, or cannot be read as one.
    public var url: URL? {
        guard !utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return URL(string: self)
    }
}
