import Foundation
import HTTPRules
import Synchronization

/// Siesta's log: messages by category, which go to a handler of your choice.
///
/// No category is enabled by default. A message of a disabled category costs one atomic read; its parts are not
/// evaluated. All members may be used on any thread.
public enum SiestaLog: Sendable {
    /// The handler of log messages. It is called on the thread that logs, once for each line.
    ///
    /// The default handler writes `[Siesta:category] message` to standard error. If standard error is closed, or nobody
    /// reads it, messages are lost.
    ///
    /// Every handler gets prepared text. Values of secret headers are redacted (``redactedHeaders``). URLs come without
    /// user info, fragment and the values of query items (``shownQueryItems``). Control characters are escaped as in
    /// Swift, and a message has at most 8000 characters.
    @preconcurrency
    public static var messageHandler: @Sendable (Category, String) -> Void {
        get { settings.withLock { $0.messageHandler } }
        // The old handler is released outside the lock, since its release may run any code.
        set { _ = settings.withLock { exchange(&$0.messageHandler, with: newValue) } }
    }

    /// The names of the headers whose values never reach the log. Case does not matter: names are lowercased when set.
    ///
    /// The default set has the names of credentials, tokens, cookies and signatures. A header whose name contains a
    /// word such as `token`, `secret`, `password` or `session` is redacted even if it is not in this set.
    public static var redactedHeaders: Set<String> {
        get { settings.withLock { $0.redactedHeaders } }
        set {
            let names = Set(newValue.map { $0.lowercased() })
            settings.withLock { $0.redactedHeaders = names }
        }
    }

    /// The names of the query items whose values may appear in logs, descriptions and errors. Case does not matter:
    /// names are lowercased when set.
    ///
    /// The default set has names such as `page`, `limit`, `sort` and `lang`. The values of all other items are replaced
    /// by `…`, and so are values of more than 32 bytes.
    public static var shownQueryItems: Set<String> {
        get { settings.withLock { $0.shownQueryItems } }
        set {
            let names = Set(newValue.map { $0.lowercased() })
            settings.withLock { $0.shownQueryItems = names }
        }
    }

    /// Logs a message if `category` is enabled. The message consists of `messageParts`, joined by spaces.
    ///
    /// The parts are evaluated only if the category is enabled. Nil parts are left out. Pass URLs and errors unchanged:
    /// the log prepares them.
    @inline(__always)
    public static func log(_ category: Category, _ messageParts: @autoclosure () -> [Any?]) {
        if category.isEnabled { emit(category, messageParts()) }
    }

    /// Logs a message even if its category is disabled.
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
