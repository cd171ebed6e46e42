#if GTK
import CGTK
import Synchronization

/// Records the warnings and criticals that GLib, GDK and GTK log. The script fails if there are any.
enum LogRecorder {
    private static let messages = Mutex<[String]>([])

    /// Becomes the log writer of the process.
    static func install() {
        let writer: GLogWriterFunc = { level, fields, count, _ in
            LogRecorder.record(level, UnsafeBufferPointer(start: fields, count: Int(count)))
            return G_LOG_WRITER_HANDLED
        }
        g_log_set_writer_func(writer, nil, nil)
    }

    /// Returns the messages since the last call.
    static func take() -> [String] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    private static func record(_ level: GLogLevelFlags, _ fields: UnsafeBufferPointer<GLogField>) {
        let severe = G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue
        guard level.rawValue & severe != 0 else { return }
        let texts = fields.filter { ["GLIB_DOMAIN", "MESSAGE"].contains(String(cString: $0.key)) }.compactMap { field in
            field.value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
        }
        messages.withLock { $0.append(texts.joined(separator: ": ")) }
    }
}
#endif
