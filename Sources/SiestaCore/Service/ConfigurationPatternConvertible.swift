public import Foundation

/// A pattern that selects the resources to which a configuration applies: a wildcard `String`, an
/// `NSRegularExpression`, or a ``Resource``.
#if Swift5Clients
@preconcurrency
#endif
@MainActor
public protocol ConfigurationPatternConvertible {
    /// Returns a function that receives the absolute URL of a resource of `service`, and tests whether the URL matches.
    func configurationPattern(for service: Service) -> (URL) -> Bool

    /// The name of the pattern in logs.
    var configurationPatternDescription: String { get }
}

extension String: ConfigurationPatternConvertible {
    /// Returns a function that tests whether a URL matches this wildcard. The query of the URL is ignored.
    ///
    /// The wildcard is relative to the service's `baseURL`, unless the wildcard begins with a scheme or the service has
    /// no base URL. A leading slash is optional.
    ///
    /// - `*` matches any number of characters except `/` and `?`.
    /// - `**` matches any number of characters except `?`; `/**/` also matches a single slash.
    /// - `?` matches exactly one character except `/`.
    public func configurationPattern(for service: Service) -> (URL) -> Bool {
        let wildcard = URLWildcard(self, relativeTo: service.baseURL?.absoluteString)
        return { wildcard.matches($0.absoluteString) }
    }

    /// The string itself, with its wildcards.
    public var configurationPatternDescription: String { self }
}

extension NSRegularExpression: ConfigurationPatternConvertible {
    /// Returns a function that tests whether the expression matches any part of the absolute URL.
    public func configurationPattern(for service: Service) -> (URL) -> Bool {
        { url in
            let text = url.absoluteString
            return self.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
        }
    }

    /// The text of the expression.
    public var configurationPatternDescription: String { pattern }
}

extension Resource: ConfigurationPatternConvertible {
    /// Returns a function that tests whether a URL is the URL of this resource.
    public func configurationPattern(for service: Service) -> (URL) -> Bool {
        let own = location
        return { $0.absoluteString == own }
    }

    /// The description of the resource.
    public var configurationPatternDescription: String { description }
}
