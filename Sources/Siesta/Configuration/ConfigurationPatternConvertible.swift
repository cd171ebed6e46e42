public import Foundation

/// What can tell which resources a configuration applies to: a wildcard `String`, an `NSRegularExpression`, a
/// ``Resource``.
@preconcurrency @MainActor
public protocol ConfigurationPatternConvertible {
    /// A test of absolute resource URLs, for the given service.
    func configurationPattern(for service: Service) -> (URL) -> Bool

    /// How the pattern is named in logs.
    var configurationPatternDescription: String { get }
}

extension String: ConfigurationPatternConvertible {
    /// Tests URLs, without their query, against this wildcard.
    ///
    /// Relative to the service's `baseURL` unless the pattern begins with a scheme or the service has no base; one
    /// leading slash is optional. `*` stands for any characters but `/` and `?`; `**` for any but `?`, and `/**/` also
    /// for one slash; `?` for exactly one character but `/`.
    public func configurationPattern(for service: Service) -> (URL) -> Bool {
        let wildcard = URLWildcard(self, relativeTo: service.baseURL?.absoluteString)
        return { wildcard.matches($0.absoluteString) }
    }

    /// The pattern itself.
    public var configurationPatternDescription: String { self }
}

extension NSRegularExpression: ConfigurationPatternConvertible {
    /// Tests whether the expression matches any part of the absolute URL.
    public func configurationPattern(for service: Service) -> (URL) -> Bool {
        { url in
            let text = url.absoluteString
            return self.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
        }
    }

    /// The expression.
    public var configurationPatternDescription: String { pattern }
}

extension Resource: ConfigurationPatternConvertible {
    /// Tests for this resource's own URL.
    public func configurationPattern(for service: Service) -> (URL) -> Bool {
        let own = address
        return { $0.absoluteString == own }
    }

    /// The resource.
    public var configurationPatternDescription: String { description }
}
