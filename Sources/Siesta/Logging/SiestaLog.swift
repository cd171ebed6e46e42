import Foundation
import HTTPRules
import Synchronization

/// What Siesta tells about its own work, by category, to a handler of your choice.
///
/// Nothing is enabled at first, and a message of a disabled category costs one atomic read: its parts are not
/// evaluated. All of it may be called and set from any thread.
public enum SiestaLog: Sendable {
    /// Where messages go; called on the thread that logs, one line a call.
    ///
    /// The default writes `[Siesta:category] message` to standard error. If that is closed, or nobody reads it, messages
    /// are lost.
    ///
    /// Every handler gets prepared text: values of secret headers are redacted (``redactedHeaders``), URLs come without
    /// user info, fragment and the values of query items (``shownQueryItems``), control characters are escaped as in
    /// Swift, and a message has at most 8000 characters.
    @preconcurrency
    public static var messageHandler: @Sendable (Category, String) -> Void {
        get { settings.withLock { $0.messageHandler } }
        // The old one is released without the lock, since that may run any code.
        set { _ = settings.withLock { exchange(&$0.messageHandler, with: newValue) } }
    }

    /// Names of the headers whose values never reach the log. Case does not matter: names that are set are lowercased.
    ///
    /// At first these are the names of credentials, tokens, cookies and signatures. A header whose name contains a word
    /// such as `token`, `secret`, `password` or `session` is redacted as well, also if it is not in this set.
    public static var redactedHeaders: Set<String> {
        get { settings.withLock { $0.redactedHeaders } }
        set {
            let names = Set(newValue.map { $0.lowercased() })
            settings.withLock { $0.redactedHeaders = names }
        }
    }

    /// Names of the query items whose values may appear in logs, descriptions and errors. Case does not matter: names
    /// that are set are lowercased.
    ///
    /// At first these are names such as `page`, `limit`, `sort` and `lang`. The values of all other items are replaced
    /// by `…`, and so are values of more than 32 bytes.
    public static var shownQueryItems: Set<String> {
        get { settings.withLock { $0.shownQueryItems } }
        set {
            let names = Set(newValue.map { $0.lowercased() })
            settings.withLock { $0.shownQueryItems = names }
        }
    }

    /// Logs a message made of `messageParts`, joined by spaces, if `category` is enabled.
    ///
    /// The parts are not evaluated unless it is. Nil parts are left out. Give URLs and errors as they are: they are
    /// prepared for the log.
    @inline(__always)
    public static func log(_ category: Category, _ messageParts: @autoclosure () -> [Any?]) {
        if category.isEnabled { emit(category, messageParts()) }
    }

    /// Logs a message, whether or not its category is enabled.
    static func emit(_ category: Category, _ parts: [Any?]) {
        let text = parts.compactMap { $0 }.map(PreparedText.part).joined(separator: " ")
        messageHandler(category, PreparedText.line(text, limit: 8000))
    }

    private struct Settings {
        var messageHandler: @Sendable (Category, String) -> Void = { category, message in
            StandardError.write("[Siesta:\(category)] \(message)")
        }
        var redactedHeaders = SecretHeaders.names
        var shownQueryItems = URLText.harmlessParameters
    }

    private static let settings = Locked(Settings())
}
