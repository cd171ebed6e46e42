import Foundation
import HTTPRules
import Isolation
import Synchronization

/// The log of Siesta. Each message belongs to a category, and is passed to a handler that the app can replace.
///
/// By default, no category is enabled. A message of a disabled category costs one atomic read; its parts are not
/// evaluated. All members may be used on any thread.
public enum SiestaLog: Sendable {
    /// The handler of log messages. The handler is called once for each message, on the thread that logs the message.
    ///
    /// The default handler writes `[Siesta:category] message` to standard error. If standard error is closed, or is a
    /// pipe that no process reads, messages are lost.
    ///
    /// Every handler receives text without secrets. The values of secret headers are redacted; see ``redactedHeaders``.
    /// URLs contain no user info and no fragment, and only the values of the query items in ``shownQueryItems``.
    /// Control characters are escaped as in Swift, and a message has at most 8000 characters.
    #if Swift5Clients
    @preconcurrency
    #endif
    public static var messageHandler: @Sendable (Category, String) -> Void {
        get { settings.withLock { $0.messageHandler } }
        // The old handler is released outside the lock, because its release may run any code.
        set { _ = settings.withLock { exchange(&$0.messageHandler, with: newValue) } }
    }

    /// The names of the headers whose values are never logged. Names are case-insensitive, and are lowercased when set.
    ///
    /// By default, the set contains the names of headers with credentials, tokens, cookies and signatures. The log also
    /// redacts other headers whose names contain a word such as `token`, `secret`, `password` or `session`. It also
    /// redacts a header if a part of its name, between hyphens or underscores, is a word such as `auth` or `key`. A few
    /// harmless names, such as `Idempotency-Key`, are exceptions. An app cannot turn off these rules. To redact one of
    /// the exceptions, add its name to this set. The header with the API key of a session is always redacted.
    public static var redactedHeaders: Set<String> {
        get { settings.withLock { $0.redactedHeaders } }
        set {
            let names = Set(newValue.map { $0.lowercased() })
            settings.withLock { $0.redactedHeaders = names }
        }
    }

    /// The names of the query items whose values may appear in logs, descriptions and errors. Names are
    /// case-insensitive, and are lowercased when set.
    ///
    /// By default, the set contains names such as `page`, `limit`, `sort` and `lang`. The values of all other items,
    /// and all values of more than 32 bytes, are replaced by `…`. If an API key of a session is sent as a query item,
    /// its value is always replaced.
    public static var shownQueryItems: Set<String> {
        get { settings.withLock { $0.shownQueryItems } }
        set {
            let names = Set(newValue.map { $0.lowercased() })
            settings.withLock { $0.shownQueryItems = names }
        }
    }

    /// Logs a message if `category` is enabled. The message consists of `messageParts`, joined by spaces.
    ///
    /// The parts are evaluated only if the category is enabled. Nil parts are omitted. Pass URLs and errors as they
    /// are, not as strings: the log removes secrets from them.
    @inlinable @inline(__always)
    public static func log(_ category: Category, _ messageParts: @autoclosure () -> [Any?]) {
        if category.isEnabled { emit(category, messageParts()) }
    }

    /// The maximum length of a message, in characters.
    private static let messageLimit = 8000

    /// Logs a message even if its category is disabled.
    @usableFromInline package static func emit(_ category: Category, _ parts: [Any?]) {
        let text = parts.compactMap { $0 }.map(PreparedText.part).joined(separator: " ")
        messageHandler(category, PreparedText.line(text, limit: messageLimit))
    }

    // MARK: Names of keys

    /// Makes the log hide a header field, in addition to ``redactedHeaders``. An app cannot undo it.
    package static func hideHeader(_ name: String) {
        let name = name.lowercased()
        settings.withLock { _ = $0.hiddenHeaders.insert(name) }
    }

    /// Makes the log hide the value of a query item, even if ``shownQueryItems`` contains it. An app cannot undo it.
    package static func hideQueryItem(_ name: String) {
        let name = name.lowercased()
        settings.withLock { _ = $0.hiddenQueryItems.insert(name) }
    }

    /// The lowercase names of all header fields that are hidden.
    package static var allRedactedHeaders: Set<String> {
        settings.withLock { $0.hiddenHeaders.isEmpty ? $0.redactedHeaders : $0.redactedHeaders.union($0.hiddenHeaders) }
    }

    /// The lowercase names of all query items that are shown.
    package static var allShownQueryItems: Set<String> {
        settings.withLock {
            $0.hiddenQueryItems.isEmpty ? $0.shownQueryItems : $0.shownQueryItems.subtracting($0.hiddenQueryItems)
        }
    }

    private struct Settings {
        var messageHandler: @Sendable (Category, String) -> Void = { category, message in
            StandardError.write("[Siesta:\(category)] \(message)")
        }
        var redactedHeaders = SecretHeaders.names
        var shownQueryItems = URLText.harmlessParameters
        var hiddenHeaders: Set<String> = []
        var hiddenQueryItems: Set<String> = []
    }

    private static let settings = Locked(Settings())
}
