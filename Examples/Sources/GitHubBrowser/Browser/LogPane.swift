import Dispatch
import Siesta

/// The newest lines of `SiestaLog`, taken from whatever thread logs.
@MainActor
final class LogPane {
    /// The most entries that are kept.
    static let limit = 200

    private(set) var entries: [LogEntry] = []
    /// Whether the pane is on view.
    var isShown = false
    /// Called after each new entry.
    var onChange: () -> Void = {}

    /// Takes over `SiestaLog`, for the rest of the process.
    func takeOver(base: String) {
        SiestaLog.messageHandler = { [weak self] category, message in
            let entry = LogEntry(category, message, base: base)
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.add(entry) } }
        }
        SiestaLog.Category.enabled = [.network, .stateChanges, .staleness, .cache]
    }

    /// Removes all entries.
    func clear() {
        entries = []
        onChange()
    }

    /// Adds an entry, and lets the oldest go if there are too many.
    func add(_ entry: LogEntry) {
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append(entry)
        onChange()
    }
}
