import Foundation

extension RedirectRules.Request: CustomStringConvertible, CustomReflectable {
    /// The method, and the URL without secrets.
    public var description: String { PlainText.line("\(method) \(URLText()(url.absoluteString))", limit: 2000) }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RedirectRules.Redirect: CustomStringConvertible, CustomReflectable {
    /// The method, and the URL without secrets.
    public var description: String { PlainText.line("\(method) \(URLText()(url.absoluteString))", limit: 2000) }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
