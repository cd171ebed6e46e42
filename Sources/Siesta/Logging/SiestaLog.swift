import Foundation
import Synchronization

/// What Siesta tells about its own work, by category, to a handler of your choice.
///
/// Nothing is enabled at first, and a message of a disabled category costs one atomic read: its parts are not
/// evaluated. All of it may be called and set from any thread.
public enum SiestaLog: Sendable {
    /// Where messages go; called on the thread that logs, one line or a few lines a call.
    ///
    /// The default writes `[Siesta:category] message` to standard error. Values of secret headers are redacted before
    /// they get here; see ``redactedHeaders``.
    @preconcurrency
    public static var messageHandler: @Sendable (Category, String) -> Void {
        get { settings.withLock { $0.messageHandler } }
        set { settings.withLock { $0.messageHandler = newValue } }
    }

    /// Names of the headers, in lower case, whose values never reach the log.
    public static var redactedHeaders: Set<String> {
        get { settings.withLock { $0.redactedHeaders } }
        set { settings.withLock { $0.redactedHeaders = newValue } }
    }

    /// Logs a message made of `messageParts`, joined by spaces, if `category` is enabled.
    ///
    /// The parts are not evaluated unless it is. Nil parts are left out.
    @inline(__always)
    public static func log(_ category: Category, _ messageParts: @autoclosure () -> [Any?]) {
        if category.isEnabled { emit(category, messageParts()) }
    }

    private static func emit(_ category: Category, _ parts: [Any?]) {
        messageHandler(category, parts.compactMap { $0 }.map { String(describing: $0) }.joined(separator: " "))
    }

    private struct Settings {
        var messageHandler: @Sendable (Category, String) -> Void = { category, message in
            FileHandle.standardError.write(Data("[Siesta:\(category)] \(message)\n".utf8))
        }
        var redactedHeaders: Set<String> = [
            "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
        ]
    }

    private static let settings = Locked(Settings())
}
