import HTTPRules
import SiestaCore

/// The changes that an outbox shows, by the identity of their entries and by their scope.
@MainActor
struct KeptChanges {
    private var changes: [String: PendingChange] = [:]
    private var scopes: [ExactText: [String: PendingChange]] = [:]

    var all: [(id: String, change: PendingChange)] { changes.map { ($0.key, $0.value) } }

    subscript(id: String) -> PendingChange? {
        get { changes[id] }
        set {
            let old = exchange(&changes[id], with: newValue)
            if let old { scopes[old.scope]?[id] = nil }
            if let newValue { scopes[newValue.scope, default: [:]][id] = newValue }
            if let old, scopes[old.scope]?.isEmpty == true { scopes[old.scope] = nil }
        }
    }

    mutating func remove(_ id: String) -> PendingChange? {
        defer { self[id] = nil }
        return self[id]
    }

    mutating func removeAll() -> [PendingChange] {
        scopes = [:]
        return Array(exchange(&changes, with: [:]).values)
    }

    /// True if another change of the same scope waits. Takes the time of the changes of the scope that do not wait.
    func hasWaiting(besides change: PendingChange) -> Bool {
        scopes[change.scope]?.values.contains { $0 !== change && $0.state == .waiting } ?? false
    }
}
